"""Fingers on the glass: touches as the system tells them, one by one, and pointers of a mouse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from playwright.async_api import CDPSession, Locator, Page

Point: TypeAlias = tuple[float, float]


async def middle_of(locator: Locator) -> Point:
    """Where to touch it."""
    box = await locator.bounding_box()
    assert box is not None, f"{locator} is not to be seen"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@dataclass
class Fingers:
    """The fingers that touch `page`, by number. Each call is one event that the page hears."""

    tools: CDPSession
    touching: dict[int, Point]

    @classmethod
    async def on(cls, page: Page) -> Fingers:
        return cls(await page.context.new_cdp_session(page), {})

    async def down(self, point: Point, finger: int = 0) -> None:
        self.touching[finger] = point
        await self._tell("touchStart", self.touching)

    async def move(self, point: Point, finger: int = 0) -> None:
        self.touching[finger] = point
        await self._tell("touchMove", self.touching)

    async def up(self, finger: int = 0) -> None:
        await self._tell("touchEnd", {finger: self.touching.pop(finger)})

    async def cancel(self) -> None:
        """The system takes the touches away."""
        self.touching.clear()
        await self._tell("touchCancel", {})

    async def drag(self, start: Point, end: Point, *, steps: int = 6) -> None:
        """One finger from `start` to `end`, which stays down there."""
        await self.down(start)
        await self.slide(start, end, steps=steps)

    async def slide(self, start: Point, end: Point, *, finger: int = 0, steps: int = 6) -> None:
        for step in range(1, steps + 1):
            part = step / steps
            await self.move((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part), finger)

    async def _tell(self, kind: str, fingers: Mapping[int, Point]) -> None:
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in fingers.items()]
        await self.tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


class Pointer:
    """One mouse or finger: pressed, moved, let go."""

    @classmethod
    async def of(cls, page: Page) -> Pointer:
        raise NotImplementedError

    async def press(self, point: Point) -> None:
        raise NotImplementedError

    async def move(self, point: Point) -> None:
        raise NotImplementedError

    async def release(self) -> None:
        raise NotImplementedError


class Mouse(Pointer):
    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    @classmethod
    async def of(cls, page: Page) -> Mouse:
        return cls(page)

    async def press(self, point: Point) -> None:
        await self._mouse.move(*point)
        await self._mouse.down()

    async def move(self, point: Point) -> None:
        await self._mouse.move(*point, steps=4)

    async def release(self) -> None:
        await self._mouse.up()


class Finger(Pointer):
    def __init__(self, fingers: Fingers) -> None:
        self._fingers = fingers

    @classmethod
    async def of(cls, page: Page) -> Finger:
        return cls(await Fingers.on(page))

    async def press(self, point: Point) -> None:
        await self._fingers.down(point)

    async def move(self, point: Point) -> None:
        await self._fingers.slide(self._fingers.touching[0], point, steps=4)

    async def release(self) -> None:
        await self._fingers.up()


POINTERS: dict[str, type[Pointer]] = {"mouse": Mouse, "finger": Finger}
