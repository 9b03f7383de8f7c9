"""Hints and reviews of one room: asked of the house, and given when they come, to whom they may still be told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import structlog

from engine.match import Match
from engine.seats import Seat
from engine.view import view_for
from protocol.convert import Wire, advice_to_wire, review_to_wire
from protocol.errors import ErrorCode, ProtocolError, RefusalReason
from protocol.hints import Advice, Review
from protocol.messages import client as messages
from server.audience import Audience
from server.clock import Clock
from server.house_players import Found, HousePlayers
from server.listener import Listener
from server.outgoing import answer_to, refusal_of
from server.table import hinting
from server.table.state import Phase, PlayerId, Table

HINT_PATIENCE = 3.0
"""Seconds for which the odds of a hint are searched. After that it comes without them."""
REVIEW_PATIENCE = 15.0
"""And a review, after which it is refused: a worker that takes so long will never have it."""
ASK_AGAIN = 1.0
"""Seconds after which a review is to be asked for again if nobody has the time now."""

T = TypeVar("T")

logger = structlog.get_logger(__name__)


class Advising:
    """What is said in one room about its choices: a search for each choice, and for each seat of a deal that is over.

    Whoever asks for the same again is told what was found, or waits for it with the others.
    """

    def __init__(self, audience: Audience, house: HousePlayers, clock: Clock) -> None:
        self._audience = audience
        self._house = house
        self._clock = clock
        self._hint: tuple[int, Found[Advice]] | None = None
        """The newest choice that was searched, by its `choice_seq`."""
        self._reviews: dict[Seat, tuple[int, Found[Review]]] = {}
        """By seat, the newest deal, by the step with which it was over."""

    def hint(self, listener: Listener, message_id: str | None) -> None:
        """Answer with what can be said of the choice that the sender has now, if everybody was told of it."""
        self._answer(listener, message_id, partial(self._begin_hint, listener, message_id))

    def require_shown(self, player: PlayerId, table: Table) -> None:
        """Refuse what hangs on the hand that is to act at ``table`` while ``player`` has it covered."""
        if not self._audience.sees_turn(player, table):
            raise ProtocolError(ErrorCode.REFUSED, "show this hand first", reason=RefusalReason.NOT_SHOWN)

    def review(self, listener: Listener, message: messages.Review) -> None:
        """Answer with what the plays of one of the sender's seats have cost in the deal that is over."""
        self._answer(listener, message.id, partial(self._begin_review, listener, message))

    def _answer(self, listener: Listener, message_id: str | None, find: Callable[[], Wire | None]) -> None:
        """Send what ``find`` gives, if anything, or what it raises."""
        try:
            answer = find()
        except ProtocolError as refusal:
            listener.send(refusal_of(message_id, refusal))
        except Exception:
            logger.exception("room.answering", room=self._audience.told.room, seq=self._audience.told.seq)
            listener.send(refusal_of(message_id, ProtocolError(ErrorCode.INTERNAL)))
        else:
            if answer is not None:
                listener.send(answer_to(message_id, answer))

    # Hints

    def _begin_hint(self, listener: Listener, message_id: str | None) -> Wire | None:
        """The hint, or None: it is given later."""
        player = listener.actor.player
        table, match, seat = self._hinted(player)
        found = self._search(table, match, seat, player)
        if found is None:
            return self._hint_for(player, table.choice_seq, None)
        give = partial(self._hint_for, player, table.choice_seq)
        found.add_done_callback(lambda found: self._answer(listener, message_id, partial(give, _result_of(found))))
        return None

    def _hinted(self, player: PlayerId) -> tuple[Table, Match, Seat]:
        """The table with the choice of ``player``; a refusal if no hints may be given for it."""
        table = self._audience.told
        hinting.require_told(table, player)
        self.require_shown(player, table)
        if table.match is None or table.turn is None:
            raise ValueError(f"nobody is to act in room {table.room}")
        return table, table.match, table.turn

    def _search(self, table: Table, match: Match, seat: Seat, player: PlayerId) -> Found[Advice] | None:
        if self._hint is not None and self._hint[0] == table.choice_seq and not _is_in_vain(self._hint[1]):
            return self._hint[1]
        found = self._house.advise(match, seat, player)
        if found is not None:
            self._hint = (table.choice_seq, found)
            self._give_up_after(HINT_PATIENCE, found)
        return found

    def _give_up_after(self, seconds: float, found: Found[Any]) -> None:
        timer = self._clock.call_at(self._clock.monotonic() + seconds, found.cancel)
        found.add_done_callback(lambda _: timer.cancel())

    def _hint_for(self, player: PlayerId, choice_seq: int, found: Advice | None) -> Wire:
        """The hint for the choice that ``player`` has still, with what was ``found`` if that is anything."""
        table, match, seat = self._hinted(player)
        if table.choice_seq != choice_seq:
            raise hinting.outdated()
        advice = self._house.hints(match, seat) if found is None else found
        head = {"type": "hint", "room": table.room, "seat": seat, "seq": table.seq}
        return {**head, **advice_to_wire(advice)}

    # Reviews

    def _begin_review(self, listener: Listener, message: messages.Review) -> Wire | None:
        """None: the review is given later."""
        player = listener.actor.player
        table, match, seat = self._reviewed(player, message.seat)
        found = self._search_past(table, match, seat, player)
        give = partial(self._review_for, player, seat, table.choice_seq)
        found.add_done_callback(lambda found: self._answer(listener, message.id, partial(give, _result_of(found))))
        return None

    def _reviewed(self, player: PlayerId, named: int | None) -> tuple[Table, Match, Seat]:
        """The table, and the seat that is reviewed: one of those whose hands ``player`` was dealt."""
        table = self._audience.told
        if table.match is None or table.match.deal is None or table.phase is Phase.LOBBY:
            raise ProtocolError(ErrorCode.NOT_STARTED, "there was no deal yet")
        own = table.eyes.get(player, ())
        if not own or (named is not None and named not in own):
            raise ProtocolError(ErrorCode.NOT_SEATED, "only plays from an own hand are reviewed", path="seat")
        if table.phase is Phase.PLAYING:
            raise ProtocolError(ErrorCode.REFUSED, "the deal is not over", reason=RefusalReason.DEAL_RUNNING)
        return table, table.match, own[0] if named is None else Seat(named)

    def _search_past(self, table: Table, match: Match, seat: Seat, player: PlayerId) -> Found[Review]:
        over, known = self._reviews.get(seat, (0, None))
        if known is not None and over == table.choice_seq and not _is_in_vain(known):
            return known
        if not self._house.searches:
            raise ProtocolError(ErrorCode.UNSUPPORTED, "this server does not search")
        found = self._house.review(match, seat, player)
        if found is None:
            raise _no_time()
        self._reviews[seat] = (table.choice_seq, found)
        self._give_up_after(REVIEW_PATIENCE, found)
        return found

    def _review_for(self, player: PlayerId, seat: Seat, over: int, found: Review | None) -> Wire:
        """The review of the deal that was over with the step ``over``, if it is still the one on the table."""
        table, match, seat = self._reviewed(player, seat)
        if table.choice_seq != over:
            raise ProtocolError(ErrorCode.STALE, "that deal is not on the table any more")
        if found is None:
            raise _no_time()
        head = {"type": "review", "room": table.room, "seat": seat, "number": view_for(match, seat).number}
        return {**head, **review_to_wire(found)}


def _is_in_vain(found: Found[Any]) -> bool:
    """Nothing will come of it: to be searched anew."""
    return found.cancelled() or (found.done() and found.exception() is not None)


def _result_of(found: Found[T]) -> T | None:
    """What was found; None if the search was given up, or who searched has died."""
    return None if _is_in_vain(found) else found.result()


def _no_time() -> ProtocolError:
    return ProtocolError(ErrorCode.RATE_LIMITED, "nobody has the time to review that now", retry_after=ASK_AGAIN)
