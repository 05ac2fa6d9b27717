"""Writers of graphs and labels, one module for each family of formats.

`graph` and `labels` have the two entry points, `write_graph` and `write_labels`; they find the
format in `skerry.formats.registry` and write through `atomic_file`. `tables` writes columns
(Parquet, Arrow, CSV, edge lists), `numbers` the formats of vertex numbers (Matrix Market, binary
CSR, NumPy, raw pairs). `renumber` turns external ids into vertex numbers, `integer_text` formats
integers without pyarrow.
"""
