"""Apple's symbols, with the version that introduced each and its documentation page."""
import collections
import json
import pathlib
import re

# In these modules, a symbol without a version is available on every system that Swift supports.
UNVERSIONED = {"Swift", "_Concurrency", "_StringProcessing", "Observation", "FoundationEssentials", "Darwin", "DarwinTypes",
               "AppleFoundation"}
FIRST = {"macOS": (10, 10), "iOS": (8, 0)}
SITE = "https://developer.apple.com/documentation"
NAMES = {"_Concurrency": "swift", "_StringProcessing": "swift", "FoundationEssentials": "foundation",
         "FoundationInternationalization": "foundation", "FoundationNetworking": "foundation", "AppleFoundation": "foundation"}


def version(text):
    numbers = [int(part) for part in text.split(".")]
    return (*numbers, 0)[:2]


def read_table(path):
    """The versions by symbol. A line in brackets names the versions of the symbols below it."""
    table, versions = {}, None
    for line in path.read_text().split("\n"):
        line = line.split("#")[0].strip()
        if line.startswith("["):
            versions = {system: version(number) for system, number in re.findall(r"(\w+) ([\d.]+)", line)}
        elif line:
            table[line] = versions
    return table


def identifier_hash(identifier):
    """The suffix that distinguishes overloads in the documentation. It is DocC's FNV-1 hash with 24 bits, in base 36."""
    number, digits = 0x811C9DC5, ""
    for byte in identifier.encode():
        number = number * 0x01000193 % 2**32 ^ byte
    number = number >> 24 ^ number & 0xFFFFFF
    while number:
        number, digit = divmod(number, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return digits


def rank(file):
    """The sort key of a module in its folder. A module that others import comes first."""
    order = ["DarwinTypes", "Darwin", "AppleFoundation"]
    module = file.name.split(".")[0]
    return order.index(module) if module in order else len(order), module


class Symbol:
    def __init__(self, module, graph):
        self.module, self.parts, self.kind = module, graph["pathComponents"], graph["kind"]["identifier"]
        self.identifier, self.location = graph["identifier"]["precise"], graph.get("location")
        self.name = ".".join([module, *self.parts])
        self.versions = {
            each["domain"]: (each["introduced"]["major"], each["introduced"].get("minor", 0))
            for each in graph.get("availability", []) if each.get("domain") in FIRST and "introduced" in each}


class Symbols:
    def __init__(self, folders, table):
        self.known, self.table = {}, read_table(table)
        self.unused = set(self.table)
        for folder in folders:
            # A stub that imports another one contains its symbols, too.
            for file in sorted(folder.glob("*.symbols.json"), key=rank):
                module = file.name.split(".")[0].split("@")[0]
                for each in json.loads(file.read_text())["symbols"]:
                    self.known.setdefault(each["identifier"]["precise"], Symbol(module, each))
        self.kinds = collections.defaultdict(list)
        for symbol in self.known.values():
            self.kinds[symbol.name.lower()].append(symbol.kind)

    def versions(self, symbol):
        """The versions that introduced a symbol, or None if they are unknown."""
        self.unused.discard(symbol.name)
        if symbol.name in self.table:
            return self.table[symbol.name]
        if symbol.versions or symbol.module in UNVERSIONED:
            return FIRST | symbol.versions
        return None

    def page(self, symbol):
        if symbol.location and "/Tests/AppleStubs/" in symbol.location["uri"]:
            return stub_page(symbol.location)
        module = NAMES.get(symbol.module, symbol.module.lower())
        parts, kinds = [part.replace("/", "_") for part in symbol.parts], self.kinds[symbol.name.lower()]
        if len(kinds) > 1 and kinds.count(symbol.kind) == 1:
            parts[-1] += f"-{symbol.kind}"
        elif len(kinds) > 1 and module == "swift":
            parts[-1] += f"-{identifier_hash(symbol.identifier)}"
        elif len(kinds) > 1:
            parts.pop()  # Apple's Foundation has other identifiers, but the type's page lists the overloads
        return "/".join([SITE, module, *parts]).lower()


def stub_page(location):
    """The URL in the comment above a stub's declaration."""
    lines = pathlib.Path(location["uri"].removeprefix("file://")).read_text().split("\n")[:location["position"]["line"] + 1]
    for line in reversed(lines):
        if found := re.search(r"// (https:\S+)", line):
            return found[1]
    return ""
