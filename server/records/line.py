"""Which steps of a match count when some were taken back, and where a take-back leads by the rules (U1-U3)."""

from __future__ import annotations

from protocol.convert import Wire
from server.records.form import Record

OF_THE_RULES = frozenset({"lot", "deal_started", "played", "drew", "knocked", "deal_ended"})
ACTS = frozenset({"played", "drew", "knocked"})
TAKEN_BACK = {"undone": "undo", "redone": "redo", "restarted": "restart"}
"""Events after which the match is what it was after step ``to`` of it, and what they were asked for as."""

_OF_A_HOLDER = frozenset({"seated", "left", "bot_in", "bot_out"})


class Line:
    """The steps that took the match to where it stands, event by event, each with the person who acted in it."""

    def __init__(self, record: Record) -> None:
        self._first = record.steps[0].seq if record.steps else 0
        self._people = [player.player if player.bot is None else None for player in record.players]
        """Who sits where; None where a computer does."""
        self._covered: set[int] = set()
        """The seats for whose holders a bot has begun to play in this match."""
        self._line: list[tuple[int, str | None]] = []
        self._gone: list[list[tuple[int, str | None]]] = []
        """What was taken back, one entry for each time, the last of them last."""
        self._asked: Wire = {}
        """The newest request for consent."""
        self._agreed: Wire | None = None
        """The one on which all have agreed in this step."""
        self._before = self._playing()
        self._moved_by: list[str | None] = []
        """Of the events of the rules in this step."""

    def leads_to(self, event: Wire) -> set[int | None]:
        """Where ``event``, a take-back or the request for one, may lead from here.

        A request leads to one step, and what was agreed on to the same. Where nobody was asked, only the sender's own
        acts are taken back: whose they were, the record does not say.
        """
        if event["type"] == "asked":
            return self._places(event["what"], [self._people[event["seat"]]])
        what = TAKEN_BACK[event["type"]]
        if self._agreed is not None:
            return {self._agreed.get("to")} if self._agreed["what"] == what else set()
        return self._places(what, self._people)

    def _places(self, what: str, players: list[str | None]) -> set[int | None]:
        match what:
            case "undo":
                mine = (self._last_act_of(player) for player in players if player is not None)
                return {seq - 1 for seq in mine if seq is not None}
            case "redo":
                return {gone[-1][0] for gone in self._gone[-1:]}
            case "restart":
                return {self._first}
            case _:
                return {None}

    def _last_act_of(self, player: str) -> int | None:
        return next((seq for seq, by in reversed(self._line) if by == player), None)

    def take_in(self, event: Wire) -> None:
        """``event`` happens next. LookupError if nothing can be brought again."""
        kind = event["type"]
        if kind in OF_THE_RULES:
            self._moved_by.append(self._before[event["seat"]] if kind in ACTS else None)
        elif kind in _OF_A_HOLDER:
            self._change_holder(kind, event)
        elif kind in TAKEN_BACK:
            self._take_back(kind, event["to"])
        elif kind == "timed_out":
            self._before[event["seat"]] = None
        elif kind == "asked":
            self._asked = event
        elif kind == "answered" and event["state"] == "agreed":
            self._agreed = self._asked

    def end_step(self, seq: int) -> None:
        """Step ``seq`` is over."""
        if self._moved_by:
            self._line.append((seq, self._moved_by[0]))
            self._gone.clear()
        self._moved_by = []
        self._agreed = None
        self._before = self._playing()

    def _change_holder(self, kind: str, event: Wire) -> None:
        seat = event["seat"]
        if kind == "bot_in":
            self._covered.add(seat)
        elif kind in {"seated", "left", "bot_out"}:
            self._covered.discard(seat)
        if kind in {"seated", "left"}:
            self._people[seat] = event["player"] if kind == "seated" and event["bot"] is None else None

    def _take_back(self, kind: str, to: int) -> None:
        if kind == "redone":
            self._line += self._gone.pop()
            return
        kept = [moved for moved in self._line if moved[0] <= to]
        if kind == "undone":
            self._gone.append(self._line[len(kept) :])
        else:
            self._gone.clear()
        self._line = kept

    def _playing(self) -> list[str | None]:
        """By seat the person who plays it."""
        return [None if seat in self._covered else player for seat, player in enumerate(self._people)]
