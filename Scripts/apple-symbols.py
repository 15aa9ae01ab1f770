"""Compiles the library targets for Apple systems at their minimum versions, and lists the symbols of Apple that they use.

usage: apple-symbols.py SCRATCH TABLE [--list]

The compiler rejects symbols that are newer than the minimum version and used outside of `@available`. The modules for Linux
contain the versions of the standard library and of FoundationEssentials. TABLE contains those of the rest of Foundation.
"""
import graphlib
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys

import apple_modules
from apple_symbol_graphs import Symbols, version
from apple_sources import Broken, copy, package
from index_store import IndexStore

check = importlib.import_module("apple-check")
SYSTEMS = {"macOS": "macos", "iOS": "ios"}


def minimum_versions(root):
    dumped = json.loads(subprocess.run(
        ["swift", "package", "--package-path", root, "dump-package"], capture_output=True, check=True).stdout)
    versions = {each["platformName"]: each["version"] for each in dumped["platforms"]}
    return {system: versions[name] for system, name in SYSTEMS.items()}


class Build:
    """The library targets and their stubs, compiled for one system, with an index."""

    def __init__(self, scratch, system, versions):
        self.scratch, self.system = scratch / system, system
        self.flags = apple_modules.flags(self.scratch, system, versions)
        self.output, self.index, self.graphs = (self.scratch / name for name in ("output", "index", "graphs"))
        self.output.mkdir()
        self.graphs.mkdir()
        self.commands = {}  # by source file: the flags and the sources of its module

    def compile(self, root, targets):
        jobs = dict(check.stub_jobs(self.system, root)) | dict(
            check.target_jobs(self.system, None, root, *targets, None))
        wanted = [key for key, job in jobs.items() if job.sources and job.sources[0].startswith("Sources/")]
        order = list(graphlib.TopologicalSorter({key: job.needs for key, job in jobs.items()}).static_order())
        needed = self.closure(wanted, jobs)
        for key in order:
            if key in needed:
                self.run(jobs[key], root)

    @staticmethod
    def closure(keys, jobs):
        seen, rest = set(), list(keys)
        while rest:
            key = rest.pop()
            if key not in seen:
                seen.add(key)
                rest += jobs[key].needs
        return seen

    def run(self, job, root):
        nulls, units = self.scratch / "nulls", self.scratch / "units"
        nulls.write_text(f"{os.devnull}\n" * len(job.sources))
        units.write_text("".join(f"/{job.module}/{index}.o\n" for index in range(len(job.sources))))
        flags = ["-module-name", job.module, "-module-cache-path", self.scratch / "cache", "-I", self.output,
                 *(part for part in self.flags if part != "-Xfrontend"), *job.flags]
        self.commands |= {str(root / source): (root, flags, source, job.sources) for source in job.sources}
        graph = ["-emit-symbol-graph", "-emit-symbol-graph-dir", self.graphs] if job.name.startswith("the stub") else []
        # The SIL passes also check values that are sent to another isolation. They do not need the code of other modules,
        # and the compiler crashes on standard library code that differs between Linux and Apple's platforms.
        result = subprocess.run(
            ["swiftc", "-frontend", "-emit-sil", "-Xllvm", "-sil-disable-pass=mandatory-linker", "-output-filelist", nulls,
             "-num-threads", "1", "-emit-module-path", self.output / f"{job.module}.swiftmodule", "-index-store-path", self.index,
             "-index-unit-output-path-filelist", units, *graph, *flags, *job.sources],
            cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if result.returncode:
            lines = result.stdout.split("\n")
            errors = [line for line in lines if re.match(r"\S.*(error|note):", line)] or lines[-20:]
            raise Broken(f"{job.name} for {self.system}:\n" + "\n".join(errors))

    def guaranteed(self, occurrence):
        """The version that is available at a source location, from the compiler's `@available` and `#available` scopes."""
        root, flags, source, sources = self.commands[occurrence.file]
        others = [other for other in sources if other != source]
        result = subprocess.run(
            ["swiftc", "-frontend", "-typecheck", "-dump-availability-scopes", "-primary-file", source, *others, *flags],
            cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        place, versions = (occurrence.line, occurrence.column), [(0, 0)]
        for found in re.finditer(r"version=([\d.]+) .*?:(\d+):(\d+) - line:(\d+):(\d+)\]", result.stdout):
            begin, end = (int(found[2]), int(found[3])), (int(found[4]), int(found[5]))
            if begin <= place <= end:
                versions.append(version(found[1]))
        return max(versions)


def toolchain_graphs(folder):
    folder.mkdir()
    for module in ("Swift", "_Concurrency", "Observation", "FoundationEssentials", "FoundationInternationalization",
                   "Foundation", "FoundationNetworking", "Dispatch"):
        subprocess.run(
            ["swift", "symbolgraph-extract", "-module-name", module, "-target", apple_modules.LINUX.decode(),
             "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs", "-output-dir", folder],
            check=True, stdout=subprocess.DEVNULL)


def is_foreign(occurrence, own, prefixes):
    """Whether a symbol belongs to Apple and has a public name."""
    if occurrence.identifier in own or occurrence.identifier.startswith(prefixes):
        return False
    is_accessor = re.match(r"(getter|setter|didSet|willSet):", occurrence.name)
    is_parameter = occurrence.identifier.endswith("mfp")
    # In an identifier, the length precedes each component. A name that begins with an underscore is not public.
    is_hidden = re.search(r"\d_[A-Za-z]", re.sub("12_Concurrency|17_StringProcessing", "", occurrence.identifier))
    return not (is_accessor or is_parameter or is_hidden or occurrence.is_implicit)


def used(store, root, targets):
    """The source locations that use each foreign symbol."""
    occurrences = [each for each in store.occurrences() if f"{root}/Sources/" in each.file]
    own = {each.identifier for each in occurrences if each.is_definition}
    # C symbols belong to the package, because the stubs of the C library are written in Swift.
    prefixes = ("c:", "s:So", "s:SC", *(f"s:{len(target.module)}{target.module}" for target in targets.values()))
    places = {}
    for each in occurrences:
        if is_foreign(each, own, prefixes):
            places.setdefault(each.identifier, []).append(each)
    return places


def check_imports(root):
    """Checks imports of libraries that an older system lacks, because the compiler accepts them."""
    for file in sorted(root.glob("*/**/*.swift")):
        if re.search(r"(?m)^\s*(?:\w+ )?import Synchronization\b", file.read_text()):
            raise Broken(f"{file.relative_to(root)}: Synchronization requires iOS 18 and macOS 15: use Locked")


def text(versions):
    return ", ".join(f"{system} {'.'.join(map(str, numbers))}" for system, numbers in versions.items())


def problems(symbols, builds, places, lowest):
    """The symbols of an unknown version, and the symbols of the table that are too new for their location. The compiler has
    rejected all others already."""
    for identifier, occurrences in sorted(places.items()):
        symbol, first = symbols.known.get(identifier), occurrences[0]
        versions = symbols.versions(symbol) if symbol else None
        if versions is None:
            name = symbol.name if symbol else f"{first.name} ({identifier})"
            yield f"{first.file}:{first.line}: the version that introduced {name} is unknown: add it to the table"
            continue
        for system, build in builds.items():
            if symbol.name not in symbols.table or versions[system] <= lowest[system]:
                continue
            for each in occurrences:
                if each.file in build.commands and build.guaranteed(each) < versions[system]:
                    yield f"{each.file}:{each.line}: {symbol.name} requires {text(versions)}: use it within @available"


def main():
    scratch, table = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
    builds, places = {}, {}
    for system in SYSTEMS:
        root = scratch / system / "package"
        copy(system, root)
        check_imports(root)
        versions, targets = minimum_versions(root), package(root)
        builds[system] = Build(scratch, system, versions)
        builds[system].compile(root, targets)
        store = IndexStore(apple_modules.index_library(), builds[system].index)
        for identifier, found in used(store, root, targets[1]).items():
            places.setdefault(identifier, []).extend(found)
    toolchain_graphs(scratch / "graphs")
    symbols = Symbols([scratch / "graphs", *(build.graphs for build in builds.values())], table)
    lowest = {system: version(number) for system, number in versions.items()}
    found = sorted(set(problems(symbols, builds, places, lowest)))
    if "--list" in sys.argv:
        for symbol in sorted((symbols.known[each] for each in places if each in symbols.known), key=lambda each: each.name):
            print(f"{symbol.name}  {text(symbols.versions(symbol) or {})}  {symbols.page(symbol)}")
    print("\n".join([*found, *(f"note: {table.name}: {name} is not used" for name in sorted(symbols.unused))]))
    print(f"{len(places)} symbols of Apple's modules, {len(found)} problems", file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Broken, apple_modules.Unsupported) as error:
        sys.exit(f"broken: {error}")
