"""A server for resumable uploads, for the tests: draft-ietf-httpbis-resumable-upload-12.

usage: upload-server.py PORT FOLDER [SEED]
  FOLDER: the folder of the complete uploads. Each has the name of its file, from Content-Disposition
  SEED: loses connections at random, within the content or before the response

It is written from the text of the draft, and uses the standard library only. It sends interim responses with status 104, and
requires requests of at most 300,000 bytes.
"""

import email.message
import hashlib
import json
import pathlib
import random
import re
import socket
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

INTEROP_VERSION = "8"
MAX_SIZE = 100_000_000
MAX_APPEND_SIZE = 300_000
LIMITS = f"max-size={MAX_SIZE}, max-append-size={MAX_APPEND_SIZE}, max-age=3600"
PROBLEMS = "https://iana.org/assignments/http-problem-types#"


class Upload:
    """An upload resource: its state (section "State") and the connection that appends to it."""

    def __init__(self, name, length):
        self.name, self.length = name, length
        self.content = bytearray()
        self.result = None
        self.lock = threading.Lock()
        self.active = None

    @property
    def is_complete(self):
        return self.result is not None

    def claim(self, connection):
        """Ends the previous request, and waits until it has stored its bytes (section "Concurrency")."""
        previous = self.active
        if previous is not None and previous is not connection:
            try:
                previous.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.lock.acquire()
        self.active = connection

    def release(self):
        self.active = None
        self.lock.release()


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, folder, seed):
        super().__init__(("127.0.0.1", port), Handler)
        self.folder, self.uploads = folder, {}
        self.random = random.Random(seed) if seed is not None else None

    def fault(self):
        """The number of bytes after which the connection is lost, -1 for a lost response, or None."""
        if self.random is None or self.random.random() > 0.3:
            return None
        return self.random.choice([-1, 0, self.random.randrange(MAX_APPEND_SIZE)])

    def handle_error(self, request, address):
        pass


def integer(value):
    """The value of an item that is a non-negative integer (RFC 9651, section 3.3.1), or None."""
    return int(value) if value is not None and re.fullmatch(r"[0-9]{1,15}", value) else None


