"""Players to measure the levels by. No table offers them: `python -m bots.rivals` plays as a program of the arena."""
