"""Generated pages about conversions."""
