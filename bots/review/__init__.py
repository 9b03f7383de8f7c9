"""What a seat can learn from what it may know: the odds of each play, the whereabouts of tiles, its own past plays."""
