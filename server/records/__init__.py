"""Records of finished matches: how they are built, kept, read, replayed and verified. In words: docs/records.md."""
