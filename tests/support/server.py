"""A web server on this machine that can be told to misbehave."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Shelf:
    """What the server has, and how it behaves."""

    files: dict[str, bytes] = field(default_factory=dict)
    tag: str | None = '"1"'
    """The mark of every file, or None: the server has none."""
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """How many bytes to send in each of the next answers before breaking off."""
    codes: list[int] = field(default_factory=list)
    """What to answer, if anything, to each of the next requests instead of a file."""
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and range of every request."""
    address: str = ""


def _handler(shelf):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            shelf.asked.append((self.path, wanted))
            code = shelf.codes.pop(0) if shelf.codes else None
            content = shelf.files.get(self.path)
            if code or content is None:
                self.send_error(code or 404)
                return
            first = 0
            if wanted and shelf.ranges and self.headers.get("If-Range") == shelf.tag:
                first = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if first >= len(content):
                    self.send_error(416)
                    return
                self.send_response(206)
                end = len(content)
                self.send_header("Content-Range", f"bytes {first}-{end - 1}/{end}")
            else:
                self.send_response(200)
            if shelf.tag:
                self.send_header("ETag", shelf.tag)
            self.send_header("Content-Length", str(len(content) - first))
            self.end_headers()
            cut = shelf.cuts.pop(0) if shelf.cuts else None
            self.wfile.write(content[first:] if cut is None else content[first : first + cut])
            self.close_connection = True

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def serve(**files):
    """A server with these files, while the context lasts."""
    shelf = Shelf({f"/{name}": content for name, content in files.items()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(shelf))
    shelf.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield shelf
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
