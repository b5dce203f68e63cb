"""The only place with sockets, clock and entropy."""
