#!/usr/bin/env python3
"""An HTTP/2 server that allows 250 streams for each connection, and responds to each request after 100 ms.

usage: streams.py CERTIFICATE KEY PORT-FILE    (requires the package h2)

It listens on a free port of 127.0.0.1, and writes the port's number to PORT-FILE when it is ready.
"""

import asyncio
import os
import ssl
import sys

import h2.config
import h2.connection
import h2.events
import h2.settings

STREAMS, DELAY = 250, 0.1


class Peer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding=None))
        self.h2.local_settings = h2.settings.Settings(
            client=False, initial_values={h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS: STREAMS})
        self.h2.initiate_connection()
        self.flush()

    def data_received(self, data):
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.RequestReceived):
                asyncio.get_running_loop().call_later(DELAY, self.respond, event.stream_id)
        self.flush()

    def respond(self, stream):
        if not self.transport.is_closing():
            self.h2.send_headers(stream, [(":status", "200"), ("content-length", "1")])
            self.h2.send_data(stream, b"x", end_stream=True)
            self.flush()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.transport.write(data)


async def main():
    certificate, key, port_file = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    server = await asyncio.get_running_loop().create_server(Peer, "127.0.0.1", 0, ssl=context)
    with open(port_file + ".new", "w") as file:
        file.write(str(server.sockets[0].getsockname()[1]))
    os.rename(port_file + ".new", port_file)
    await server.serve_forever()


asyncio.run(main())
