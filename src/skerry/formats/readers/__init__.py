"""Readers of edges, one module for each family of formats.

Every reader has a function ``read(file, options)`` that reads the header or schema of a file and
returns an `EdgeSource`; the registry names it. Text formats of integers are in `text`, delimited
text in `delimited` (with `layout`), tables in `parquet` and `arrow`. `csr_files` and
`array_sections` are shared by the binary CSR formats (`egr`, `gapbs`, `galois`, `npz`).
"""
