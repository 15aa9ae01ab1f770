"""GraphQL servers with subscriptions over server-sent events and with file uploads, for the tests.

usage: graphql-events.py PORT

It serves the same schema with two libraries: ariadne at /ariadne and strawberry at /strawberry. `count` emits the numbers
from 1 to its argument, and `resume` those after the numbers that the client has received. The header `X-Drop-After: N` ends
the connection of a client (`X-Client`) after N events, once. `wait` emits one number and then only comments, and `active` is
the number of clients that wait. `fail` emits a number and then an error. The service at /without-events does not support
subscriptions over events.
The service at /single has a single connection mode. A request to /single/drop ends its event streams, and /single/state is
the number of open streams and of operations. The service at /incremental supports `@defer` and `@stream`. Its field `wait`
responds when another request has called `go`.
"""

import asyncio
import inspect
import json
import sys
import uuid
from collections.abc import AsyncGenerator

import graphql
import strawberry
import uvicorn
from ariadne import MutationType, QueryType, SubscriptionType, gql, make_executable_schema, upload_scalar
from ariadne.asgi import GraphQL
from ariadne.contrib.sse import GraphQLHTTPSSEHandler
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from strawberry.asgi import GraphQL as StrawberryGraphQL
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import GRAPHQL_SSE_PROTOCOL

PING = 1

SCHEMA = gql("""
    scalar Upload
    type Query { active: Int! }
    type File { name: String! size: Int! note: String! }
    type Mutation { save(note: String!, files: [Upload!]!): [File!]! }
    type Subscription { count(to: Int!): Int! resume(to: Int!, client: String!): Int! wait: Int! fail: Int }
""")


async def numbers(to):
    for number in range(1, to + 1):
        yield number
        await asyncio.sleep(0)


delivered = {}


async def numbers_after_loss(to, client):
    """Continues after the numbers that the client has received."""
    for number in range(delivered.get(client, 0) + 1, to + 1):
        yield number
        await asyncio.sleep(0)


class DroppingConnections:
    """Ends the connection after the number of events in the header `X-Drop-After`, once for each `X-Client`."""

    def __init__(self, app):
        self.app = app
        self.dropped = set()

    async def __call__(self, scope, receive, send):
        headers = dict(scope.get("headers", []))
        client, limit = headers.get(b"x-client"), int(headers.get(b"x-drop-after", b"0"))
        if not limit or client in self.dropped:
            return await self.app(scope, receive, send)
        events = 0

        async def counting(message):
            nonlocal events
            await send(message)
            events += message.get("body", b"").count(b"event: next")
            if events >= limit:
                self.dropped.add(client)
                delivered[client.decode()] = events
                raise ConnectionResetError

        try:
            await self.app(scope, receive, counting)
        except* ConnectionResetError:
            # The response is not complete, so the server closes the connection.
            pass


active = 0


async def one_number():
    global active
    active += 1
    try:
        yield 1
        await asyncio.sleep(600)
    finally:
        active -= 1


async def failure():
    yield 1
    raise ValueError("no more numbers")


async def facts(note, files):
    return [{"name": file.filename, "size": len(await file.read()), "note": note} for file in files]


query, mutation, subscription = QueryType(), MutationType(), SubscriptionType()
query.set_field("active", lambda *_: active)


@mutation.field("save")
async def save(_, info, note, files):
    return await facts(note, files)


@subscription.source("count")
async def count_source(_, info, to):
    async for number in numbers(to):
        yield number


@subscription.source("resume")
async def resume_source(_, info, to, client):
    async for number in numbers_after_loss(to, client):
        yield number


@subscription.source("wait")
async def wait_source(_, info):
    async for number in one_number():
        yield number


@subscription.source("fail")
async def fail_source(_, info):
    async for number in failure():
        yield number


for name in ["count", "resume", "wait", "fail"]:
    subscription.set_field(name, lambda number, info, **_: number)


@strawberry.type
class File:
    name: str
    size: int
    note: str


@strawberry.type
class Query:
    @strawberry.field
    def active(self) -> int:
        return active


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def save(self, note: str, files: list[Upload]) -> list[File]:
        return [File(**one) for one in await facts(note, files)]


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count(self, to: int) -> AsyncGenerator[int, None]:
        async for number in numbers(to):
            yield number

    @strawberry.subscription
    async def resume(self, to: int, client: str) -> AsyncGenerator[int, None]:
        async for number in numbers_after_loss(to, client):
            yield number

    @strawberry.subscription
    async def wait(self) -> AsyncGenerator[int, None]:
        async for number in one_number():
            yield number

    @strawberry.subscription
    async def fail(self) -> AsyncGenerator[int | None, None]:
        async for number in failure():
            yield number


@strawberry.type
class Film:
    title: str

    @strawberry.field
    async def year(self) -> int:
        await asyncio.sleep(0)
        return 1977


@strawberry.type
class World:
    name: str

    @strawberry.field
    async def climate(self) -> str:
        await asyncio.sleep(0)
        return "dry"


gates = {}


