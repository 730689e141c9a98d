"""A web server on this machine with one file, which makes faults."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Serves one file, with the fault that it is given, and notes the ranges of the requests."""

    def __init__(self, contents: bytes) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.contents = contents
        self.ranges: list[tuple[int, int]] = []
        self.sizes = 0  # the number of requests for the size
        self.fault = ""
        self.tag = '"1"'
        self.refusals = 0  # the number of further requests that are refused
        self.has_answers = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/events.kaon"

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing about clients that have gone away."""


class Handler(BaseHTTPRequestHandler):
    """Answers requests for ranges."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.server.sizes += 1
        if self.server.fault == "missing":
            return self.answer(404, {"Content-Length": "0"})
        self.answer(200, {"Content-Length": str(len(self.server.contents))})

    def do_GET(self) -> None:
        if self.server.fault == "missing":
            return self.answer(404, {"Content-Length": "0"})
        first, last = self.headers["Range"].removeprefix("bytes=").split("-")
        size = len(self.server.contents)
        if self.server.fault == "whole":
            self.answer(200, {"Content-Length": str(size)})
            self.wfile.write(self.server.contents)
            return
        if self.server.refusals > 0:
            self.server.refusals -= 1
            return self.answer(503, {"Content-Length": "0"})
        if self.server.fault == "silent":
            self.server.has_answers.wait(30)
        if not first and self.server.fault == "no suffixes":
            return self.answer(416, {"Content-Length": "0"})
        first, last = (first, last) if first else (str(max(size - int(last), 0)), str(size - 1))
        begin, end = int(first), min(int(last) + 1, size)
        if begin >= end:
            return self.answer(416, {"Content-Range": f"bytes */{size}", "Content-Length": "0"})
        self.server.ranges.append((begin, end))
        body = self.server.contents[begin:end]
        if self.server.fault == "short":
            body = body[:-1]
        if self.server.fault == "shifted":
            body = self.server.contents[begin + 1 : end + 1]
        if self.server.fault == "error":
            return self.answer(500, {"Content-Length": "0"})
        length = {"Content-Length": str(end - begin if self.server.fault == "cut" else len(body))}
        if self.server.fault == "compressed":
            length["Content-Encoding"] = "gzip"
        if self.server.fault == "flood":
            length = {"Connection": "close"}
        size = 10**30 if self.server.fault == "endless" else size
        self.answer(206, {"Content-Range": f"bytes {first}-{end - 1}/{size}", **length})
        if self.server.fault == "flood":
            self.close_connection = True
            while True:
                self.wfile.write(bytes(1 << 20))
        if self.server.fault == "slow":
            for i in range(len(body)):
                self.wfile.write(body[i : i + 1])
                self.server.has_answers.wait(0.05)
        if self.server.fault == "cut":
            body = body[: len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)

    def answer(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Accept-Ranges": "bytes", "ETag": self.server.tag, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""
