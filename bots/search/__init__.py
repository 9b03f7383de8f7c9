"""Search: worlds that fit all that is known, each legal play played out in each of them."""
