"""Files of edges and labels.

`registry` is the table of formats, `open` turns paths into an `EdgeSource`, `readers` and `writers`
have a module for each family of formats. `sniff` detects formats, `source` opens files, `prefetch`
reads ahead, `columns` chooses the columns of tables. The public functions are in `skerry.io`.
"""