def boolean(value):
    """The value of an item that is a boolean (RFC 9651, section 3.3.6), or None."""
    return {"?0": False, "?1": True}.get(value)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def respond(self, status, headers=(), body=b""):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def refuse(self, status, problem, headers=()):
        """A response with problem details. The content was not read, so the connection is closed."""
        self.close_connection = True
        body = json.dumps({"type": PROBLEMS + problem, "title": problem.replace("-", " ")}).encode()
        common = [("Content-Type", "application/problem+json"), ("Upload-Complete", "?0"), ("Connection", "close")]
        self.respond(status, common + list(headers), body)

    def checked_upload(self):
        upload = self.server.uploads.get(self.path)
        if upload is None:
            self.refuse(404, "unknown-upload")
        return upload

    def do_POST(self):
        """Section "Upload Creation"."""
        is_complete = boolean(self.headers["Upload-Complete"])
        size = integer(self.headers["Content-Length"])
        if self.headers["Upload-Draft-Interop-Version"] != INTEROP_VERSION or is_complete is None or size is None:
            return self.refuse(400, "invalid-request")
        length = integer(self.headers["Upload-Length"])
        if is_complete and length not in (None, size) or length is not None and length < size:
            return self.refuse(400, "inconsistent-upload-length")
        if max(size, length or 0) > MAX_SIZE or size > MAX_APPEND_SIZE:
            return self.refuse(413, "too-large", [("Upload-Limit", LIMITS)])
        disposition = email.message.Message()
        disposition["Content-Disposition"] = self.headers["Content-Disposition"] or "inline"
        name = disposition.get_filename() or str(uuid.uuid4())
        upload = Upload(pathlib.PurePath(name).name, size if is_complete else length)
        path = f"/uploads/{uuid.uuid4()}"
        self.server.uploads[path] = upload
        self.send_response_only(104)
        for field in [("Upload-Draft-Interop-Version", INTEROP_VERSION), ("Location", path), ("Upload-Limit", LIMITS)]:
            self.send_header(*field)
        self.end_headers()
        upload.claim(self.connection)
        try:
            if self.receive(upload, size) and not is_complete:
                headers = [("Location", path), ("Upload-Limit", LIMITS), ("Upload-Complete", "?0")]
                self.respond(201, headers + [("Upload-Offset", str(size))])
            elif is_complete and len(upload.content) == size:
                self.complete(upload)
        finally:
            upload.release()

    def do_HEAD(self):
        """Section "Offset Retrieval"."""
        if (upload := self.checked_upload()) is None:
            return
        upload.claim(self.connection)
        try:
            headers = [
                ("Upload-Offset", str(len(upload.content))), ("Upload-Complete", "?1" if upload.is_complete else "?0"),
                ("Upload-Limit", LIMITS), ("Cache-Control", "no-store"),
            ]
            if upload.length is not None:
                headers.append(("Upload-Length", str(upload.length)))
            self.respond(204, headers)
        finally:
            upload.release()

    def do_PATCH(self):
        """Section "Upload Append"."""
        if (upload := self.checked_upload()) is None:
            return
        is_complete, offset = boolean(self.headers["Upload-Complete"]), integer(self.headers["Upload-Offset"])
        size = integer(self.headers["Content-Length"])
        if is_complete is None or offset is None or size is None:
            return self.refuse(400, "invalid-request")
        if self.headers["Content-Type"] != "application/partial-upload":
            return self.refuse(415, "unsupported-media-type")
        if size > MAX_APPEND_SIZE:
            return self.refuse(413, "too-large", [("Upload-Limit", LIMITS)])
        upload.claim(self.connection)
        try:
            if offset != len(upload.content):
                stored = str(len(upload.content))
                return self.refuse(409, "mismatching-upload-offset", [("Upload-Offset", stored)])
            if upload.is_complete:
                return self.complete(upload) if size == 0 else self.refuse(400, "completed-upload")
            length = upload.length if upload.length is not None else offset + size
            if offset + size > length or is_complete and offset + size != length:
                return self.refuse(400, "inconsistent-upload-length")
            if not self.receive(upload, size, is_complete):
                return
            if is_complete:
                self.complete(upload)
            else:
                self.respond(204, [("Upload-Complete", "?0"), ("Upload-Offset", str(len(upload.content)))])
        finally:
            upload.release()

    def do_DELETE(self):
        """Section "Upload Cancellation"."""
        if (upload := self.checked_upload()) is None:
            return
        upload.claim(self.connection)
        upload.release()
        del self.server.uploads[self.path]
        self.respond(204)

    def receive(self, upload, size, is_last=False):
        """Appends the content as it arrives, so that the bytes before an interruption are kept."""
        fault = self.server.fault() if size > 0 else None
        left = size if fault in (None, -1) else min(size, fault)
        while left > 0:
            try:
                part = self.rfile.read1(min(left, 65_536))
            except OSError:
                part = b""
            if not part:
                self.close_connection = True
                return False
            upload.content += part
            left -= len(part)
        if fault is None:
            return True
        if fault == -1 and is_last:
            self.finish_upload(upload)
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
        return False

    def finish_upload(self, upload):
        """Processes the representation, once."""
        if upload.is_complete:
            return
        content = bytes(upload.content)
        (self.server.folder / upload.name).write_bytes(content)
        upload.result = json.dumps({"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}).encode()

    def complete(self, upload):
        """The response of the targeted resource. For a completed upload, it is repeated."""
        self.finish_upload(upload)
        headers = [("Upload-Complete", "?1"), ("Content-Type", "application/json")]
        self.respond(200, headers, upload.result)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    Server(int(sys.argv[1]), folder, int(sys.argv[3]) if len(sys.argv) > 3 else None).serve_forever()
