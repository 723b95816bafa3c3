"""IBM Spyre on the clock of its engine: the published trade-off, mixes, runs, and their words."""
