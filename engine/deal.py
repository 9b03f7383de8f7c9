"""One deal, from the shuffle to the count: what an action leads to, and what an event makes of the state.

`decide` may refuse, `evolve` may not: an event has already happened. A deal is the fold of its events.
"""

from __future__ import annotations

from functools import reduce
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, assert_never

from engine.actions import Action, Draw, Knock, Play
from engine.errors import Reason, RuleViolation
from engine.events import DealEnded, DealReason, DealStarted, Drew, Event, Hand, Knocked, LotDrawn, MatchEnded, Played
from engine.games.base import Bonus, Game, winner
from engine.games.counting import nobody, only
from engine.layout import Layout
from engine.outcome import Choice, Outcome, judge, with_score
from engine.points import Points, add
from engine.seats import Seat, next_seat, side_of
from engine.tiles import Tile


class Deal(NamedTuple):
    """A running or finished deal, every hand included. A tuple: one is made at each play, and a tuple is made fastest.

    ``hands``: one a seat, in the order in which the tiles came. ``stock``: what is not dealt or drawn, next tile first.
    ``turn``: the seat to act, None when the deal is over. ``scores``: one a side. ``events``: from `DealStarted` on.
    """

    game: Game
    target: int
    number: int
    lead: Seat
    hands: tuple[Hand, ...]
    stock: Hand
    layout: Layout
    turn: Seat | None
    scores: tuple[Points, ...]
    events: tuple[Event, ...]
    ended: DealEnded | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def can_draw(self) -> bool:
        """Whether there is anything to draw (C8)."""
        return self.game.draws and bool(self.stock)


def opened(game: Game, target: int, scores: tuple[Points, ...], started: DealStarted) -> Deal:
    """The deal that ``started`` begins, with the ``scores`` so far. ValueError if its hands are redacted."""
    hands = tuple(hand for hand in started.hands if hand is not None)
    if started.stock_tiles is None or len(hands) < len(started.hands):
        raise ValueError("a deal needs all its tiles to be played")
    return Deal(
        game=game,
        target=target,
        number=started.number,
        lead=started.lead,
        hands=hands,
        stock=started.stock_tiles,
        layout=Layout(game.branches),
        turn=started.lead,
        scores=scores,
        events=(started,),
    )


# What may be done.


def legal_actions(deal: Deal) -> tuple[Action, ...]:
    """All that the seat in turn may do (C7, C8): plays by tile, then by end (C13); else the draw; else the knock."""
    if deal.turn is None:
        return ()
    plays = _plays(deal.layout, deal.hands[deal.turn])
    if plays:
        return plays
    return (Draw(),) if deal.can_draw else (Knock(),)


def choices(deal: Deal) -> tuple[Choice, ...]:
    """The legal actions, each play with its outcome."""
    return tuple([Choice(action, _outcome_of(deal, action)) for action in legal_actions(deal)])


_ascending = attrgetter("low", "high")


def _plays(layout: Layout, hand: Hand) -> tuple[Play, ...]:
    tiles = sorted(hand, key=_ascending)
    if layout.is_empty:
        return tuple([Play(tile, None) for tile in tiles])
    return tuple([Play(tile, end) for tile in tiles for end in layout.ends_for(tile)])


def _outcome_of(deal: Deal, action: Action) -> Outcome | None:
    if not isinstance(action, Play) or deal.turn is None:
        return None
    return _judge(deal, deal.turn, deal.layout.place(action.tile, action.end))


def _judge(deal: Deal, seat: Seat, layout: Layout) -> Outcome:
    """The outcome of a play of ``seat`` that leads to ``layout``."""
    ends_deal = len(deal.hands[seat]) == 1 and _is_last_of_side(deal, seat)
    return judge(deal.game, deal.target, deal.scores, side_of(seat, deal.seats), layout, ends_deal=ends_deal)


