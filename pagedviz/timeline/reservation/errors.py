"""The one error of this package: a comparison that cannot be set up or played."""

from __future__ import annotations


class ReservationError(ValueError):
    """What was set that cannot be, which limit it breaks, and the nearest value that works."""
