"""The rules of the games: frozen values and functions on them. Standard library only, no I/O, no clock."""
