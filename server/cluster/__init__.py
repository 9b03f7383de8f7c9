"""Many nodes as one server: each takes anybody's connection, and each room is at one of them."""
