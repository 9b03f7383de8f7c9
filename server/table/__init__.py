"""One table as pure data: seats, readiness, presence and the match. No asyncio, no clock, no randomness of its own.

`decide` turns a request into events or a refusal, `evolve` folds events into the next `Table`. The same fold serves
play, reconnection, restart and replay.
"""
