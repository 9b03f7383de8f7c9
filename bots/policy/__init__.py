"""A learned policy: it weighs what speaks for and against each play, seen from the seat that is to choose."""
