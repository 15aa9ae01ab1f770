"""A TLS server whose responses are cut short or broken, for the fault suite of CurlSession.

usage: http2.py CERTIFICATE KEY PORT-FILE

It listens on a free port of 127.0.0.1 over TLS, and writes the port's number to PORT-FILE when it is ready. A path
selects the response: `/FAULT/LENGTH/MOMENT/PACE`, such as `/reset-no-error/with/after/later`. LENGTH is `with` or
`without` a Content-Length header, or `deflate` or `gzip` for a content coding without one. MOMENT is `before` or
`after` the first DATA frame. PACE is `at-once` if the fault is sent together with the preceding frames, or `later`.
`/good/NAME` is a complete response. `/wait` sends a header section and never ends. Over HTTP/1.1, `/http1/ENDING` sends
a body without a length and ends the connection: `fin` without a close_notify alert, `close-notify` with one, or `abort`
with a TCP reset.
"""

import gzip
import os
import socket
import ssl
import sys
import threading
import time
import zlib

import h2.config
import h2.connection
import h2.events
from hpack import Encoder
from hyperframe.frame import GoAwayFrame

BODY = b"0123456789" * 2
HALF = BODY[:10]


def raw(kind, flags, stream, payload, length=None):
    """Returns a frame with any header. The classes of hyperframe refuse most faults."""
    size = len(payload) if length is None else length
    return size.to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def data(stream, payload, flags=0):
    return raw(0, flags, stream, payload)


# Frame types (RFC 9113, section 6).
HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, WINDOW_UPDATE, CONTINUATION = 1, 2, 3, 4, 5, 6, 8, 9

# The bytes that follow a partial response. Each makes the response incomplete or the connection invalid.
FAULTS = {
    "reset-no-error": lambda s: raw(RST_STREAM, 0, s, (0).to_bytes(4, "big")),
    "reset-cancel": lambda s: raw(RST_STREAM, 0, s, (8).to_bytes(4, "big")),
    "reset-internal-error": lambda s: raw(RST_STREAM, 0, s, (2).to_bytes(4, "big")),
    "padding-too-long": lambda s: data(s, bytes([200]) + b"ab", flags=0x8),
    "padding-too-long-at-the-end": lambda s: data(s, bytes([200]) + b"ab", flags=0x9),
    "data-on-stream-0": lambda s: data(0, b"ab"),
    "data-on-an-idle-stream": lambda s: data(s + 100, b"ab"),
    "ping-of-7-bytes": lambda s: raw(PING, 0, 0, b"1234567"),
    "settings-of-5-bytes": lambda s: raw(SETTINGS, 0, 0, b"12345"),
    "window-update-of-3-bytes": lambda s: raw(WINDOW_UPDATE, 0, 0, b"123"),
    "window-update-of-0": lambda s: raw(WINDOW_UPDATE, 0, 0, bytes(4)),
    "stray-continuation": lambda s: raw(CONTINUATION, 4, s, b""),
    "push-promise": lambda s: raw(PUSH_PROMISE, 4, s, (2).to_bytes(4, "big") + Encoder().encode(
        [(":method", "GET"), (":path", "/"), (":scheme", "https"), (":authority", "localhost")])),
    "oversize-frame": lambda s: raw(0, 0, s, bytes(20_000)),
    "bad-hpack": lambda s: raw(HEADERS, 5, s, b"\xff\xff\xff\xff\xff\xff"),
    "second-headers": lambda s: raw(HEADERS, 4, s, Encoder().encode([(":status", "200")])),
    "garbage": lambda s: b"this is no frame at all, only text that somebody wrote here",
    "go-away": lambda s: GoAwayFrame(0, last_stream_id=s, error_code=0).serialize(),
    "go-away-of-an-older-stream": lambda s: GoAwayFrame(0, last_stream_id=0, error_code=2).serialize(),
    "close": lambda s: b"",
    "close-notify": lambda s: b"",
    "close-notify-on-an-open-connection": lambda s: b"",
    "abort": lambda s: b"",
}


