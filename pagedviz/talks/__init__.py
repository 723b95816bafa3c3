"""Talks: ordered lists of views with what to say at each. Data and its file; no screen."""
