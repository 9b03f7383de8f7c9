"""Everything that is kept, from one store to another while no server runs on either."""
