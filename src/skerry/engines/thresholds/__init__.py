"""All thresholds at once: sweeps, the single-linkage dendrogram, components of a largest size."""
