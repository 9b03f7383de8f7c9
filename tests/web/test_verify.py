"""The browser's verifier, which was written from the page alone, agrees with `doublesix verify` on deals and lots."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.convert import Wire
from server.records.verify import verify
from tests.server import record_changes as changes
from tests.server.recorded import KINDS, Scribe, played, played_with_take_backs, record_of
from tests.web.verifying import verified_by_the_browser


def test_both_prove_the_same_deals_and_lots_of_every_game() -> None:
    records = [record_of(played(game, seats, seed)) for game, seats in KINDS for seed in (60, 61)]
    records += [record_of(played_with_take_backs(game, seats, 62)) for game, seats in KINDS]
    records += [Scribe(game, seats, 63).write()[0] for game, seats in KINDS]

    found = verified_by_the_browser([record.to_wire() for record in records])

    for record, one in zip(records, found, strict=True):
        ours = verify(record)
        assert ours.faults == ()
        assert one["faults"] == []
        assert set(one["proved"]) < set(ours.proved)
        assert len(one["proved"]) == 2


DEALING: list[tuple[Callable[[Wire], None], str]] = [
    (changes.swap_entropy, "entropy: not in the order of the seats"),
    (changes.forget_entropy, "others by seed and entropy"),
    (changes.invent_entropy, "entropy: not in the order of the seats"),
    (changes.leave_out_the_lot, "deal_started.lead: lot is due"),
    (changes.add_a_lot, "lot: no lot is due"),
    (changes.draw_another_lot, "lot.seat: another one by seed and entropy"),
    (changes.swap_hands, "deal_started.hands: others by seed and entropy"),
    (changes.leave_out_a_step, "not the one after the step before"),
    (changes.cut_off_the_end, "steps: the match does not end"),
    (changes.have_no_steps, "steps: the match does not begin"),
    (changes.take_back_what_has_not_happened, "is no earlier step"),
    (changes.commit_to_another_seed, "seed: it does not have the commitment"),
    (changes.break_off_before_the_first_deal, "the first deal is missing"),
    (changes.name_another_winner, "match_ended.winner: not that"),
    (changes.deal_in_the_middle_of_a_deal, "deal_started.lead: no deal is due"),
]


@pytest.mark.parametrize(("change", "says"), DEALING)
def test_a_change_of_what_is_dealt_is_found_by_both(change: Callable[[Wire], None], says: str) -> None:
    record = changes.match_of_two_people()
    change(record)

    (found,) = verified_by_the_browser([record])

    assert found["proved"] == []
    assert any(says in fault for fault in found["faults"]), found["faults"]
    assert changes.faults(record)


OF_SEED_AND_ENTROPY = {
    "match_started": {"commitment", "entropy"},
    "lot": {"seat"},
    "deal_started": {"number", "lead", "tiles", "stock", "hands", "stock_tiles"},
    "match_ended": {"seed", "winner", "scores"},
}
"""The fields of events that the browser's verifier looks at."""


def is_dealt(record: Wire, path: tuple[str | int, ...]) -> bool:
    """Whether the value there is seed, commitment or entropy, or follows from them."""
    match path:
        case ("seed" | "commitment",) | ("entropy", _, "value"):
            return True
        case ("steps", int(step), "events", int(event), str(name), *_):
            return name in OF_SEED_AND_ENTROPY.get(record["steps"][step]["events"][event]["type"], ())
    return False


def test_one_flipped_bit_of_seed_commitment_entropy_or_anything_dealt_is_found() -> None:
    """P4."""
    record = changes.match_of_two_people()
    flipped = [
        changes.changed(record, path, other)
        for path, value in changes.leaves(record)
        if is_dealt(record, path)
        for other in list(changes.flipped(value))[:5]
    ]

    honest, *found = verified_by_the_browser([record, *flipped])

    assert honest["faults"] == []
    assert len(found) > 500
    assert all(one["faults"] and not one["proved"] for one in found)
