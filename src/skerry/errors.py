"""The errors skerry raises on purpose. Each says what is wrong, where, and what to do."""


class SkerryError(Exception):
    """Base of all errors that skerry raises on purpose."""


class SkerryWarning(UserWarning):
    """A call does what it says, but perhaps not what was meant; the message says how to be sure."""


class InputError(SkerryError, ValueError):
    """The graph, or an argument, cannot be what it claims to be."""


class ArgumentError(InputError):
    """An argument, an option or an environment variable that no input could make right."""


class TargetError(InputError):
    """No file can be written at this path: its folder is missing, or may not be written to."""


class UnsupportedError(SkerryError, ValueError):
    """A choice was forced that cannot run here; nothing else is run in its place."""


class DeviceMemoryError(SkerryError, MemoryError):
    """The graph, or what an algorithm needs beside it, does not fit into the memory of the GPU."""


class OutputError(SkerryError, OSError):
    """A result could not be written: a full disk, for instance. Nothing of it was left behind."""


class DownloadError(SkerryError, OSError):
    """A file could not be fetched, or what came is not what was asked for."""
