"""Predict, then reveal: questions about what a played run does next, answered by the run itself."""
