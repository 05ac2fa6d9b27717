"""The same edges in every form: formats, containers, kinds of ids. All must give one partition."""
