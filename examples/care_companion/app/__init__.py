"""The care companion: a graph that guardgate attacks as it is."""
