#!/usr/bin/env python3
"""A server of event streams that drops connections and expires tokens, for Tests/events.sh. It uses sockets only.

    Tests/event-server.py PORT EVENTS DROPS EXPIRIES SEED [--header-drops]

The path /s/N is an independent stream with EVENTS events, identified by 1 to EVENTS. A request continues after its
Last-Event-ID. DROPS bytes of each stream are chosen at random. When the stream reaches such a byte, the server closes or
resets the connection. With --header-drops, some connections also end within the header section.

All requests need the current bearer token. It expires at most EXPIRIES times, at random drops of any stream. Then each
request with it gets 401. A token expires only after the client received events of each open stream with it, because a
client sends a refused request only once more. POST /token renews it (RFC 6749, section 6): the refresh token is valid
once. GET /figures returns the numbers of drops, expiries, refreshes and refused requests, as JSON.
"""
import asyncio
import itertools
import json
import random
import socket
import struct
import sys
from urllib.parse import parse_qs

ENDINGS = ("\n", "\r\n", "\r")


def event(number):
    """Returns the event with this number. Its size and its line endings depend on the number."""
    end = ENDINGS[number % 3]
    comment = f": {'€' * (number % 40)}{end}" if number % 4 == 0 else ""
    text = json.dumps({"n": number, "text": "é" * (number % 30)}, ensure_ascii=False)
    return f"{comment}id: {number}{end}data: {text}{end}{end}".encode()


class Stream:
    """A stream and the bytes at which its connections are dropped."""

    def __init__(self, events, drops, rng):
        self.offsets = [0, *itertools.accumulate(len(event(number)) for number in range(1, events + 1))]
        self.drops = sorted(rng.randrange(self.offsets[-1]) for _ in range(drops))
        self.next = 0
        self.token, self.first_id, self.is_used = 0, 0, False
        self.is_finished = False
        self.header_drops = drops // 10

    def use(self, token, last_id):
        """Notes an accepted request. A later Last-Event-ID shows that the client received the first response."""
        if token != self.token:
            self.token, self.first_id, self.is_used = token, last_id, False
        self.is_used = self.is_used or last_id > self.first_id


class Server:
    def __init__(self, events, drops, expiries, seed, header_drops):
        self.rng = random.Random(seed)
        self.events, self.drop_count, self.has_header_drops = events, drops, header_drops
        self.streams = {}
        self.token, self.refresh_token, self.is_expired = 1, "r1", False
        self.planned = expiries
        self.figures = {"drops": 0, "header_drops": 0, "expiries": 0, "refreshes": 0, "refused": 0, "invalid": 0}

    async def serve(self, reader, writer):
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
                body = await reader.readexactly(int(fields.get("content-length", 0)))
                if not await self.respond(head[0].split(" ")[1], fields, body, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def respond(self, path, fields, body, writer):
        """Responds to a request. Returns whether the connection stays open."""
        if path == "/token":
            return self.renew(parse_qs(body.decode()), writer)
        if path == "/figures":
            left = sum(len(stream.drops) - stream.next for stream in self.streams.values())
            return self.reply(writer, "200 OK", {**self.figures, "drops_left": left})
        if path not in self.streams:
            self.streams[path] = Stream(self.events, self.drop_count, self.rng)
        if self.is_expired or fields.get("authorization") != f"Bearer t{self.token}":
            self.figures["refused"] += 1
            return self.reply(writer, "401 Unauthorized", {}, 'WWW-Authenticate: Bearer error="invalid_token"\r\n')
        return await self.send(self.streams[path], int(fields.get("last-event-id", 0)), writer)

    def renew(self, form, writer):
        if form.get("grant_type") != ["refresh_token"] or form.get("refresh_token") != [self.refresh_token]:
            self.figures["invalid"] += 1
            return self.reply(writer, "400 Bad Request", {"error": "invalid_grant"})
        self.figures["refreshes"] += 1
        self.token += 1
        self.refresh_token, self.is_expired = f"r{self.token}", False
        token = {"access_token": f"t{self.token}", "token_type": "Bearer", "refresh_token": self.refresh_token}
        return self.reply(writer, "200 OK", token)

    @staticmethod
    def reply(writer, status, value, fields=""):
        body = json.dumps(value).encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{fields}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        return True

    async def send(self, stream, last, writer):
        """Sends the events after the last one until the next drop or the end of the stream."""
        if last >= self.events:
            stream.is_finished = True
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
            return True
        is_chunked = self.rng.random() < 0.5
        framing = "Transfer-Encoding: chunked" if is_chunked else "Connection: close"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{framing}\r\n\r\n".encode()
        if self.has_header_drops and stream.header_drops > 0 and self.rng.random() < 0.2:
            stream.header_drops -= 1
            self.figures["header_drops"] += 1
            return await self.drop(head[: self.rng.randrange(len(head))], writer)
        writer.write(head)
        stream.use(self.token, last)
        start = stream.offsets[last]
        end = stream.drops[stream.next] if stream.next < len(stream.drops) else None
        await self.send_events(stream, last, None if end is None else end - start, is_chunked, writer)
        if end is None:
            writer.write(b"0\r\n\r\n" if is_chunked else b"")
            return is_chunked
        stream.next += 1
        self.figures["drops"] += 1
        self.expire_at_random()
        return await self.drop(b"", writer)

    async def send_events(self, stream, last, limit, is_chunked, writer):
        """Sends events, at most the given number of bytes, in parts of random size."""
        number, sent = last + 1, 0
        while number <= self.events and (limit is None or sent < limit):
            count = self.rng.randrange(1, 400)
            part = b"".join(event(each) for each in range(number, min(number + count, self.events + 1)))
            number += count
            part = part if limit is None else part[: limit - sent]
            sent += len(part)
            # A chunk that the drop truncates declares more bytes than it has.
            size = len(part) + (limit is not None and sent == limit)
            writer.write(b"%x\r\n%b%b" % (size, part, b"\r\n" if size == len(part) else b"") if is_chunked else part)
            await writer.drain()

    def expire_at_random(self):
        """Lets the token expire, so that all expiries are distributed over all drops."""
        open_streams = [stream for stream in self.streams.values() if not stream.is_finished]
        if any(stream.token != self.token or not stream.is_used for stream in open_streams):
            return
        rest = max(1, self.drop_count * max(1, len(self.streams)) - self.figures["drops"] + 1)
        if not self.is_expired and self.planned > 0 and self.rng.random() < 1.5 * self.planned / rest:
            self.planned -= 1
            self.figures["expiries"] += 1
            self.is_expired = True

    async def drop(self, data, writer):
        """Sends the bytes, and closes or resets the connection. Returns `False`."""
        writer.write(data)
        await writer.drain()
        if self.rng.random() < 0.5:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        return False


async def main():
    port, events, drops, expiries, seed = (int(text) for text in sys.argv[1:6])
    server = Server(events, drops, expiries, seed, "--header-drops" in sys.argv)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", port)
    async with listener:
        await listener.serve_forever()


asyncio.run(main())