class Client:
    """One connection. TLS runs in memory, so that a close_notify alert can be sent separately."""

    def __init__(self, connection, context):
        self.socket = connection
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.is_open = True

    def flush(self):
        sent = self.outgoing.read()
        if sent:
            self.socket.sendall(sent)

    def pump(self, step):
        """Repeats a TLS operation until it succeeds. Returns None at the end of the connection."""
        while True:
            try:
                result = step()
                self.flush()
                return result
            except ssl.SSLWantReadError:
                self.flush()
                received = self.socket.recv(65536)
                if not received:
                    return None
                self.incoming.write(received)

    def write(self, frames):
        self.tls.write(frames)
        self.flush()

    def run(self):
        try:
            self.pump(self.tls.do_handshake)
            if self.tls.selected_alpn_protocol() != "h2":
                return self.respond_over_http1()
            self.h2.initiate_connection()
            self.write(self.h2.data_to_send())
            while self.is_open:
                received = self.pump(lambda: self.tls.read(65536))
                if not received:
                    return
                for event in self.h2.receive_data(received):
                    if isinstance(event, h2.events.RequestReceived):
                        self.respond(event.stream_id, {k.decode(): v.decode() for k, v in event.headers})
                    elif isinstance(event, h2.events.ConnectionTerminated) and event.error_code:
                        self.is_open = False
                pending = self.h2.data_to_send()
                if pending and self.is_open:
                    self.write(pending)
        except (OSError, ssl.SSLError, h2.exceptions.ProtocolError):
            pass
        finally:
            self.socket.close()

    def respond_over_http1(self):
        received = b""
        while not received.endswith(b"\r\n\r\n"):
            received += self.pump(lambda: self.tls.read(65536)) or b"\r\n\r\n"
        ending = received.split()[1].split(b"/")[-1]
        self.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + HALF)
        # The client reads the body before the end of the connection.
        time.sleep(0.02)
        if ending == b"close-notify":
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                pass
            self.flush()
        if ending == b"abort":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        else:
            self.socket.shutdown(socket.SHUT_WR)
            # Reads until the client closes the connection, so that no reset follows.
            while self.socket.recv(65536):
                pass

    def head(self, stream, status, *headers, ends=False):
        block = self.h2.encoder.encode([(":status", status), *headers])
        return raw(HEADERS, 5 if ends else 4, stream, block)

    def respond(self, stream, request):
        parts = request[":path"].strip("/").split("/")
        if parts[0] == "faults":
            body = "\n".join(FAULTS).encode()
            self.write(self.head(stream, "200", ("content-length", str(len(body)))) + data(stream, body, 1))
        elif parts[0] == "good":
            self.good(stream, parts[1])
        elif parts[0] == "wait":
            self.write(self.head(stream, "200", ("content-length", "10")))
        else:
            self.fail(stream, *parts)

    def good(self, stream, name):
        def packed(coding, body):
            return self.head(stream, "200", ("content-encoding", coding)) + data(stream, body, 1)
        length = [("content-length", str(len(BODY)))]
        self.write({
            "length": lambda: self.head(stream, "200", *length) + data(stream, BODY, 1),
            "deflate": lambda: packed("deflate", zlib.compress(BODY)),
            # Complete, but another member could have followed.
            "gzip": lambda: packed("gzip", gzip.compress(BODY)),
            "no-content": lambda: self.head(stream, "204", ends=True),
            "head": lambda: self.head(stream, "200", *length, ends=True),
            "empty": lambda: self.head(stream, "200", ("content-length", "0"), ends=True),
            # Complete, but libcurl's caller cannot verify it.
            "unproved": lambda: self.head(stream, "200") + data(stream, BODY, 1),
        }[name]())

    def fail(self, stream, fault, length, moment, pace):
        headers = [("content-length", str(len(BODY)))] if length == "with" else []
        # For gzip, only the first of two members is sent. For deflate, the data is truncated.
        bodies = {"gzip": gzip.compress(HALF), "deflate": zlib.compress(BODY)[:-6]}
        if length in bodies:
            headers = [("content-encoding", length)]
        body = bodies.get(length, HALF)
        frames = self.head(stream, "200", *headers)
        if moment == "after":
            frames += data(stream, body)
        if pace == "later":
            self.write(frames)
            time.sleep(0.02)
            frames = b""
        self.write(frames + FAULTS[fault](stream))
        if fault.startswith("close-notify"):
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                pass
            self.flush()
        # After a GOAWAY or PUSH_PROMISE frame a server may continue. This one closes the connection.
        if fault in ("close", "close-notify", "go-away", "push-promise"):
            self.socket.shutdown(socket.SHUT_RDWR)
            self.is_open = False
        if fault == "abort":
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.is_open = False
        if fault == "close-notify-on-an-open-connection":
            # Reads until the client closes the connection.
            while self.socket.recv(65536):
                pass
            self.is_open = False


def main():
    certificate, key, port_file = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "http/1.1"])
    listener = socket.create_server(("127.0.0.1", 0))
    with open(port_file + ".new", "w") as file:
        file.write(str(listener.getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=Client(connection, context).run, daemon=True).start()


main()
