"""What networkx reads about skerry's backend when networkx itself is imported.

A package of its own that imports nothing: anything inside of `skerry` would bring NumPy in.
"""

FUNCTIONS = {
    "condensation": "Not of components that are given.",
    "connected_components": "Sets of nodes, in the order of networkx.",
    "is_connected": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "node_connected_component": "Only once all components are known; then it looks at one.",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "strongly_connected_components": "Sets of nodes, sinks before sources.",
    "weakly_connected_components": "Sets of nodes, in the order of networkx.",
}


def get_info() -> dict[str, object]:
    """The entry point ``networkx.backend_info``."""
    return {
        "backend_name": "skerry",
        "project": "skerry",
        "package": "skerry",
        "short_summary": "Connected components by native code, once for all questions about them.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
