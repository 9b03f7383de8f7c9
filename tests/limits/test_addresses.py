from __future__ import annotations

from ipaddress import ip_network

import pytest

from server.addresses import REMEMBERED, WAITING, Addresses, Visit, client_address, is_admitted
from server.limits import Limits

PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:1::1"))


def addresses(**limits: int) -> Addresses:
    return Addresses(Limits.model_validate(limits), PROXIES)


def arrived(at: Addresses, peer: str) -> Visit:
    visit = at.arrive(peer)
    assert visit is not None
    return visit


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("198.51.100.7", [], "198.51.100.7"),
        ("198.51.100.7", ["203.0.113.9"], "198.51.100.7"),
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("::ffff:10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["192.0.2.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["192.0.2.1, 203.0.113.9,10.2.3.4"], "203.0.113.9"),
        ("10.0.0.1", ["192.0.2.1", "203.0.113.9", "10.2.3.4"], "203.0.113.9"),
        ("10.0.0.1", ["10.2.3.4"], "10.2.3.4"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.9, unknown"], "10.0.0.1"),
        ("2001:db8:1::1", ["203.0.113.9"], "203.0.113.9"),
        ("2001:db8:1::2", ["203.0.113.9"], "2001:db8:1::/64"),
        ("", ["203.0.113.9"], ""),
    ],
)
def test_the_client_is_the_last_hop_that_is_no_proxy_of_ours(peer: str, forwarded: list[str], client: str) -> None:
    assert client_address(peer, forwarded, PROXIES) == client


def test_an_ipv6_network_is_one_client_and_the_next_one_another() -> None:
    names = {client_address(peer, (), ()) for peer in ("2001:db8::1", "2001:db8::ffff:1", "2001:db8:0:1::1")}

    assert names == {"2001:db8::/64", "2001:db8:0:1::/64"}


def test_an_address_has_so_many_open_connections_and_one_that_ends_makes_room() -> None:
    here = addresses(connections_per_address=2)
    first, second, third = (arrived(here, "198.51.100.7") for _ in range(3))

    opened = [here.open(visit, ()) for visit in (first, second, third)]
    here.leave(first)

    assert opened == [True, True, False]
    assert here.open(third, ())


def test_clients_behind_a_proxy_are_counted_each_for_itself() -> None:
    here = addresses(connections_per_address=1)

    opened = [here.open(arrived(here, "10.0.0.1"), [client]) for client in ("192.0.2.1", "192.0.2.2", "192.0.2.1")]

    assert opened == [True, True, False]


def test_an_address_has_so_many_connections_that_say_nothing() -> None:
    here = addresses(connections_per_address=2)
    waiting = [arrived(here, "198.51.100.7") for _ in range(2 * WAITING)]

    refused = here.arrive("198.51.100.7")
    here.leave(waiting[0])

    assert refused is None
    assert here.arrive("198.51.100.7") is not None
    assert here.arrive("198.51.100.8") is not None


def test_a_proxy_may_have_any_number_of_connections_on_their_way() -> None:
    here = addresses(connections_per_address=1)

    assert all(here.arrive("10.0.0.1") is not None for _ in range(10 * WAITING))


def test_without_a_limit_an_address_has_any_number_of_connections() -> None:
    here = addresses(connections_per_address=0)

    assert all(here.open(arrived(here, "198.51.100.7"), ()) for _ in range(1000))


def test_an_address_without_connections_and_guesses_is_forgotten() -> None:
    here = addresses()
    waiting, opened = arrived(here, "198.51.100.7"), arrived(here, "10.0.0.1")
    here.open(opened, ["192.0.2.1"])

    here.leave(waiting)
    here.leave(opened)

    assert len(here) == 0


def test_wrong_guesses_outlive_the_connection_on_which_they_were_made() -> None:
    here = addresses(wrong_codes_per_address=1)
    guessing = arrived(here, "198.51.100.7")
    guessing.account.wrong_codes.add(100.0)
    here.leave(guessing)

    back, other = arrived(here, "198.51.100.7"), arrived(here, "198.51.100.8")

    assert back.account.wrong_codes.wait(130.0) == 30.0
    assert other.account.wrong_codes.wait(130.0) == 0.0


def test_only_so_many_addresses_are_remembered_for_their_guesses() -> None:
    here = addresses(wrong_codes_per_address=1)
    for number in range(REMEMBERED + 1):
        visit = arrived(here, f"192.0.{number // 256}.{number % 256}")
        visit.account.wrong_codes.add(100.0)
        here.leave(visit)

    assert len(here) == REMEMBERED
    assert arrived(here, "192.0.0.0").account.wrong_codes.wait(130.0) == 0.0
    assert arrived(here, "192.0.0.1").account.wrong_codes.wait(130.0) == 30.0


@pytest.mark.parametrize(
    ("peer", "forwarded", "admitted"),
    [
        ("127.0.0.1", [], True),
        ("::1", [], True),
        ("::ffff:127.0.0.1", [], True),
        ("203.0.113.9", [], True),
        ("198.51.100.7", [], False),
        ("198.51.100.7", ["127.0.0.1"], False),
        ("127.0.0.1", ["127.0.0.1"], False),
        ("10.0.0.1", ["203.0.113.9"], True),
        ("10.0.0.1", ["127.0.0.1, 198.51.100.7"], False),
        ("10.0.0.1", [], False),
        ("", [], False),
    ],
)
def test_this_machine_and_guests_are_admitted_unless_something_unknown_speaks_for_them(
    peer: str, forwarded: list[str], admitted: bool
) -> None:
    assert is_admitted(peer, forwarded, PROXIES, [ip_network("203.0.113.0/24")]) is admitted
