"""The store of a cluster: Redis, 6.2 or later, alone or as a Redis Cluster."""
