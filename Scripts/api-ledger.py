"""Prints the public declarations of a library's symbol graphs, sorted: `api-ledger.py FOLDER MODULE`."""

import json
import pathlib
import sys

# The conformances of every type by default.
IMPLICIT = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype", "Swift.BitwiseCopyable"}
# The conformances that a type of another module already has. The graph repeats them if an extension adds a conformance
# that refines them.
IMPLIED = IMPLICIT | {"Swift.Sendable", "Swift.Equatable", "Swift.Hashable"}
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol"}


def texts(constraints):
    """Constraints in Swift syntax: `T: P`, `U == V`."""
    return {
        f"{each['lhs']}{' ==' if each['kind'] == 'sameType' else ':'} {each['rhs']}"
        for each in constraints or []
        if f"Swift.{each['rhs']}" not in IMPLICIT
    }


class Ledger:
    """The declarations in the symbol graphs of one library."""

    def __init__(self, files):
        graphs = [json.loads(file.read_text()) for file in files]
        self.symbols = {each["identifier"]["precise"]: each for graph in graphs for each in graph["symbols"]}
        self.relationships = [each for graph in graphs for each in graph["relationships"]]
        types = [each for each in self.symbols.values() if each["kind"]["identifier"] in TYPES]
        self.own = {path(each): texts(each.get("swiftGenerics", {}).get("constraints")) for each in types}
        self.versions = {path(each): introduced(each) for each in types}
        self.roles = {}
        for each in self.relationships:
            if each["kind"] == "requirementOf":
                self.roles[each["source"]] = "requirement "
            elif each["kind"] == "defaultImplementationOf":
                self.roles.setdefault(each["source"], "default ")

    def count_of_types(self):
        """The number of public types that are not nested."""
        types = [each for each in self.symbols.values() if each["kind"]["identifier"] in TYPES]
        return sum(is_public(each) and len(each["pathComponents"]) == 1 for each in types)

    def lines(self):
        for identifier, symbol in self.symbols.items():
            if is_written(symbol):
                yield self.declaration(identifier, symbol)
        for each in self.relationships:
            source = self.symbols.get(each["source"])
            if each["kind"] in ("conformsTo", "inheritsFrom") and source and is_public(source):
                yield from self.conformance(each, source)

    def declaration(self, identifier, symbol):
        words = " ".join("".join(part["spelling"] for part in symbol["declarationFragments"]).split())
        old = "deprecated " if any("deprecated" in str(each).lower() for each in symbol.get("availability", [])) else ""
        extension = symbol.get("swiftExtension", {}).get("constraints")
        return f"{path(symbol)}{self.where(extension, symbol)}  {self.since(symbol)}{old}{self.roles.get(identifier, '')}{words}"

    def since(self, symbol):
        """The iOS version that a declaration requires, if it differs from that of its type."""
        mine, outer = introduced(symbol), ".".join(symbol["pathComponents"][:-1])
        return f"@available(iOS {mine}) " if mine and mine != self.versions.get(outer) else ""

    def conformance(self, relationship, source):
        is_ours = source["kind"]["identifier"] != "swift.extension"
        target = self.symbols.get(relationship["target"])
        name = path(target) if target else relationship.get("targetFallback", "")
        if not name or name in (IMPLICIT if is_ours else IMPLIED):
            return
        # The module of a protocol in the toolchain is not part of this library's API.
        name = name if target else name.split(".", 1)[-1]
        yield f"{path(source)}: {name}{self.where(relationship.get('swiftConstraints'), source)}"

    def where(self, constraints, symbol):
        """The constraints of an extension, without those of the extended type."""
        parts = symbol["pathComponents"]
        known = set().union(*(self.own.get(".".join(parts[:count]), set()) for count in range(1, len(parts) + 1)))
        left = sorted(texts(constraints) - known)
        return " where " + ", ".join(left) if left else ""


def introduced(symbol):
    """The iOS version that introduced a declaration, or None without an `@available`."""
    for each in symbol.get("availability", []):
        if each.get("domain") == "iOS" and "introduced" in each:
            return each["introduced"]["major"]


def path(symbol):
    return ".".join(symbol["pathComponents"])


def is_public(symbol):
    return not any(part.startswith("_") for part in symbol["pathComponents"])


def is_written(symbol):
    """Whether a declaration is in a source file. Of those that the compiler adds, only `init(rawValue:)` counts."""
    if not is_public(symbol) or symbol["kind"]["identifier"] == "swift.extension":
        return False
    return "location" in symbol or symbol["pathComponents"][-1] == "init(rawValue:)"


folder, module = pathlib.Path(sys.argv[1]), sys.argv[2]
ledger = Ledger([folder / f"{module}.symbols.json", *folder.glob(f"{module}@*.symbols.json")])
lines = sorted(set(ledger.lines()))
declarations = sum("  " in line for line in lines)
print(f"# {ledger.count_of_types()} top-level types, {declarations} declarations, {len(lines) - declarations} conformances.")
print("\n".join(lines))
