"""A web server on this machine whose failures are set by the test."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class ServerState:
    """What the server has, and how it behaves."""

    files: dict[str, bytes] = field(default_factory=dict)
    tag: str | None = '"1"'
    """The ETag of every file; None: the server sends none."""
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """How many bytes to send in each of the next answers before the connection is cut."""
    codes: list[int] = field(default_factory=list)
    """Status codes of the next answers, sent instead of a file."""
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    """Path and range of every request."""
    address: str = ""


def _handler(state):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            state.requests.append((self.path, wanted))
            code = state.codes.pop(0) if state.codes else None
            content = state.files.get(self.path)
            if code or content is None:
                self.send_error(code or 404)
                return
            first = 0
            if wanted and state.ranges and self.headers.get("If-Range") == state.tag:
                first = int(wanted.removeprefix("bytes=").removesuffix("-"))
                if first >= len(content):
                    self.send_error(416)
                    return
                self.send_response(206)
                end = len(content)
                self.send_header("Content-Range", f"bytes {first}-{end - 1}/{end}")
            else:
                self.send_response(200)
            if state.tag:
                self.send_header("ETag", state.tag)
            self.send_header("Content-Length", str(len(content) - first))
            self.end_headers()
            cut = state.cuts.pop(0) if state.cuts else None
            self.wfile.write(content[first:] if cut is None else content[first : first + cut])
            self.close_connection = True

        def log_message(self, *_):
            pass

    return Handler


@contextmanager
def serve(**files):
    """A server with these files, while the context lasts."""
    state = ServerState({f"/{name}": content for name, content in files.items()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
