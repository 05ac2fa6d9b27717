"""Files at addresses of fsspec: written here first, then sent as a whole.

An object store (``s3://``, ``gs://``, ``az://``) shows an object when all of it has come, so it is
complete or not there, as a file of this machine. Other remote file systems may keep a part of a
file whose transfer was broken off.
"""

from __future__ import annotations

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from skerry.config import temporary_folder
from skerry.errors import OutputError, TargetError, UnsupportedError
from skerry.formats.source import remote_filesystem


def check_remote(address: str) -> None:
    """Raises now if nothing could be written to this address later."""
    remote_filesystem(address)
    if address.endswith("/"):
        raise TargetError(f"{address}: is a folder; name a file in it")


@contextmanager
def remote_file(address: str) -> Iterator[Any]:
    """A binary file to write to, which is sent when the block ends without an error."""
    system, inner = remote_filesystem(address)
    with tempfile.NamedTemporaryFile(prefix="skerry-", dir=temporary_folder()) as file:
        yield file
        file.flush()
        try:
            system.put_file(file.name, inner)
        except NotImplementedError:
            raise UnsupportedError(
                f"{address}: fsspec cannot write there; write a local file and copy it"
            ) from None
        except OSError as error:
            raise OutputError(
                error.errno or errno.EIO,
                f"could not be written: {error.strerror or error}",
                address,
            ) from error
