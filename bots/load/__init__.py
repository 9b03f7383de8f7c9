"""Many players at once over real sockets: how fast a server is, and whether it loses, repeats or reorders anything."""
