"""External ids: any ids to vertices 0..n-1, and back.

`skerry.ids.numbering` numbers ids as they come; `skerry.ids.id_space` holds the ids of a graph and
looks them up. Nothing is imported here, so that a graph of vertex numbers loads no tables.
"""
