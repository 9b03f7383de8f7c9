"""What must not be at any table after any step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from server.table.state import Phase, Presence, Table


def disorder(table: Table) -> Iterator[str]:
    """Everything at ``table`` that must not be, in words."""
    if table.closed:
        return
    yield from _seats(table)
    yield from _host(table)
    yield from _standstill(table)


def _seats(table: Table) -> Iterator[str]:
    holders = [place.player for place in table.places if place.player is not None]
    awaited = [place.coming.player for place in table.places if place.coming is not None]
    device = table.settings.local  # of the seats of one device one is counted
    holding = len(holders) - max(0, min(device, max(Counter(holders).values(), default=1)) - 1)
    if len({*holders, *awaited}) < holding + len(awaited):
        yield "somebody has two places"
    if awaited and table.phase is not Phase.PLAYING and not table.is_known:  # else they wait for a deal unseen
        yield f"{awaited} wait for the end of a deal, but none runs"
    if set(holders) & set(table.watchers):
        yield "somebody watches and sits"
    is_in_match = table.phase in (Phase.PLAYING, Phase.DEAL_OVER)
    if is_in_match and any(place.player is None and place.bot is None for place in table.places):
        yield "a seat is empty in a match"


def _host(table: Table) -> Iterator[str]:
    """While anybody sits, somebody who does is the host."""
    holders = {place.player for place in table.places if place.player is not None}
    if table.host not in holders and (table.host is not None or holders):
        yield f"the host is {table.host}, seated are {holders}"


def _standstill(table: Table) -> Iterator[str]:
    """What everybody waits for must have happened in the step that made them ready."""
    people = [place for place in table.places if place.player is not None and place.bot is None]
    present = [place for place in people if place.presence is Presence.PRESENT]
    is_ready = bool(present) and all(place.ready for place in present)
    if table.phase is Phase.DEAL_OVER and is_ready:
        yield "everybody is ready for the next deal"
    if table.phase is Phase.MATCH_OVER and is_ready and not table.waiting:
        yield "everybody is ready for another match"
    if table.waiting and all(place.player is not None or place.bot is not None for place in table.places):
        yield "the last seat is taken, and the match does not begin"
