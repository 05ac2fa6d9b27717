"""The GPU backend: each kind of pass is one or a few kernel launches."""
