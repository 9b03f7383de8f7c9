"""Everything that touches the world: sockets, files, tasks, the clock."""
