"""One deal, from the shuffle to the count: what an action leads to, and what an event makes of the state.

`decide` may refuse, `evolve` may not: an event has already happened. A deal is the fold of its events.
"""

from __future__ import annotations

from functools import cached_property, reduce
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


class _Fields(NamedTuple):
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


class Deal(_Fields):
    """A running or finished deal, every hand included. A tuple: one is made at each play, and a tuple is made fastest.

    ``hands``: one a seat, in the order in which the tiles came. ``stock``: what is not dealt or drawn, next tile first.
    ``turn``: the seat to act, None when the deal is over. ``scores``: one a side. ``events``: from `DealStarted` on.
    """

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The legal actions of the seat in turn, each play with its outcome. Kept, since an act is one of them."""
        return _choices(self)

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
    return tuple([choice.action for choice in deal.choices])


def _choices(deal: Deal) -> tuple[Choice, ...]:
    seat = deal.turn
    if seat is None:
        return ()
    hand = deal.hands[seat]
    plays = deal.layout.continuations(sorted(hand))
    if not plays:
        return (Choice(Draw() if deal.can_draw else Knock(), None),)
    game, target, scores, side = deal.game, deal.target, deal.scores, side_of(seat, deal.seats)
    ends_deal = len(hand) == 1 and _is_last_of_side(deal, seat)
    return tuple(
        [Choice(Play(tile, end), judge(game, target, scores, side, ends_deal, ends)) for tile, end, ends in plays]
    )


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
    outcome = _outcome_of(deal, seat, action)
    fact: Played | Drew | Knocked
    if isinstance(action, Play) and outcome is not None:
        layout = deal.layout.extended(action.tile, action.end, outcome.ends)
        fact = _played(deal, seat, action, layout, outcome)
        after = _after_play(deal, fact, layout)
    else:
        fact = Drew(seat, len(deal.stock) - 1, deal.stock[0]) if isinstance(action, Draw) else Knocked(seat)
        after = evolve(deal, fact)
    ending = _ending(after, fact, wins=outcome is not None and outcome.wins)
    return ((fact, *ending), reduce(evolve, ending, after)) if ending else ((fact,), after)


def decide(deal: Deal, seat: Seat, action: Action) -> tuple[Event, ...]:
    """What happens if ``seat`` takes ``action`` now, as `act` says."""
    events, _ = act(deal, seat, action)
    return events


def _outcome_of(deal: Deal, seat: Seat, action: Action) -> Outcome | None:
    """That of ``action`` among the choices of ``seat``, which is in turn. RuleViolation if it is none of them."""
    for choice in deal.choices:
        if choice.action == action:
            return choice.outcome
    raise _refusal(deal, seat, action)


def _refusal(deal: Deal, seat: Seat, action: Action) -> RuleViolation:
    """Why ``action`` is none of the choices of ``seat``, which is in turn."""
    match action:
        case Play() if action.tile not in deal.hands[seat]:
            return RuleViolation(Reason.NOT_IN_HAND)
        case Play():  # an end that is not there (A4, C13), or one that shows another pip (C6)
            is_open = deal.layout.open_end(action.end) is not None
            return RuleViolation(Reason.DOES_NOT_FIT if is_open else Reason.END_NOT_OPEN)
        case Draw():
            return RuleViolation(Reason.CAN_PLAY if deal.can_draw else Reason.NOTHING_TO_DRAW)
        case Knock():
            can_play = deal.layout.takes_any(deal.hands[seat])
            return RuleViolation(Reason.CAN_PLAY if can_play else Reason.MUST_DRAW)
        case _:
            assert_never(action)


def _played(deal: Deal, seat: Seat, play: Play, layout: Layout, outcome: Outcome) -> Played:
    total, parts, event = outcome.total, outcome.parts, outcome.event
    points, dropped = (event, 0) if outcome.accepted else (0, event)
    scores = with_score(deal.scores, side_of(seat, deal.seats), outcome.after) if points else deal.scores
    return Played(seat, play.tile, play.end, layout.ends, total, layout.spinner, parts, points, dropped, scores)


# How a deal ends.


def _ending(deal: Deal, fact: Played | Drew | Knocked, *, wins: bool) -> tuple[Event, ...]:
    """The end that ``fact`` brought to ``deal``, if it did: won, out or blocked, in this order (C16).

    ``wins``: whether it is a play that by itself wins the match.
    """
    game, seat = deal.game, fact.seat
    went_out = not deal.hands[seat] and _is_last_of_side(deal, seat)
    # Going out that scores is part of the event that wins (F8); a count of the hands would come too late (A12).
    if wins and not (went_out and game.out_points):
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
    return not deal.can_draw and not any(map(deal.layout.takes_any, deal.hands))


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
        case Drew():
            hands = _with_hand(deal.hands, event.seat, (*deal.hands[event.seat], deal.stock[0]))
            return deal._replace(hands=hands, stock=deal.stock[1:], events=events)
        case Knocked():
            return deal._replace(turn=_next_holding(deal.hands, event.seat), events=events)
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
    turn, scores, events = _next_holding(hands, event.seat), event.scores, (*deal.events, event)
    return Deal(deal.game, deal.target, deal.number, deal.lead, hands, deal.stock, layout, turn, scores, events)


def _next_holding(hands: tuple[Hand, ...], seat: Seat) -> Seat | None:
    """The next seat clockwise that holds tiles (C3): ``seat`` itself if no other does, None if it has none either."""
    following = seat
    for _ in hands:
        following = next_seat(following, len(hands))
        if hands[following]:
            return following
    return None


def _with_hand(hands: tuple[Hand, ...], seat: Seat, hand: Hand) -> tuple[Hand, ...]:
    after = list(hands)
    after[seat] = hand
    return tuple(after)


def _without(hand: Hand, tile: Tile) -> Hand:
    """``hand`` in the same order, less ``tile``. ValueError if it is not there."""
    rest = list(hand)
    rest.remove(tile)
    return tuple(rest)
