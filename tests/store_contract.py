"""What every store must do. A store's tests derive from `StoreContract` and say how one is opened."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Collection

import pytest
import pytest_asyncio

from server.store.base import SEEN_WITHIN, TAIL, Claimed, Outcome, Step, Store, StoreError
from server.store.index import MAX_CLOSED

WRITTEN, ALREADY_THERE = Outcome.WRITTEN, Outcome.ALREADY_THERE
CONFLICT, FENCED = Outcome.CONFLICT, Outcome.FENCED


NOW = 1_790_000_000.0


def step(
    room: str,
    seq: int,
    payload: bytes = b"\x00step",
    *,
    epoch: int = 5,
    closes: bool = False,
    checkpoint: bytes | None = None,
) -> Step:
    return Step(room, seq, epoch, payload, closes, checkpoint)


def log(room: str, length: int, checkpoints: Collection[int] = ()) -> list[Step]:
    """The first steps of a room, those of the given numbers with a checkpoint."""
    return [
        step(room, seq, f"{room}{seq}".encode(), checkpoint=b"so far" if seq in checkpoints else None)
        for seq in range(1, length + 1)
    ]


class StoreContract(ABC):
    """The shared suite."""

    @abstractmethod
    async def open(self) -> Store:
        """A new, empty store."""

    async def let_closed_rooms_go(self, store: Store) -> None:
        """Bring about what ends the while for which closed rooms are kept."""
        await store.append([step(f"R{number:05}", 1, closes=True) for number in range(MAX_CLOSED)])

    @pytest_asyncio.fixture
    async def store(self) -> AsyncIterator[Store]:
        store = await self.open()
        yield store
        await store.close()

    async def test_an_unknown_room_has_no_steps(self, store: Store) -> None:
        assert list(await store.load("AAAAAA")) == []

    async def test_a_log_comes_back_as_it_was_written(self, store: Store) -> None:
        steps = [step("AAAAAA", 1, b""), step("AAAAAA", 2, bytes(range(256))), step("AAAAAA", 3, epoch=2**62)]

        outcomes = await store.append(steps)

        assert list(outcomes) == [WRITTEN] * 3
        assert list(await store.load("AAAAAA")) == steps

    async def test_one_batch_holds_steps_of_many_rooms(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1), step("BBBBBB", 1), step("AAAAAA", 2)])

        assert [kept.seq for kept in await store.load("AAAAAA")] == [1, 2]
        assert [kept.seq for kept in await store.load("BBBBBB")] == [1]

    async def test_a_batch_may_be_large(self, store: Store) -> None:
        steps = log("AAAAAA", 1000)

        await store.append(steps)

        assert list(await store.load("AAAAAA")) == steps

    async def test_an_empty_batch_is_nothing(self, store: Store) -> None:
        assert list(await store.append([])) == []

    async def test_the_same_steps_again_are_there_already(self, store: Store) -> None:
        steps = log("AAAAAA", 3)
        await store.append(steps)

        outcomes = await store.append(steps)

        assert list(outcomes) == [ALREADY_THERE] * 3
        assert list(await store.load("AAAAAA")) == steps

    async def test_a_batch_that_was_half_written_is_completed(self, store: Store) -> None:
        steps = log("AAAAAA", 4)
        await store.append(steps[:2])

        assert list(await store.append(steps)) == [ALREADY_THERE, ALREADY_THERE, WRITTEN, WRITTEN]

    async def test_the_same_step_twice_in_a_batch_is_written_once(self, store: Store) -> None:
        (first,) = log("AAAAAA", 1)

        assert list(await store.append([first, first])) == [WRITTEN, ALREADY_THERE]
        assert list(await store.load("AAAAAA")) == [first]

    @pytest.mark.parametrize(
        "other",
        [
            step("AAAAAA", 2, b"other"),
            step("AAAAAA", 2, epoch=6),
            step("AAAAAA", 2, closes=True),
            step("AAAAAA", 4),
            step("AAAAAA", 0),
            step("AAAAAA", -1),
            step("BBBBBB", 2),
        ],
    )
    async def test_a_step_that_is_not_next_is_a_conflict(self, store: Store, other: Step) -> None:
        steps = [step("AAAAAA", 1), step("AAAAAA", 2)]
        await store.append(steps)

        outcomes = await store.append([other])

        assert list(outcomes) == [CONFLICT]
        assert list(await store.load("AAAAAA")) == steps
        assert list(await store.load("BBBBBB")) == []

    async def test_two_different_steps_of_one_number_in_a_batch_are_a_conflict(self, store: Store) -> None:
        assert list(await store.append([step("AAAAAA", 1), step("AAAAAA", 1, b"other")])) == [WRITTEN, CONFLICT]

    async def test_a_conflict_keeps_back_what_was_decided_on_it_and_nobody_else(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])

        outcomes = await store.append([step("AAAAAA", 1, b"other"), step("BBBBBB", 1), step("AAAAAA", 2)])

        assert list(outcomes) == [CONFLICT, WRITTEN, CONFLICT]
        assert list(await store.load("AAAAAA")) == [step("AAAAAA", 1)]
        assert len(await store.load("BBBBBB")) == 1

    async def test_open_rooms_are_given_with_their_whole_logs(self, store: Store) -> None:
        first, second = log("AAAAAA", 2), log("BBBBBB", 1)
        await store.append([first[0], second[0], first[1]])

        logs = [list(kept) for kept in await store.open_rooms()]

        assert sorted(logs, key=lambda kept: kept[0].room) == [first, second]

    @pytest.mark.parametrize(
        ("length", "first"), [(TAIL + 99, 1), (TAIL + 100, 100), (TAIL + 199, 100), (TAIL + 200, 200)]
    )
    async def test_a_log_is_given_from_the_last_checkpoint_that_is_followed_by_a_whole_tail(
        self, store: Store, length: int, first: int
    ) -> None:
        steps = log("AAAAAA", length, checkpoints=(100, 200, 300))

        await store.append(steps)

        assert list(await store.load("AAAAAA")) == steps[first - 1 :]
        assert [list(kept) for kept in await store.open_rooms()] == [steps[first - 1 :]]
        assert list(await store.history("AAAAAA")) == steps

    async def test_a_log_is_read_some_steps_at_a_time(self, store: Store) -> None:
        steps = log("AAAAAA", 10)
        await store.append(steps)

        pages = [list(await store.history("AAAAAA", first, 4)) for first in (1, 5, 9, 11)]

        assert pages == [steps[:4], steps[4:8], steps[8:], []]
        assert list(await store.history("AAAAAA", 7)) == steps[6:]
        assert list(await store.history("BBBBBB", 1, 4)) == []

    async def test_the_log_of_a_closed_room_can_be_read_for_a_while(self, store: Store) -> None:
        closing = [step("AAAAAA", 1), step("AAAAAA", 2, closes=True)]
        await store.append(closing)

        before = list(await store.history("AAAAAA"))
        await self.let_closed_rooms_go(store)

        assert before == closing
        assert list(await store.history("AAAAAA")) == []

    async def test_the_code_of_a_room_closed_long_ago_is_free(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1), step("AAAAAA", 2, closes=True)])

        await self.let_closed_rooms_go(store)

        assert list(await store.append([step("AAAAAA", 1, b"new", epoch=9)])) == [WRITTEN]
        assert list(await store.load("AAAAAA")) == [step("AAAAAA", 1, b"new", epoch=9)]

    async def test_a_room_is_claimed_under_an_epoch_above_all_of_its_log(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1, epoch=5), step("AAAAAA", 2, epoch=7)])

        assert await store.claim("AAAAAA", 3.5) == Claimed(epoch=8, head=2)

    async def test_an_epoch_is_the_time_at_least(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1, epoch=5)])

        assert await store.claim("AAAAAA", NOW + 0.5) == Claimed(epoch=int(NOW), head=1)

    async def test_a_claimed_room_goes_on_under_the_new_epoch(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1, epoch=5)])
        claimed = await store.claim("AAAAAA", NOW)
        assert isinstance(claimed, Claimed)

        outcomes = await store.append([step("AAAAAA", 2, epoch=claimed.epoch)])

        assert list(outcomes) == [WRITTEN]
        assert await store.claim("AAAAAA", NOW) == Claimed(claimed.epoch + 1, 2)

    async def test_there_is_nothing_to_claim_of_a_room_that_is_unknown_or_closed(self, store: Store) -> None:
        await store.append([step("BBBBBB", 1, closes=True)])

        assert await store.claim("AAAAAA", NOW) is None
        assert await store.claim("BBBBBB", NOW) is None
        assert await store.open_rooms() == []

    async def test_a_room_that_was_released_can_be_claimed_again(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])

        await store.release("AAAAAA")
        await store.release("BBBBBB")

        assert await store.claim("AAAAAA", NOW) == Claimed(int(NOW), 1)

    async def test_a_log_is_trimmed_to_what_is_asked_for_and_to_what_is_loaded(self, store: Store) -> None:
        steps = log("AAAAAA", TAIL + 250, checkpoints=(100, 200, 300))
        await store.append([*steps, *log("BBBBBB", 3)])

        await store.trim({"AAAAAA": 150, "BBBBBB": 3, "CCCCCC": 1})
        once = list(await store.history("AAAAAA"))
        await store.trim({"AAAAAA": 10_000})

        assert once == steps[99:]
        assert list(await store.history("AAAAAA")) == list(await store.load("AAAAAA")) == steps[199:]
        assert list(await store.history("BBBBBB")) == log("BBBBBB", 3)

    async def test_a_trimmed_log_goes_on(self, store: Store) -> None:
        steps = log("AAAAAA", TAIL + 102, checkpoints=(100,))
        await store.append(steps[:-1])
        await store.trim({"AAAAAA": 10_000})

        trimmed = await store.append([steps[0]])
        kept = await store.append([steps[-3], steps[-2], steps[-1]])

        assert list(trimmed) == [CONFLICT]
        assert list(kept) == [ALREADY_THERE, ALREADY_THERE, WRITTEN]
        assert list(await store.load("AAAAAA")) == steps[99:]

    async def test_a_closed_room_is_not_loaded_again(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1), step("AAAAAA", 2, closes=True), step("BBBBBB", 1)])

        assert list(await store.load("AAAAAA")) == []
        assert [kept[0].room for kept in await store.open_rooms()] == ["BBBBBB"]

    async def test_a_closed_room_takes_no_more_steps(self, store: Store) -> None:
        closing = [step("AAAAAA", 1), step("AAAAAA", 2, closes=True), step("AAAAAA", 3)]

        assert list(await store.append(closing)) == [WRITTEN, WRITTEN, CONFLICT]
        assert list(await store.append(closing)) == [ALREADY_THERE, ALREADY_THERE, CONFLICT]

    async def test_appends_at_the_same_time_keep_their_order(self, store: Store) -> None:
        steps = log("AAAAAA", 50)

        async with asyncio.timeout(5):
            outcomes = await asyncio.gather(*[store.append([one]) for one in steps])

        assert [outcome for (outcome,) in outcomes] == [WRITTEN] * 50
        assert list(await store.load("AAAAAA")) == steps

    async def test_a_cancelled_append_leaves_the_store_as_good_as_before(self, store: Store) -> None:
        steps = log("AAAAAA", 2)
        task = asyncio.ensure_future(store.append(steps[:1]))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

        outcomes = await store.append(steps)

        assert outcomes[0] in {WRITTEN, ALREADY_THERE}
        assert outcomes[1] is WRITTEN
        assert list(await store.load("AAAAAA")) == steps

    async def test_a_player_is_found_by_the_hash_of_the_token(self, store: Store) -> None:
        await store.add_player(b"\x00\xffhash", "p1", NOW)
        await store.add_player(b"other", "p2", NOW)

        assert await store.find_player(b"\x00\xffhash", NOW) == "p1"
        assert await store.find_player(b"other", NOW) == "p2"

    async def test_an_unknown_token_belongs_to_nobody(self, store: Store) -> None:
        assert await store.find_player(b"unknown", NOW) is None

    async def test_players_who_were_not_seen_since_then_are_forgotten_and_no_others(self, store: Store) -> None:
        for number, player in enumerate(("old", "now", "new")):
            await store.add_player(player.encode(), player, NOW + number)

        forgotten = await store.forget_players(NOW + 1, 100)

        assert forgotten == 1
        assert await store.find_player(b"old", NOW) is None
        assert await store.find_player(b"now", NOW) == "now"
        assert await store.find_player(b"new", NOW) == "new"

    async def test_no_more_players_are_forgotten_than_asked_for_at_a_time(self, store: Store) -> None:
        for number in range(5):
            await store.add_player(bytes([number]), f"p{number}", NOW)

        assert [await store.forget_players(NOW + 1, 2) for _ in range(4)] == [2, 2, 1, 0]

    async def test_who_comes_back_counts_as_seen(self, store: Store) -> None:
        await store.add_player(b"back", "back", NOW)
        await store.add_player(b"gone", "gone", NOW)

        await store.find_player(b"back", NOW + SEEN_WITHIN)
        await store.forget_players(NOW + SEEN_WITHIN, 100)

        assert await store.find_player(b"back", NOW) == "back"
        assert await store.find_player(b"gone", NOW) is None

    async def test_who_is_said_to_be_here_counts_as_seen(self, store: Store) -> None:
        for player in ("first", "second", "third"):
            await store.add_player(player.encode(), player, NOW)

        await store.seen(["first", "third", "unknown"], NOW + 1)
        await store.forget_players(NOW + 1, 100)

        assert await store.find_player(b"first", NOW) == "first"
        assert await store.find_player(b"second", NOW) is None
        assert await store.find_player(b"third", NOW) == "third"

    async def test_nobody_was_seen_is_nothing(self, store: Store) -> None:
        await store.seen([], NOW)

        assert await store.forget_players(NOW, 100) == 0

    async def test_rooms_closed_long_ago_are_removed_and_no_others(self, store: Store) -> None:
        steps = log("AAAAAA", 2)
        await store.append([step("CCCCCC", 1, closes=True), *steps])
        await self.let_closed_rooms_go(store)
        await store.append([step("DDDDDD", 1, closes=True)])

        while await store.clear(100):
            pass

        assert [list(kept) for kept in await store.open_rooms()] == [steps]
        assert list(await store.append([*steps, step("DDDDDD", 1, closes=True)])) == [ALREADY_THERE] * 3

    async def test_a_record_comes_back_as_it_was_given(self, store: Store) -> None:
        await store.add_record("r1", "AAAAAA", b"\x00one", NOW)
        await store.add_record("r2", "AAAAAA", bytes(200_000), NOW)

        assert await store.record("r1") == b"\x00one"
        assert await store.record("r2") == bytes(200_000)
        assert await store.record("r3") is None

    async def test_a_record_that_is_there_stays_as_it_is(self, store: Store) -> None:
        await store.add_record("r1", "AAAAAA", b"first", NOW)

        await store.add_record("r1", "BBBBBB", b"second", NOW + 1)

        assert await store.record("r1") == b"first"

    async def test_an_open_room_has_the_record_of_its_last_match(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1), step("BBBBBB", 1)])
        await store.add_record("r1", "AAAAAA", b"one", NOW)
        await store.add_record("r2", "AAAAAA", b"two", NOW + 1)
        await store.add_record("r3", "BBBBBB", b"three", NOW + 2)
        await store.add_record("r4", "AAAAAA", b"four", NOW + 1)  # ended in the same moment as the one before

        assert await store.last_record("AAAAAA") == b"four"
        assert await store.last_record("BBBBBB") == b"three"
        assert await store.last_record("CCCCCC") is None

    async def test_a_closed_room_leaves_no_record_to_the_next_of_its_code(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])
        await store.add_record("r1", "AAAAAA", b"one", NOW)

        await store.append([step("AAAAAA", 2, closes=True)])
        await store.add_record("r2", "AAAAAA", b"two", NOW)

        assert await store.last_record("AAAAAA") is None
        assert await store.record("r1") == b"one"
        assert await store.record("r2") == b"two"

    async def test_records_of_matches_that_ended_before_are_forgotten_some_at_a_time(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])
        for number in range(5):
            await store.add_record(f"r{number}", "AAAAAA", b"payload", NOW + number)

        forgotten = [await store.forget_records(NOW + 3, 2) for _ in range(3)]

        assert forgotten == [2, 1, 0]
        assert [await store.record(f"r{number}") for number in range(5)] == [None] * 3 + [b"payload"] * 2
        assert await store.last_record("AAAAAA") == b"payload"

    async def test_a_room_whose_last_record_was_forgotten_has_none(self, store: Store) -> None:
        await store.append([step("AAAAAA", 1)])
        await store.add_record("r1", "AAAAAA", b"one", NOW)

        await store.forget_records(NOW + 1, 10)

        assert await store.last_record("AAAAAA") is None

    async def test_an_open_store_answers(self, store: Store) -> None:
        await store.ping()

    async def test_a_closed_store_does_nothing_more(self, store: Store) -> None:
        await store.close()
        await store.close()

        with pytest.raises(StoreError):
            await store.ping()
        with pytest.raises(StoreError):
            await store.append([step("AAAAAA", 1)])
        with pytest.raises(StoreError):
            await store.load("AAAAAA")
        with pytest.raises(StoreError):
            await store.open_rooms()
        with pytest.raises(StoreError):
            await store.claim("AAAAAA", NOW)
        with pytest.raises(StoreError):
            await store.release("AAAAAA")
        with pytest.raises(StoreError):
            await store.add_player(b"hash", "p1", NOW)
        with pytest.raises(StoreError):
            await store.find_player(b"hash", NOW)
        with pytest.raises(StoreError):
            await store.seen(["p1"], NOW)
        with pytest.raises(StoreError):
            await store.forget_players(NOW, 1)
        with pytest.raises(StoreError):
            await store.clear(1)
        with pytest.raises(StoreError):
            await store.history("AAAAAA")
        with pytest.raises(StoreError):
            await store.add_record("r1", "AAAAAA", b"one", NOW)
        with pytest.raises(StoreError):
            await store.record("r1")
        with pytest.raises(StoreError):
            await store.last_record("AAAAAA")
        with pytest.raises(StoreError):
            await store.forget_records(NOW, 1)
