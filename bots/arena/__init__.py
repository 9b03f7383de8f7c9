"""The arena: how much stronger one player is than another, measured in duplicate matches."""
