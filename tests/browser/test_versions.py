"""Pages of another version than their server's: they ask to be loaded again, and go on until then."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.scripted import ScriptedTable
from tests.system.servers import Server


@pytest.mark.parametrize(("code", "text", "button"), [(4001, "There is a new version", "Reload")])
async def test_a_version_that_is_not_spoken_any_more_asks_for_a_reload(
    server: Server, chromium: Browser, code: int, text: str, button: str
) -> None:
    table = await ScriptedTable.open(chromium, server.port)

    await table.hang_up(code)

    await expect(table.person.see("banner")).to_contain_text(text)
    await expect(table.person.see("banner").get_by_role("button", name=button)).to_be_visible()


@pytest.mark.parametrize(("version", "count"), [("/v/0123456789abcdef", 1), (None, 0)], ids=["another", "the same"])
async def test_a_page_whose_server_came_back_with_another_version_asks_for_a_reload_and_goes_on(
    server: Server, chromium: Browser, version: str | None, count: int
) -> None:
    table = await ScriptedTable.open(chromium, server.port)
    page = table.person.page
    if version:
        await page.route(f"http://127.0.0.1:{server.port}/", partial(name_files_below, version))

    async with page.expect_response(f"http://127.0.0.1:{server.port}/"):
        await table.hang_up(1012)

    await expect(page.locator(".link")).to_have_text("live")
    await expect(table.person.see("banner").filter(has_text="There is a new version")).to_have_count(count)
    await expect(table.person.see("banner").get_by_role("button", name="Reload")).to_have_count(count)


async def test_a_page_whose_version_is_gone_asks_for_a_reload_when_a_part_of_it_does_not_come(
    server: Server, chromium: Browser
) -> None:
    table = await live_table_without_sheets(server, chromium)
    page = table.person.page
    await page.route(f"http://127.0.0.1:{server.port}/", partial(name_files_below, "/v/0123456789abcdef"))

    await page.get_by_role("button", name="Rules").click()

    await expect(table.person.see("banner").filter(has_text="There is a new version")).to_be_visible()
    await expect(table.person.see("banner").get_by_role("button", name="Reload")).to_be_visible()
    await expect(page.locator(".link")).to_have_text("live")


async def test_a_page_of_the_version_that_there_is_asks_for_no_reload_when_a_part_of_it_does_not_come(
    server: Server, chromium: Browser
) -> None:
    table = await live_table_without_sheets(server, chromium)
    page = table.person.page

    async with page.expect_response(f"http://127.0.0.1:{server.port}/"):
        await page.get_by_role("button", name="Rules").click()

    await expect(table.person.see("banner").filter(has_text="There is a new version")).to_have_count(0)
    await expect(table.person.see("banner").get_by_role("button", name="Reload")).to_have_count(0)
    await expect(page.locator(".link")).to_have_text("live")


async def live_table_without_sheets(server: Server, chromium: Browser) -> ScriptedTable:
    """A table whose part for sheets is answered as a server answers for the files of another version."""
    table = await ScriptedTable.open(chromium, server.port)
    await expect(table.person.page.locator(".link")).to_have_text("live")
    await table.person.page.route(re.compile(r"/v/\w+/sheets/index.js$"), lambda route: route.fulfill(status=404))
    return table


async def name_files_below(version: str, route: Route) -> None:
    """The page as another version of the server gives it."""
    answer = await route.fetch()
    await route.fulfill(body=re.sub(r"/v/\w+", version, await answer.text()), content_type="text/html")