def _is_last_of_side(deal: Deal, seat: Seat) -> bool:
    """Whether the deal ends when ``seat`` goes out: it does, unless a partner has to go out too (F5, A8)."""
    if not deal.game.teams_go_out:
        return True
    side = side_of(seat, deal.seats)
    return not any(
        hand for other, hand in enumerate(deal.hands) if other != seat and side_of(Seat(other), deal.seats) == side
    )


# What an action leads to.


def act(deal: Deal, seat: Seat, action: Action) -> tuple[tuple[Event, ...], Deal]:
    """What happens if ``seat`` takes ``action`` now, the end of the deal and of the match included (C16), and then.

    Raises:
        RuleViolation: with the Reason shown to the player (C3, C6-C8, C15).
    """
    if deal.turn is None:
        raise RuleViolation(Reason.DEAL_OVER)
    if seat != deal.turn:
        raise RuleViolation(Reason.NOT_YOUR_TURN)
    fact: Played | Drew | Knocked
    match action:
        case Play():
            layout = _placed(deal, seat, action)
            fact = _played(deal, seat, action, layout)
            after = _after_play(deal, fact, layout)
        case Draw():
            fact = _drew(deal, seat)
            after = evolve(deal, fact)
        case Knock():
            fact = _knocked(deal, seat)
            after = evolve(deal, fact)
        case _:
            assert_never(action)
    ending = _ending(after, fact)
    return (fact, *ending), reduce(evolve, ending, after)


def decide(deal: Deal, seat: Seat, action: Action) -> tuple[Event, ...]:
    """What happens if ``seat`` takes ``action`` now, as `act` says."""
    events, _ = act(deal, seat, action)
    return events


def _placed(deal: Deal, seat: Seat, play: Play) -> Layout:
    """The layout after ``play``, if it may be made."""
    if play.tile not in deal.hands[seat]:
        raise RuleViolation(Reason.NOT_IN_HAND)
    if not (deal.layout.is_empty and play.end is None):
        _check_fit(deal.layout, play)
    return deal.layout.place(play.tile, play.end)


def _played(deal: Deal, seat: Seat, play: Play, layout: Layout) -> Played:
    outcome = _judge(deal, seat, layout)
    return Played(
        seat=seat,
        tile=play.tile,
        end=play.end,
        ends=layout.ends,
        total=outcome.total,
        spinner=layout.spinner,
        parts=outcome.parts,
        points=outcome.event if outcome.accepted else 0,
        dropped=0 if outcome.accepted else outcome.event,
        scores=with_score(deal.scores, side_of(seat, deal.seats), outcome.after),
    )


def _check_fit(layout: Layout, play: Play) -> None:
    """Tell an end that is not there (A4, C13) from one that shows another pip (C6)."""
    open_end = layout.open_end(play.end)
    if open_end is None:
        raise RuleViolation(Reason.END_NOT_OPEN)
    if open_end.value not in (play.tile.low, play.tile.high):
        raise RuleViolation(Reason.DOES_NOT_FIT)


def _drew(deal: Deal, seat: Seat) -> Drew:
    if not deal.can_draw:
        raise RuleViolation(Reason.NOTHING_TO_DRAW)
    if deal.layout.takes_any(deal.hands[seat]):
        raise RuleViolation(Reason.CAN_PLAY)
    return Drew(seat, len(deal.stock) - 1, deal.stock[0])


def _knocked(deal: Deal, seat: Seat) -> Knocked:
    if deal.layout.takes_any(deal.hands[seat]):
        raise RuleViolation(Reason.CAN_PLAY)
    if deal.can_draw:
        raise RuleViolation(Reason.MUST_DRAW)
    return Knocked(seat)


# How a deal ends.


