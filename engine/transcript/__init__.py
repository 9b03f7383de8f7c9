"""Rule transcripts: recorded matches that tell what the rules allow and give at every step.

The form is described in seeds/transcripts/README.md.
"""

from __future__ import annotations

from engine.transcript.reader import Replay, replay

__all__ = ["Replay", "replay"]
