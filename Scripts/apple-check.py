"""Type-checks every target of the package as other platforms see it. Scripts/apple-check.sh calls it.

usage: apple-check.py [--only TARGET] SCRATCH [FLAVOUR...]

The sources are copied to SCRATCH. In the copies the platform conditions have their values on the other platform, and Foundation
is replaced by a stub. The compiler then checks each target against the modules in Tests/AppleStubs, and stops before it
generates code.
"""
import argparse
import concurrent.futures as futures
import graphlib
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from apple_sources import FLAVOURS, IMPORT, STUBS, Broken, copy, foundation, package, system


class Job:
    """The check of one module on one platform."""

    def __init__(self, flavour, name, module, root, sources, flags, needs, base=None, has_bodies=True, files=()):
        self.flavour, self.name, self.module, self.root = flavour, name, module, root
        self.sources, self.flags, self.needs, self.has_bodies = sources, flags, needs, has_bodies
        self.files = files  # the files to check, if not all
        # The job of the same module on a platform that is checked before.
        self.base = base
        self.folders = None  # of this module and of all modules that it imports, once the check has passed
        self.imports = None
        self.failure = None

    def text(self, source):
        return (self.root / source).read_bytes()


class Checker:
    """Runs jobs in parallel. Platforms with the same text and the same modules share a check."""

    def __init__(self, scratch):
        self.scratch, self.runs, self.interfaces = scratch, {}, {}
        info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True).stdout)
        plugins = pathlib.Path(info["paths"]["runtimeResourcePath"]) / "host/plugins"
        self.common = ["-module-cache-path", scratch / "cache", "-plugin-path", plugins, "-plugin-path", plugins / "testing"]

    def run(self, job, *command):
        imports = [flag for path in job.imports for flag in ("-I", path)]
        result = subprocess.run(
            ["swiftc", *command, "-module-name", job.module, "-warnings-as-errors", *self.common, *job.flags, *imports],
            cwd=job.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return result.stdout if result.returncode else None

    def emit(self, job, folder, *flags):
        folder.mkdir(parents=True, exist_ok=True)
        output = folder / f"{job.module}.swiftmodule"
        failure = self.run(
            job, "-emit-module", "-wmo", "-o", output, "-avoid-emit-module-source-info", *flags, *job.sources)
        return failure, None if failure else hashlib.sha256(output.read_bytes()).hexdigest()[:16]

    def interface(self, job):
        """A digest of the declarations that the files of a module share. None if the declarations do not compile."""
        key = (job.flavour, job.name)
        if key not in self.interfaces:
            folder = self.scratch / "interfaces" / f"{job.module}-{job.flavour}"
            self.interfaces[key] = self.emit(job, folder, "-Xfrontend", "-experimental-skip-all-function-bodies")[1]
        return self.interfaces[key]

    def check_files(self, job, files):
        for source in files:
            others = [other for other in job.sources if other != source]
            failure = self.run(job, "-frontend", "-emit-sil", "-o", os.devnull, "-primary-file", source, *others)
            if failure:
                return failure
        return None

    @staticmethod
    def folder(job):
        return next(iter(job.folders - set(job.imports)))

    def check_module(self, job, base, key):
        """Checks a module. Returns the compiler's errors, or a folder with a digest of the compiled module in its name."""
        if base and base.folders and (base.imports, base.sources, base.flags) == (job.imports, job.sources, job.flags):
            interface = self.interface(job)
            if interface and interface == self.interface(base):
                # The declarations are equal, so only files that differ must be compiled again.
                changes = [source for source in job.sources if job.text(source) != base.text(source)]
                return self.check_files(job, changes), self.folder(base)
        if job.files:
            return self.check_files(job, job.files), self.scratch / "none"
        skip = [] if job.has_bodies else ["-Xfrontend", "-experimental-skip-non-inlinable-function-bodies"]
        folder = self.scratch / "modules" / key
        failure, digest = self.emit(job, folder, *skip)
        if failure:
            return failure, None
        shared = self.scratch / "modules" / f"{job.module}-{digest}"
        try:
            folder.rename(shared)
        except OSError:  # another platform's module is identical
            pass
        return None, shared

    def submit(self, pool, job, jobs):
        job.imports = sorted(set().union(*(jobs[need].folders for need in job.needs)))
        text = b"".join(job.text(source) for source in job.sources)
        key = hashlib.sha256(repr((job.module, job.flags, job.has_bodies, job.imports)).encode() + text).hexdigest()
        if key not in self.runs:
            self.runs[key] = pool.submit(self.check_module, job, jobs.get(job.base), key)
        return self.runs[key]

    def check(self, jobs):
        order = graphlib.TopologicalSorter(
            {key: [*job.needs, *([job.base] if job.base in jobs else [])] for key, job in jobs.items()})
        order.prepare()
        running = {}
        with futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            while order.is_active():
                for key in order.get_ready():
                    job = jobs[key]
                    missing = next((need for need in job.needs if jobs[need].failure), None)
                    if missing:
                        job.failure = f"not checked, because {jobs[missing].name} failed"
                        order.done(key)
                    else:
                        running[key] = self.submit(pool, job, jobs)
                if running and not any(run.done() for run in running.values()):
                    futures.wait(running.values(), return_when=futures.FIRST_COMPLETED)
                for key in [key for key, run in running.items() if run.done()]:
                    job = jobs[key]
                    job.failure, folder = running.pop(key).result()
                    job.folders = None if job.failure else {*job.imports, folder}
                    order.done(key)


def stub_jobs(flavour, root):
    names = FLAVOURS[flavour][1]
    for index, name in enumerate(names):
        sources = sorted(str(path.relative_to(root)) for path in (root / STUBS / name).glob("*.swift"))
        flags = ["-swift-version", "6", "-parse-as-library", "-D", f"STUB_{flavour.upper()}"]
        needs = [(flavour, f"stub {other}") for other in names[:index]]
        yield (flavour, f"stub {name}"), Job(flavour, f"the stub of {name}", name, root, sources, flags, needs)


def clang_modules(target, targets, flavour, root):
    """The compiler flags for the C modules that a target or its dependencies import."""
    for other in sorted(closure(target, targets, flavour)):
        if targets[other].is_clang:
            file = root / ".modulemaps" / f"{targets[other].module}.modulemap"
            file.parent.mkdir(exist_ok=True)
            header = f"../{targets[other].path}/include/{targets[other].module}.h"
            file.write_text(f'module {targets[other].module} {{ umbrella header "{header}" export * }}\n')
            yield from ["-Xcc", f"-fmodule-map-file=.modulemaps/{file.name}"]


def closure(target, targets, flavour):
    """The names of the targets that a target depends on, directly or not."""
    seen, rest = set(), [target]
    while rest:
        for name in set(rest.pop().dependencies(flavour)) - seen:
            seen.add(name)
            rest.append(targets[name])
    return seen


def target_jobs(flavour, base, root, name, targets, only):
    swift = {target.name: target for target in targets.values() if not target.is_clang}
    # The package's own build already checks the code that Linux with glibc and with musl share.
    wanted = {target.name for target in swift.values() if flavour != "musl" or target.differing(flavour)}
    wanted = {target for target in wanted if only in (None, target)}
    for target in wanted.union(*(closure(swift[target], targets, flavour) for target in wanted)) & set(swift):
        target = swift[target]
        flags = [*target.flags(flavour), "-package-name", name, *clang_modules(target, targets, flavour, root)]
        sources = list(target.sources)
        if target.has_resources:
            # The package manager generates this for a target with resources.
            sources.append(f"{target.path}/resource_bundle_accessor.swift")
            (root / sources[-1]).write_text(
                f"import {foundation(flavour)}\nextension Bundle {{ nonisolated static let module = Bundle.main }}\n")
        needs = [(flavour, other) for other in target.dependencies(flavour) if other in swift]
        # Only the imported stubs, so that platforms with different other stubs share the check.
        text = "\n".join((root / source).read_text() for source in sources)
        needs += [
            (flavour, f"stub {stub}") for stub in FLAVOURS[flavour][1]
            if stub == foundation(flavour) or re.search(rf"(?m){IMPORT}{stub}\b", text)]
        # No target imports a test target, so it is enough to check the files that differ with musl.
        files = target.differing(flavour) if flavour == "musl" and target.is_test else ()
        yield (flavour, target.name), Job(
            flavour, target.name, target.module, root, sources, flags, needs, (base, target.name), target.name in wanted,
            files)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--only")
    options.add_argument("scratch", type=pathlib.Path)
    options.add_argument("flavours", nargs="*", default=list(FLAVOURS))
    options = options.parse_args()
    scratch, began, jobs, packages = options.scratch.resolve(), time.monotonic(), {}, {}
    for flavour in options.flavours:
        root = scratch / flavour
        copy(flavour, root)
        # The manifest is the same for all Apple platforms.
        kind = system(flavour) == "Linux"
        if kind not in packages:
            packages[kind] = package(root)
        base = options.flavours[0] if not kind and options.flavours[0] != flavour else None
        jobs |= stub_jobs(flavour, root)
        jobs |= target_jobs(flavour, base, root, *packages[kind], options.only)
    checker = Checker(scratch)
    checker.check(jobs)
    for flavour in options.flavours:
        mine = [job for job in jobs.values() if job.flavour == flavour and not job.name.startswith("the stub")]
        failed = [job for job in jobs.values() if job.flavour == flavour and job.failure]
        print(f"{'broken:' if failed else 'holds: '} {len(mine)} targets compile for {flavour}")
        for job in failed:
            print(f"{job.name} on {flavour}: {job.failure}")
    print(f"{len(checker.runs)} checks for {len(jobs)} modules, {time.monotonic() - began:.0f} s")
    return any(job.failure for job in jobs.values())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Broken as error:
        sys.exit(f"broken: {error}")
