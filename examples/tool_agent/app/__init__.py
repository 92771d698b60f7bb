"""The tenant desk: a graph with real tools, which guardgate attacks as it is."""