@strawberry.type
class Person:
    name: str
    home: World

    @strawberry.field
    async def films(self, to: int = 3) -> strawberry.Streamable[Film]:
        for number in range(1, to + 1):
            await asyncio.sleep(0)
            yield Film(title=f"film {number}")

    @strawberry.field
    async def broken(self) -> str | None:
        raise ValueError("no planet")

    @strawberry.field
    async def required(self) -> str:
        raise ValueError("no planet")

    @strawberry.field
    async def wait(self, gate: str) -> str:
        await gates.setdefault(gate, asyncio.Event()).wait()
        return "opened"


@strawberry.type
class IncrementalQuery:
    @strawberry.field
    def person(self) -> Person:
        return Person(name="Luke", home=World(name="Tatooine"))

    @strawberry.field
    def go(self, gate: str) -> bool:
        gates.setdefault(gate, asyncio.Event()).set()
        return True


class SingleConnections:
    """Single connection mode, written from the protocol's text: the app reserves streams (PUT), opens them (GET), executes
    operations (POST) and stops them (DELETE)."""

    def __init__(self, schema):
        self.schema = schema
        self.streams = {}

    async def respond(self, request):
        if request.method == "PUT":
            token = uuid.uuid4().hex
            self.streams[token] = Stream()
            return PlainTextResponse(token, status_code=201)
        stream = self.streams.get(request.headers.get("X-GraphQL-Event-Stream-Token"))
        if stream is None:
            return JSONResponse({"errors": [{"message": "stream not found"}]}, status_code=404)
        if request.method == "GET":
            return self.open(request.headers["X-GraphQL-Event-Stream-Token"], stream)
        if request.method == "DELETE":
            stream.stop(request.query_params["operationId"])
            return Response(status_code=200)
        return await self.execute(await request.json(), stream)

    def open(self, token, stream):
        if stream.is_open:
            return JSONResponse({"errors": [{"message": "stream already open"}]}, status_code=409)

        stream.is_open = True

        async def events():
            yield ":\n\n"
            while (event := await stream.events.get()) is not None:
                yield event

        def close():
            del self.streams[token]
            stream.stop_all()

        return EventStreamResponse(events(), close)

    async def execute(self, body, stream):
        operation = (body.get("extensions") or {}).get("operationId")
        if not operation:
            return JSONResponse({"errors": [{"message": "operation ID is missing"}]}, status_code=400)
        if operation in stream.operations:
            return JSONResponse({"errors": [{"message": "operation exists"}]}, status_code=409)
        try:
            document = graphql.parse(body["query"])
        except graphql.GraphQLError as error:
            return JSONResponse({"errors": [error.formatted]}, status_code=400)
        errors = graphql.validate(self.schema, document)
        if errors:
            return JSONResponse({"errors": [error.formatted for error in errors]}, status_code=400)
        results = graphql.subscribe(self.schema, document, variable_values=body.get("variables"))
        if inspect.isawaitable(results):
            results = await results
        stream.start(operation, results)
        return Response(status_code=202)

    async def drop(self, request):
        """Ends all streams."""
        for stream in list(self.streams.values()):
            stream.events.put_nowait(None)
        return PlainTextResponse(str(len(self.streams)))

    async def state(self, request):
        streams = [stream for stream in self.streams.values() if stream.is_open]
        return JSONResponse({"streams": len(streams), "operations": sum(len(each.operations) for each in streams)})


class EventStreamResponse(StreamingResponse):
    """Calls a function after the client has disconnected, also if the stream has not started."""

    def __init__(self, events, close):
        super().__init__(events, media_type="text/event-stream")
        self.close = close

    async def __call__(self, scope, receive, send):
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.close()


class Stream:
    """An event stream and its operations."""

    def __init__(self):
        self.events = asyncio.Queue()
        self.operations = {}
        self.is_open = False

    def start(self, operation, results):
        self.operations[operation] = asyncio.create_task(self.send(operation, results))

    async def send(self, operation, results):
        async for result in results:
            self.put("next", {"id": operation, "payload": result.formatted})
        self.put("complete", {"id": operation})
        del self.operations[operation]

    def put(self, event, data):
        self.events.put_nowait(f"event: {event}\ndata: {json.dumps(data)}\n\n")

    def stop(self, operation):
        task = self.operations.pop(operation, None)
        if task:
            task.cancel()

    def stop_all(self):
        for operation in list(self.operations):
            self.stop(operation)


def incremental():
    config = StrawberryConfig(enable_experimental_incremental_execution=True)
    return StrawberryGraphQL(strawberry.Schema(query=IncrementalQuery, config=config))


def main():
    schema = make_executable_schema(SCHEMA, query, mutation, subscription, upload_scalar)
    single = SingleConnections(schema)
    ariadne = GraphQL(
        schema,
        http_handler=GraphQLHTTPSSEHandler(ping_interval=PING),
    )
    types = strawberry.Schema(query=Query, mutation=Mutation, subscription=Subscription)
    app = Starlette(
        routes=[
            Mount("/ariadne", DroppingConnections(ariadne)),
            Mount(
                "/strawberry",
                DroppingConnections(
                    StrawberryGraphQL(
                        types, multipart_uploads_enabled=True, subscription_protocols=[GRAPHQL_SSE_PROTOCOL]
                    )
                ),
            ),
            Mount("/without-events", StrawberryGraphQL(types)),
            Mount("/incremental", incremental()),
            Route("/single", single.respond, methods=["PUT", "GET", "POST", "DELETE"]),
            Route("/single/drop", single.drop),
            Route("/single/state", single.state),
        ]
    )
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
