"""The same visitors in two memories on one clock: runs reserved up front, and paged blocks."""