def _ending(deal: Deal, fact: Played | Drew | Knocked) -> tuple[Event, ...]:
    """The end that ``fact`` brought to ``deal``, if it did: won, out or blocked, in this order (C16)."""
    game, seat = deal.game, fact.seat
    went_out = not deal.hands[seat] and _is_last_of_side(deal, seat)
    # Going out that scores is part of the event that wins (F8); a count of the hands would come too late (A12).
    if winner(deal.scores, deal.target) is not None and not (went_out and game.out_points):
        return _closed(deal, DealReason.TARGET, seat, nobody(len(deal.scores)))
    if went_out:
        dropped = fact.dropped if isinstance(fact, Played) else 0
        return _closed(deal, DealReason.OUT, seat, game.count_out(_pips(deal), side_of(seat, deal.seats)), dropped)
    if _is_blocked(deal):
        return _closed(deal, DealReason.BLOCKED, None, game.count_blocked(_pips(deal)))
    return ()


def _closed(
    deal: Deal, reason: DealReason, seat: Seat | None, counted: Bonus, dropped: Points = 0
) -> tuple[Event, ...]:
    """The end of the deal, where the hands gave ``counted``, and that of the match if it is won with it."""
    scores = add(deal.scores, counted)
    won = winner(scores, deal.target)
    out = seat if reason is DealReason.OUT else None
    bonus = counted
    if out is not None and not dropped:
        bonus = add(bonus, only(side_of(out, deal.seats), deal.game.out_points, len(scores)))
    lead = deal.game.next_lead(deal.lead, out, deal.seats) if won is None else None
    ended = DealEnded(reason, seat, bonus, dropped, deal.hands, scores, lead)
    return (ended,) if won is None else (ended, MatchEnded(won, scores))


def _is_blocked(deal: Deal) -> bool:
    """Whether every seat that holds tiles would have to knock (C9). With tiles to draw nothing is blocked."""
    return not deal.can_draw and not deal.layout.takes_any(chain.from_iterable(deal.hands))


def _pips(deal: Deal) -> tuple[int, ...]:
    """The pips left in hand, one number a side; partners together (A8, A9)."""
    pips = [0] * len(deal.scores)
    for seat, hand in enumerate(deal.hands):
        pips[side_of(Seat(seat), deal.seats)] += sum([tile.pips for tile in hand])
    return tuple(pips)


# What an event makes of the state.


def evolve(deal: Deal, event: Event) -> Deal:
    """The deal after ``event``, which `decide` gave for it, or which starts the next one with the same scores."""
    events = (*deal.events, event)
    match event:
        case DealStarted():
            return opened(deal.game, deal.target, deal.scores, event)
        case Played():
            return _after_play(deal, event, deal.layout.place(event.tile, event.end))
        case Drew(seat):
            hands = _with_hand(deal.hands, seat, (*deal.hands[seat], deal.stock[0]))
            return deal._replace(hands=hands, stock=deal.stock[1:], events=events)
        case Knocked(seat):
            return deal._replace(turn=_next_holding(deal.hands, seat), events=events)
        case DealEnded():
            return deal._replace(turn=None, scores=event.scores, events=events, ended=event)
        case MatchEnded():
            return deal._replace(turn=None, events=events)
        case LotDrawn():  # comes before a deal
            return deal
        case _:
            assert_never(event)


def _after_play(deal: Deal, event: Played, layout: Layout) -> Deal:
    hands = _with_hand(deal.hands, event.seat, _without(deal.hands[event.seat], event.tile))
    return deal._replace(
        hands=hands,
        layout=layout,
        turn=_next_holding(hands, event.seat),
        scores=event.scores,
        events=(*deal.events, event),
    )


def _next_holding(hands: tuple[Hand, ...], seat: Seat) -> Seat | None:
    """The next seat clockwise that holds tiles (C3): ``seat`` itself if no other does, None if it has none either."""
    following = seat
    for _ in hands:
        following = next_seat(following, len(hands))
        if hands[following]:
            return following
    return None


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def _without(hand: Hand, tile: Tile) -> Hand:
    """``hand`` in the same order, less ``tile``. ValueError if it is not there."""
    at = hand.index(tile)
    return hand[:at] + hand[at + 1 :]
