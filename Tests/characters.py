"""A GraphQL server for the tests.

usage: characters.py PORT

It uses ariadne, the schema of the example, and the characters of the example's own server.
"""

import pathlib
import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

from ariadne import ObjectType, gql, make_executable_schema
from ariadne.wsgi import GraphQL
from graphql import GraphQLError

PAGE = 3
ROWS = [
    ("1", "Rick Sanchez", "Alive", "Human", "Male"),
    ("2", "Morty Smith", "Alive", "Human", "Male"),
    ("3", "Summer Smith", "Alive", "Human", "Female"),
    ("14", "Alien Morty", "unknown", "Alien", "Male"),
    ("18", "Antenna Morty", "Alive", "Human", "Male"),
    ("43", "Big Morty", "Dead", "Human", "Male"),
    ("118", "Evil Morty", "Alive", "Human", "Male"),
]
CHARACTERS = [
    {
        "id": id, "name": name, "status": status, "species": species, "type": "", "gender": gender,
        "image": f"https://characters.example/{id}.jpeg",
        "episode": [{"id": "1", "name": "Pilot", "air_date": "December 2, 2013"}],
    }
    for id, name, status, species, gender in ROWS
]

query = ObjectType("Query")


@query.field("character")
def character(_, info, id):
    return next((one for one in CHARACTERS if one["id"] == id), None)


@query.field("characters")
def characters(_, info, page=1, filter=None):
    wanted = {key: value for key, value in (filter or {}).items() if value is not None}
    found = [one for one in CHARACTERS if all(value.lower() in one[key].lower() for key, value in wanted.items())]
    pages = max(1, -(-len(found) // PAGE))
    page = page or 1
    if not 1 <= page <= pages:
        raise GraphQLError("404: Not Found")
    start = (page - 1) * PAGE
    return {
        "info": {
            "count": len(found), "pages": pages,
            "next": page + 1 if page < pages else None, "prev": page - 1 if page > 1 else None,
        },
        "results": found[start:start + PAGE],
    }


class Quiet(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


schema_file = pathlib.Path(__file__).parent.parent / "Examples" / "Characters" / "schema.graphql"
application = GraphQL(make_executable_schema(gql(schema_file.read_text()), query))
make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Quiet).serve_forever()
