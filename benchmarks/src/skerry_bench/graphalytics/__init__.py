"""graphalytics."""
