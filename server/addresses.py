"""Where connections come from: what each network address has open, and how often it has guessed at room codes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias

from server.limits import Limits
from server.rates import MinuteCount

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

REMEMBERED = 10_000
"""Addresses without a connection whose guesses and new players are remembered; who left first is forgotten first."""
NEW_PLAYERS = 10
"""So many times the limit of open connections may an address bring new players in a minute: a whole club at once."""
WAITING = 4
"""So many times the limit of open connections may be on their way: a page comes over several at once."""


def read_address(text: str) -> Address | None:
    """The IP address that ``text`` is; an IPv4 address is the same over either kind of socket. None if it is none."""
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def client_address(peer: str, forwarded: Sequence[str], proxies: Collection[Network]) -> str:
    """Under which account a connection from ``peer`` goes: that of its `far_end`."""
    address = far_end(peer, forwarded, proxies)
    return "" if address is None else _account_name(address)


def far_end(peer: str, forwarded: Sequence[str], proxies: Collection[Network]) -> Address | None:
    """Who is at the far end of a connection from ``peer``: the last hop that is none of our ``proxies``.

    ``forwarded`` are the values of `X-Forwarded-For`, to which each proxy has added whom it heard from. Whatever
    stands before the first hop that we do not trust, that hop may have invented. None: ``peer`` has no IP address.
    """
    hops = [hop for value in forwarded for hop in value.split(",")]
    address = read_address(peer)
    while address is not None and hops and _is_in(address, proxies):
        before = read_address(hops.pop())
        if before is None:
            break
        address = before
    return address


def is_admitted(peer: str, forwarded: Sequence[str], proxies: Collection[Network], guests: Collection[Network]) -> bool:
    """Whether a request comes from this machine or from one of ``guests``.

    What a proxy passes on that we do not know of comes from anywhere, though the proxy may be on this machine.
    """
    address = read_address(peer)
    if address is None or (forwarded and not _is_in(address, proxies)):
        return False
    end = far_end(peer, forwarded, proxies)
    return end is not None and (end.is_loopback or _is_in(end, guests))


def _is_in(address: Address, networks: Collection[Network]) -> bool:
    return any(address in network for network in networks)


def _account_name(address: Address) -> str:
    """One customer has a whole /64 of IPv6 addresses, and could come from another one each time."""
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)


@dataclass(slots=True, eq=False)
class Account:
    """What one address has here now."""

    name: str
    wrong_codes: MinuteCount
    """The unknown room codes that came from it."""
    new_players: MinuteCount
    """Who said `hello` without a token."""
    waiting: int = 0
    """Connections that have not done their handshake, and requests for pages."""
    open: int = 0

    @property
    def is_idle(self) -> bool:
        """The address has no connection."""
        return not (self.waiting or self.open)


@dataclass(slots=True, eq=False)
class Visit:
    """One connection on the account of its address, from when it comes in until it is gone."""

    peer: str
    account: Account
    is_open: bool = False
    """The handshake is done."""


class Addresses:
    """Loose limits by address; those of a connection and of a player come first."""

    def __init__(self, limits: Limits, proxies: Collection[Network] = ()) -> None:
        self._limits = limits
        self._proxies = proxies
        self._accounts: dict[str, Account] = {}
        self._left: OrderedDict[str, None] = OrderedDict()
        """Addresses without a connection."""

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._accounts)

    def arrive(self, peer: str) -> Visit | None:
        """A connection has come in from ``peer``. None: too many from there are still on their way."""
        account = self._account(client_address(peer, (), ()))
        limit = WAITING * self._limits.connections_per_address
        if limit and account.waiting >= limit and not self._is_proxy(peer):
            return None
        account.waiting += 1
        return Visit(peer, account)

    def _is_proxy(self, peer: str) -> bool:
        address = read_address(peer)
        return address is not None and _is_in(address, self._proxies)

    def open(self, visit: Visit, forwarded: Sequence[str]) -> bool:
        """The handshake of ``visit`` asks to be let in, with these values of `X-Forwarded-For`.

        False: the client at the far end has as many connections as it may have.
        """
        account = self._account(client_address(visit.peer, forwarded, self._proxies))
        limit = self._limits.connections_per_address
        if limit and account.open >= limit:
            return False
        account.open += 1
        self.leave(visit)
        visit.account, visit.is_open = account, True
        return True

    def leave(self, visit: Visit) -> None:
        """The connection of ``visit`` is gone."""
        account = visit.account
        if visit.is_open:
            account.open -= 1
        else:
            account.waiting -= 1
        if account.is_idle:
            self._let_go(account)

    def _account(self, name: str) -> Account:
        self._left.pop(name, None)
        if name not in self._accounts:
            new_players = MinuteCount(NEW_PLAYERS * self._limits.connections_per_address)
            self._accounts[name] = Account(name, MinuteCount(self._limits.wrong_codes_per_address), new_players)
        return self._accounts[name]

    def _let_go(self, account: Account) -> None:
        """An address without a connection is remembered only for its wrong guesses and its new players."""
        if account.wrong_codes.is_unused and account.new_players.is_unused:
            del self._accounts[account.name]
            return
        self._left[account.name] = None
        if len(self._left) > REMEMBERED:
            forgotten, _ = self._left.popitem(last=False)
            del self._accounts[forgotten]
