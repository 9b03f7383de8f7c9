"""What people do when they have a moment: find a table, sit down, play, go; and what a bad client does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from websockets.frames import Opcode

from protocol.codecs import Codec
from protocol.convert import Wire
from protocol.messages import CODE_LENGTH, CODE_SIGNS
from tests.simulation.network import Closed, Link
from tests.simulation.person import QUESTIONS, Person, Seen, Surroundings
from tests.simulation.scenario import Scenario

REACTIONS = ("hello", "nice", "wow", "oops")
WISHES = ("undo", "undo", "undo", "redo", "redo", "restart", "new_game", "cover", "pause", "continue")
MAX_ROOMS = 3
"""Rooms that people open in one run."""
FLOOD = 60
"""Messages at once: more than may be refused within a minute."""
GARBLED: Sequence[tuple[Opcode, list[bytes]]] = (
    (Opcode.TEXT, [b"]"]),
    (Opcode.TEXT, [b"\xff\xfe"]),
    (Opcode.BINARY, [b"\xc1"]),
    (Opcode.BINARY, [bytes(20_000)]),
)
"""What neither codec can read, or is too big."""
MAX_PENDING = 4
"""Messages that one client says without waiting for an answer."""


class Conduct:
    """How people behave in one run."""

    def __init__(self, around: Surroundings, scenario: Scenario) -> None:
        self._rng = around.rng
        self._codes = around.codes
        self._settings = scenario.settings
        self._scenario = scenario
        self._mischief = Mischief(around)

    def act(self, person: Person, *, earnest: bool = False) -> None:
        """Let ``person`` do one thing, if there is any; ``earnest``: only what brings the match on."""
        if person.is_quiet:
            return
        if person.link is None:
            person.connect()
        elif not person.is_greeted or len(person.pending) >= MAX_PENDING:
            person.wait()
        elif not earnest and self._rng.random() < self._scenario.mischief:
            self._mischief.act(person)
        elif person.tables and (earnest or self._rng.random() < 0.95):
            room = self._rng.choice(list(person.tables))
            self._at_table(person, room, person.tables[room], earnest)
        elif not earnest:
            self._find_table(person)

    def _find_table(self, person: Person) -> None:
        known = [code for code in self._codes if code not in person.tables]
        if person.pending:
            return
        chance = self._rng.random()
        if chance < 0.1:
            self._list_tables(person)
        elif person.ended and chance < 0.2:
            person.ask_for_record(self._rng.choice(list(person.ended)))
        elif known and chance < 0.6:
            person.say("join", room=self._rng.choice(known), **self._maybe_seat())
        elif known and chance < 0.8:
            person.say("watch", room=self._rng.choice(known))
        elif len(self._codes) < MAX_ROOMS and chance < 0.9:
            person.say("create", settings=self._settings)
        elif len(self._codes) < MAX_ROOMS:
            person.say("quick", game=self._settings["game"], seats=self._settings["seats"])

    def _list_tables(self, person: Person) -> None:
        """Ask for the public tables, and perhaps to be told of changes, or no more."""
        fields = self._rng.choice(({}, {"subscribe": True}, {"subscribe": True}, {"subscribe": False}))
        person.say("rooms", game=self._rng.choice((None, None, self._settings["game"], "block")), **fields)

    def _maybe_seat(self) -> Wire:
        return {"seat": self._rng.randrange(self._settings["seats"])} if self._rng.random() < 0.4 else {}

    def _at_table(self, person: Person, room: str, seen: Seen, earnest: bool) -> None:
        table = seen.snapshot
        if not seen.is_live:
            if not person.is_asking(room, "sync", "join", "watch") and not person.is_opening:
                person.sync(room)
        elif not earnest and self._rng.random() < self._scenario.whims:
            self._whim(person, room, table)
        elif not earnest and table["redo"] and table["you"]["seats"] and self._rng.random() < 0.2:
            person.say("redo", room=room)
        elif not table["you"]["seats"]:
            pass
        elif self._reads(person, room, table) and (earnest or self._rng.random() < 0.3):
            person.say("continue", room=room)
        elif self._is_asked(person, room, table):
            person.say("consent", room=room, ask=table["ask"]["ask"], yes=self._rng.random() < 0.8)
        elif table["phase"] == "playing":
            self._play(person, room, table)
        elif not person.is_asking(room, "next", "start"):
            self._go_on(person, room, table, earnest)

    @staticmethod
    def _reads(person: Person, room: str, table: Wire) -> bool:
        is_reading = not set(table["you"]["seats"]).isdisjoint(table["paused"])
        return is_reading and not person.is_asking(room, "continue")

    @staticmethod
    def _is_asked(person: Person, room: str, table: Wire) -> bool:
        if table["ask"] is None or person.is_asking(room, "consent"):
            return False
        return not set(table["you"]["seats"]).isdisjoint(table["ask"]["need"])

    def _whim(self, person: Person, room: str, table: Wire) -> None:
        """Something that does not bring the match on. Who sits where is asked about once at a time."""
        if person.is_asking(room, "join", "watch", "leave"):
            return
        whims: list[Callable[[], object]] = [
            lambda: person.say("react", room=room, key=self._rng.choice(REACTIONS)),
            lambda: person.say("sync", room=room),
            lambda: person.say("ping"),
            lambda: person.say("join", room=room, **self._maybe_seat()),
            lambda: person.say("leave", room=room),
            lambda: person.say("watch", room=room),
            lambda: person.say("next", room=room),
            lambda: person.ask_for_last_record(room),
            lambda: self._list_tables(person),
        ]
        if table["deal"] is not None:
            whims.append(lambda: person.say("show", room=room, seat=self._rng.randrange(len(table["seats"]))))
        if table["phase"] in ("deal_over", "match_over"):
            whims += [lambda: person.say("review", room=room)] * 5
        if table["phase"] in ("playing", "deal_over"):
            whims += [lambda: self._wish(person, room, table)] * 6
        if table["host"] == person.player and table["phase"] in ("lobby", "match_over"):
            whims += [lambda: self._host(person, room, table)] * 4
        self._rng.choice(whims)()

    def _wish(self, person: Person, room: str, table: Wire) -> None:
        """Something that everybody must consent to, or to hold the bots for a while."""
        kind = self._rng.choice(WISHES)
        fields = {"seat": self._rng.randrange(len(table["seats"]))} if kind == "cover" else {}
        person.say(kind, room=room, **fields)

    def _host(self, person: Person, room: str, table: Wire) -> None:
        """Arrange the seats."""
        first, second = self._rng.sample(range(len(table["seats"])), 2)
        if table["seats"][first]["state"] == "empty":
            person.say("add_bot", room=room, seat=first, level=self._rng.choice(("novice", "beginner")))
        elif self._rng.random() < 0.5:
            person.say("swap", room=room, seats=[first, second])
        else:
            person.say("remove", room=room, seat=first)

    def _play(self, person: Person, room: str, table: Wire) -> None:
        turn = table["turn"]
        is_held = person.headless and table["paused"]
        if turn is not None and self._is_covered(table, turn["seat"]) and not person.is_asking(room, "show", "act"):
            if self._rng.random() < self._scenario.whims:
                self._mischief.cheat(person, room, table)
            else:
                person.say("show", room=room, seat=turn["seat"])
        elif turn is not None and turn.get("legal") and not is_held and not person.is_asking(room, "act"):
            if self._rng.random() < 0.05:
                person.say("hint", room=room)
            if self._rng.random() < self._scenario.mischief:
                self._mischief.cheat(person, room, table)
            action = self._rng.choice(turn["legal"])["action"]
            person.say("act", room=room, seq=table["seq"], action=action)

    @staticmethod
    def _is_covered(table: Wire, seat: int) -> bool:
        """Whether it is one of several own hands, and not shown."""
        you = table["you"]
        return len(you["seats"]) > 1 and seat in you["seats"] and seat not in you["shown"]

    def _go_on(self, person: Person, room: str, table: Wire, earnest: bool) -> None:
        entropy = {"entropy": self._rng.randbytes(32).hex()} if self._rng.random() < 0.2 else {}
        seat = table["seats"][table["you"]["seats"][0]]
        if table["phase"] == "lobby" and table["host"] == person.player and self._rng.random() < 0.5:
            person.say("start", room=room, **entropy)
        elif table["phase"] == "match_over" and not earnest and self._rng.random() < 0.2:
            person.ask_for_last_record(room)
        elif not seat["ready"] and (table["phase"] != "match_over" or (not earnest and self._rng.random() < 0.3)):
            person.say("next", room=room, **entropy)


class Mischief:
    """What bad clients send: copies, stale and foreign acts, nonsense, guesses."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._rng = around.rng
        self._codes = around.codes

    def act(self, person: Person) -> None:
        """Send one thing that no good client would."""
        deeds = (
            self._repeat, self._repeat, self._insist, self._stale, self._stale, self._foreign, self._invalid,
            self._guess, self._lost_cursor, self._greet_again, self._garble, self._flood, self._intrude,
        )  # fmt: skip
        self._rng.choice(deeds)(person)

    def _repeat(self, person: Person) -> None:
        """The same again, under the same id, before the answer has come."""
        requests = [message for message in person.pending.values() if message["type"] not in QUESTIONS]
        if requests:
            message = self._rng.choice(requests)
            for _ in range(self._rng.randint(1, 3)):
                person.say_again(message)

    def _insist(self, person: Person) -> None:
        """The same again, under the same id, after the answer."""
        if person.answered:
            person.repeat(self._rng.choice(person.answered))

    def _stale(self, person: Person) -> None:
        """An act that was chosen on an older state, or on one that has not happened, or for another seat."""
        room, table = self._some_table(person)
        if table is not None:
            seq = max(0, table["seq"] + self._rng.choice((-5, -1, 0, 1000)))
            person.say_wildly("act", room=room, seq=seq, action=self._some_action(table), **self._maybe_seat(table))

    def cheat(self, person: Person, room: str, table: Wire) -> None:
        """An act in turn that the rules may not allow."""
        person.say_wildly("act", room=room, seq=table["seq"], action=self._some_action({"turn": None}))

    def _foreign(self, person: Person) -> None:
        """An act for whatever seat is in turn, at whatever table."""
        if self._codes:
            room = self._rng.choice(list(self._codes))
            seat, seq = self._rng.randint(0, 3), self._rng.randint(0, 60)
            person.say_wildly("act", room=room, seat=seat, seq=seq, action=self._some_action({"turn": None}))

    def _invalid(self, person: Person) -> None:
        """A message with something wrong in it."""
        room = next(iter(self._codes), "AAAAAA")
        broken: tuple[Wire, ...] = (
            {"type": "act", "room": room},
            {"type": "join", "room": room, "seat": -1},
            {"type": "join", "room": room, "chair": 1},
            {"type": "next", "room": 5},
            {"type": "nothing"},
            {"type": None},
            {"type": "create", "settings": {"game": "chess", "seats": 2}},
            {"type": "act", "room": room, "seq": 2**63, "action": {"type": "play", "tile": "1-4", "end": "in"}},
        )
        message = dict(self._rng.choice(broken))
        person.say_wildly(message.pop("type"), **message)

    def _guess(self, person: Person) -> None:
        """A room code, or the id of a record, that may not exist."""
        code = "".join(self._rng.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
        fields = self._rng.choice(({"room": code}, {"room": code}, {}))
        person.say_wildly(self._rng.choice(("join", "watch", "sync")) if fields else "record", **fields)

    def _lost_cursor(self, person: Person) -> None:
        """A cursor beyond all that has happened."""
        room, table = self._some_table(person)
        if table is not None:
            person.say_wildly("sync", room=room, epoch=table["epoch"], after=table["seq"] + 1000)

    def _greet_again(self, person: Person) -> None:
        """A second hello."""
        person.say_wildly("hello", name="Eve")

    def _flood(self, person: Person) -> None:
        """More nonsense than anybody may send; rarely, for it closes the connection too."""
        if self._rng.random() < 0.25:
            for _ in range(FLOOD):
                person.say_wildly("nothing")

    def _garble(self, person: Person) -> None:
        """A frame that closes the connection; rarely, or nobody would get to play."""
        if person.link is not None and self._rng.random() < 0.3:
            person.link.send_frames(*self._rng.choice(GARBLED))

    def _intrude(self, person: Person) -> None:
        """Another connection, with a token that is none, or with none at all."""
        Stranger(person.codec, self._around).intrude()

    def _some_table(self, person: Person) -> tuple[str, Wire | None]:
        """One that is live, and where the person is in turn, if there is one."""
        live = [room for room, seen in person.tables.items() if seen.is_live]
        live = [room for room in live if (person.tables[room].snapshot["turn"] or {}).get("legal")] or live
        room = self._rng.choice(live) if live else ""
        return room, person.tables[room].snapshot if room else None

    def _maybe_seat(self, table: Wire) -> Wire:
        return {"seat": self._rng.randrange(len(table["seats"]))} if self._rng.random() < 0.3 else {}

    def _some_action(self, table: Wire) -> Wire:
        legal = (table["turn"] or {}).get("legal")
        if legal and self._rng.random() < 0.7:
            action: Wire = self._rng.choice(legal)["action"]
            return action
        low = self._rng.randint(0, 6)
        tile = f"{low}-{self._rng.randint(low, 6)}"
        return self._rng.choice(({"type": "draw"}, {"type": "knock"}, {"type": "play", "tile": tile, "end": "left"}))


class Stranger:
    """Somebody with a wrong token, who must not get in and must not disturb anybody."""

    name = "Somebody"

    def __init__(self, codec: Codec, around: Surroundings) -> None:
        self.codec = codec
        self._around = around

    def intrude(self) -> None:
        """Open a connection and say what is not to be accepted, or nothing at all."""
        link = self._around.connect(self)
        room = next(iter(self._around.codes), "AAAAAA")
        said: tuple[Wire, ...] = (
            {"type": "hello", "name": "Ann", "token": self._around.rng.randbytes(24).hex()},
            {"type": "watch", "room": room},
        )
        if link is not None and self._around.rng.random() < 0.8:
            link.say({"id": "once", **self._around.rng.choice(said)})

    def hear(self, link: Link, message: Wire) -> None:
        """See `Client`."""
        if message["type"] != "closing" and message.get("code") not in ("unauthorized", "unavailable"):
            self._around.complain(f"somebody with a wrong token is told {message}")
        link.hang_up()

    def hear_end(self, link: Link, closed: Closed) -> None:
        """See `Client`."""
