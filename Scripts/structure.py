#!/usr/bin/env python3
"""Checks that the folders of each module are layers: they refer to each other in one direction only.

The references are those of the compiler's index, so members of extensions count too. Fails if folders form a cycle, and prints
for each step of the cycle one reference: the two files and the name. Fails also if a folder of the core or of the libcurl
transport (see LAYERS) refers to a folder above it.

usage: structure.py [--graph] BUILD
       structure.py --self-test
  BUILD: a debug build of the package that is up to date, such as .build/debug
  --graph: prints the folders of each module from the lowest, and the folders that each refers to
  --self-test: checks that a cycle and an upward reference are found
"""
import collections
import pathlib
import sys

import apple_modules
from index_store import IndexStore

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "Sources"

# The layers of the module Errand, from the lowest. All other folders are above them.
LAYERS = [
    {"Errand/" + folder for folder in (
        "BaseURLs Bodies BodyParsing CURL Coding Conditional Cookies Errors Files Messages Parsing Platform Progress "
        "Queries Redaction Redirects References Sessions Templates Time").split()},
    {"Errand/Platform/Curl"},
]


class Reference:
    """A line that refers to a declaration of another file."""

    def __init__(self, source, line, target, name):
        self.source, self.line, self.target, self.name = source, line, target, name

    def __str__(self):
        return f"{self.source}:{self.line} refers to {self.name} in {self.target}"


def references(build):
    """Yields each reference between two folders of one module. Paths are relative to `Sources`."""
    store = IndexStore(apple_modules.index_library(), build / "index" / "store")
    declared, used = {}, []
    for occurrence in store.occurrences():
        file = pathlib.Path(occurrence.file)
        if not file.is_relative_to(SOURCES) or not file.exists():
            continue
        file = file.relative_to(SOURCES)
        if occurrence.is_definition:
            declared.setdefault(occurrence.identifier, file)
        elif not occurrence.is_implicit:
            used.append((file, occurrence))
    for file, occurrence in used:
        target = declared.get(occurrence.identifier)
        if target and target.parts[0] == file.parts[0] and target.parent != file.parent:
            yield Reference(file, occurrence.line, target, occurrence.name)


def folder_graph(found):
    """The first reference from each folder to each other one."""
    graph = collections.defaultdict(dict)
    for reference in sorted(found, key=lambda each: (str(each.source), each.line)):
        graph[str(reference.source.parent)].setdefault(str(reference.target.parent), reference)
        graph.setdefault(str(reference.target.parent), {})
    return graph


def components(graph):
    """The strongly connected components, those without outgoing references first (Tarjan's algorithm)."""
    number, low, stack, result = {}, {}, [], []

    def visit(folder):
        number[folder] = low[folder] = len(number)
        stack.append(folder)
        for target in sorted(graph[folder]):
            if target not in number:
                visit(target)
            if target in stack:
                low[folder] = min(low[folder], low[target])
        if low[folder] == number[folder]:
            position = stack.index(folder)
            result.append(sorted(stack[position:]))
            del stack[position:]

    for folder in sorted(graph):
        if folder not in number:
            visit(folder)
    return result


def shortest_cycle(graph, members):
    """The shortest cycle within a component, as references."""
    best = None
    for start in members:
        ways, queue = {start: []}, collections.deque([start])
        while queue:
            folder = queue.popleft()
            for target, reference in sorted(graph[folder].items()):
                if target == start:
                    way = ways[folder] + [reference]
                    if best is None or len(way) < len(best):
                        best = way
                elif target in members and target not in ways:
                    ways[target] = ways[folder] + [reference]
                    queue.append(target)
    return best


def layer(folder):
    """The number of a folder's layer."""
    return next((number for number, folders in enumerate(LAYERS) if folder in folders), len(LAYERS))


def upward(graph):
    """The references from a folder to a folder of a higher layer."""
    return [
        reference for folder, targets in sorted(graph.items()) for target, reference in sorted(targets.items())
        if layer(target) > layer(folder)]


def self_test():
    """Checks the rules with references that break them."""
    def reference(source, target):
        return Reference(pathlib.Path(source, "A.swift"), 1, pathlib.Path(target, "B.swift"), "b")

    good = [reference("Errand/Sessions", "Errand/Errors"), reference("Errand/OAuth", "Errand/Sessions")]
    cycle = [*good, reference("Errand/Errors", "Errand/Messages"), reference("Errand/Messages", "Errand/Sessions")]
    climbing = [*good, reference("Errand/Cookies", "Errand/Links"), reference("Errand/Platform/Curl", "Errand/OAuth")]
    assert all(len(each) == 1 for each in components(folder_graph(good))) and not upward(folder_graph(good))
    assert [each for each in components(folder_graph(cycle)) if len(each) > 1] == [
        ["Errand/Errors", "Errand/Messages", "Errand/Sessions"]]
    assert len(shortest_cycle(folder_graph(cycle), ["Errand/Errors", "Errand/Messages", "Errand/Sessions"])) == 3
    assert [each.target.parts[1] for each in upward(folder_graph(climbing))] == ["Links", "OAuth"]
    unknown = [folder for folders in LAYERS for folder in folders if not (SOURCES / folder).is_dir()]
    assert not unknown, f"LAYERS names folders that do not exist: {unknown}"


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    arguments = [each for each in sys.argv[1:] if each != "--graph"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    graph = folder_graph(references(pathlib.Path(arguments[0]).resolve()))
    cycles = 0
    for members in components(graph):
        if "--graph" in sys.argv:
            for folder in members:
                print(f"{folder}: {', '.join(sorted(graph[folder])) or 'nothing'}")
        if len(members) > 1:
            cycles += 1
            print(f"{len(members)} folders form a cycle: {', '.join(members)}. The shortest cycle:")
            for reference in shortest_cycle(graph, members):
                print(f"  {reference}")
    climbing = upward(graph)
    for reference in climbing:
        print(f"a lower layer refers to a higher one: {reference}")
    print(f"{len(graph)} folders, {cycles} cycles, {len(climbing)} references to a higher layer", file=sys.stderr)
    sys.exit(bool(cycles or climbing))


main()
