from __future__ import annotations

from server.rates import MinuteCount, TokenBucket, told


def test_a_bucket_gives_its_burst_at_once_and_then_what_drips_in() -> None:
    bucket = TokenBucket(rate=20, burst=40, now=0.0)

    at_once = [bucket.take(0.0) for _ in range(41)]

    assert at_once[:40] == [0.0] * 40
    assert at_once[40] == 0.05
    assert bucket.take(0.05) == 0.0
    assert bucket.take(0.05) > 0.0


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = TokenBucket(rate=20, burst=40, now=0.0)

    later = [bucket.take(3600.0) for _ in range(41)]

    assert later.count(0.0) == 40


def test_a_bucket_with_a_rate_of_0_gives_without_end() -> None:
    bucket = TokenBucket(rate=0, burst=1, now=0.0)

    assert [bucket.take(0.0) for _ in range(1000)] == [0.0] * 1000


def test_a_minute_holds_its_limit_and_the_oldest_event_makes_room_when_it_is_a_minute_old() -> None:
    count = MinuteCount(3)
    for now in (0.0, 10.0):
        count.add(now)

    before = count.wait(20.0)
    count.add(20.0)

    assert before == 0.0
    assert count.wait(25.0) == 35.0
    assert count.wait(59.9) > 0.0
    assert count.wait(60.0) == 0.0


def test_a_limit_of_0_counts_nothing() -> None:
    count = MinuteCount(0)
    for _ in range(1000):
        count.add(0.0)

    assert count.wait(0.0) == 0.0


def test_who_waits_as_long_as_told_is_served() -> None:
    bucket = TokenBucket(rate=7, burst=1, now=0.0)
    bucket.take(0.0)

    wait = told(bucket.take(0.0))

    assert round(wait, 3) == wait
    assert bucket.take(wait) == 0.0
