from __future__ import annotations

from bots.kernel.bits import bits_of
from bots.kernel.plays import rules_for
from bots.policy.swift import Swift, SwiftWeights
from bots.search.plausibility import NOBODY, Greedy, Plausibility, Seen, plays_seen
from engine.deal import Deal
from engine.notation import parse_tiles
from tests.bots.positions import asked_at
from tests.engine.positions import EAST, SOUTH, after, dealt

POINTS_ALONE = SwiftWeights(pips=0, double=0, options=0, hidden=0, reply=0)

SHUNNED = after(dealt("fives-threes", "4-5 1-1 0-0", "1-4 2-6 3-3", "0-2 5-5 6-6"), "4-5", "1-4 left", "5-5 right")
"""East has played 1-4, which made 6; South then 5-5."""


def seen(deal: Deal) -> list[Seen]:
    """What the seat in turn has seen of the others."""
    view, _ = asked_at(deal)
    return plays_seen(view, rules_for(view))


def plausibility(deal: Deal, east: str, greedy: Greedy = NOBODY) -> float:
    """Of ``deal`` if East held these tiles at the end; the others what they have."""
    view, _ = asked_at(deal)
    rules = rules_for(view)
    judge = Plausibility(rules, Swift(rules, POINTS_ALONE), plays_seen(view, rules), softness=1.0)
    hands = [bits_of(hand) for hand in deal.hands]
    hands[EAST] = bits_of(parse_tiles(east))
    return judge.of(hands, greedy)


def test_the_plays_of_the_others_are_seen_each_with_what_was_played_since() -> None:
    plays = seen(SHUNNED)

    assert {(play.seat, play.played) for play in plays} == {
        (EAST, bits_of(parse_tiles("1-4"))),
        (SOUTH, bits_of(parse_tiles("5-5"))),
    }


def test_a_hand_that_would_have_had_a_better_play_is_less_plausible() -> None:
    """With 5-6 East would have made 10."""
    assert plausibility(SHUNNED, "3-5 5-6") < plausibility(SHUNNED, "2-3 2-2")


def test_plays_from_before_the_newest_tile_of_a_hand_say_nothing() -> None:
    drawing = dealt("draw", "6-6 4-6 0-3 0-0", "2-6 1-1 1-3", stock="0-1 5-5 0-4")

    drew = after(drawing, "6-6", "2-6 left", "4-6 right", "draw", "draw", "draw", "0-4 right")

    assert [(play.seat, play.played) for play in seen(drew)] == [(EAST, bits_of(parse_tiles("0-4")))]


def test_who_plays_like_beginner_has_kept_no_better_tile() -> None:
    """To the model it is unlikely that East kept 5-6, and to who is greedy hardly possible."""
    as_model, as_greedy = (
        plausibility(SHUNNED, "3-5 5-6", greedy) - plausibility(SHUNNED, "2-3 2-2", greedy)
        for greedy in (NOBODY, frozenset([EAST]))
    )

    assert as_greedy < as_model < 0
