"""Numbers published in the papers, as CSV files. `skerry_bench.report.published` reads them."""
