"""How likely each side is to win the match, before a deal: the measure of what points are worth."""
