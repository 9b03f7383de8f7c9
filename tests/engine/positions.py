"""Positions as short as a test can say them. Hands need not make a full set: the rules do not look."""

from __future__ import annotations

from functools import reduce

from engine.actions import Action, Draw, Knock, Play
from engine.deal import Deal, decide, evolve, opened
from engine.events import DealEnded, DealStarted, Event, Played
from engine.games import GAMES
from engine.layout import End, Layout
from engine.notation import parse_tile, parse_tiles
from engine.points import Points
from engine.seats import Seat, side_count

NORTH, EAST, SOUTH, WEST = (Seat(number) for number in range(4))


def action(text: str) -> Action:
    """ "6-6" (an opening), "3-6 left", "draw" or "knock"."""
    if text == "draw":
        return Draw()
    if text == "knock":
        return Knock()
    tile, _, end = text.partition(" ")
    return Play(parse_tile(tile), End(end) if end else None)


def dealt(
    game: str,
    *hands: str,
    stock: str = "",
    lead: Seat = NORTH,
    target: int | None = None,
    scores: tuple[Points, ...] | None = None,
) -> Deal:
    """A deal that has just started with these ``hands``."""
    rules, held, left = GAMES[game], tuple(map(parse_tiles, hands)), parse_tiles(stock)
    started = DealStarted(1, lead, tuple(map(len, held)), len(left), held, left)
    before = (0,) * side_count(len(hands)) if scores is None else scores
    return opened(rules, rules.target(len(hands)) if target is None else target, before, started)


def events_of(deal: Deal, text: str) -> tuple[Event, ...]:
    """What the action ``text`` of the seat in turn leads to."""
    assert deal.turn is not None
    return decide(deal, deal.turn, action(text))


def after(deal: Deal, *texts: str) -> Deal:
    """The deal after these actions, each of the seat in turn."""
    for text in texts:
        deal = reduce(evolve, events_of(deal, text), deal)
    return deal


def last_play(deal: Deal) -> Played:
    """The newest play of the deal."""
    return next(event for event in reversed(deal.events) if isinstance(event, Played))


def end_of(deal: Deal) -> DealEnded:
    """How the deal ended."""
    assert deal.ended is not None
    return deal.ended


def line(*texts: str, branches: bool = False) -> Layout:
    """The layout after these plays, "6-6" first, then "3-6 left" and so on."""
    layout = Layout(branches)
    for text in texts:
        play = action(text)
        assert isinstance(play, Play)
        layout = layout.place(play.tile, play.end)
    return layout


def open_ends(layout: Layout) -> dict[str, tuple[int, int]]:
    """The ends by name: what each shows and what it counts."""
    return {open_end.end.value: (open_end.value, open_end.counts) for open_end in layout.ends}
