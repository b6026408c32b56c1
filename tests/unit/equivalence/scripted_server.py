"""A server on this machine that answers as it is told: real HTTP, whatever the answer."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Reply:
    """Status, body (bytes, or anything JSON) and headers of one answer; ``delay`` seconds before it."""

    def __init__(self, body=b"", status=200, headers=None, delay=0.0):
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers, self.delay = status, headers or {}, delay


@contextmanager
def serving(answer):
    """Yield the address, and the list of (path, headers, JSON) received; ``answer(path, body, number)`` replies."""
    received, waiting = [], threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def handle_any(self):
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = json.loads(raw) if raw else None
            received.append((self.path, dict(self.headers), body))
            reply = answer(self.path, body, len(received))
            if reply is None:
                self.close_connection = True
                return
            waiting.wait(reply.delay)
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        do_POST = do_GET = handle_any  # noqa: N815

        def log_message(self, *_):
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_):
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        waiting.set()
        server.shutdown()
        thread.join()
        server.server_close()
