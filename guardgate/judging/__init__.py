"""The judged half: a model only supplies scores; everything that decides is code."""
