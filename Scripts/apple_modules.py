"""Converts the modules of the toolchain for an Apple triple, so that the compiler checks availability as on a Mac.

The attributes `@available(iOS 17, *)` of the standard library and of FoundationEssentials are in the modules of every
platform. The compiler ignores them for Linux, and does not load modules of another platform. For type-checking, a private copy
of a module with another platform name is sufficient. No code is generated from it.
"""
import json
import pathlib
import subprocess

LINUX = b"x86_64-unknown-linux-gnu"
# Each name has the same length as LINUX, which it replaces in a binary file. Each version is older than all checked versions.
TRIPLES = {"macOS": (b"x86_64-apple-macosx10.13", "x86_64-apple-macos"), "iOS": (b"arm64-apple-ios9.0000000", "arm64-apple-ios")}


class Unsupported(Exception):
    """The layout of the toolchain is not the one that this script expects."""


def triple(system, versions):
    """The target triple for the minimum version of a system."""
    return f"{TRIPLES[system][1]}{'x' if system == 'macOS' else ''}{versions[system]}"


def target_info():
    return json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)


def index_library():
    return pathlib.Path(target_info()["paths"]["runtimeResourcePath"]).parent / "libIndexStore.so"


def flags(scratch, system, versions):
    """Copies the modules to a folder. Returns the compiler's flags for an Apple system at its minimum version."""
    info = target_info()
    if info["target"]["triple"] != LINUX.decode():
        raise Unsupported(f"expected a toolchain for {LINUX.decode()}, found one for {info['target']['triple']}")
    resources = pathlib.Path(info["paths"]["runtimeResourcePath"])
    folder = scratch / f"modules-{system}"
    name, file = TRIPLES[system]
    for module in sorted((resources / "linux").glob("*.swiftmodule")):
        binary = module / f"{LINUX.decode()}.swiftmodule"
        if not binary.exists():
            continue
        data = binary.read_bytes()
        if data.count(LINUX) != 1:
            raise Unsupported(f"{binary} names its platform {data.count(LINUX)} times, expected once")
        (folder / module.name).mkdir(parents=True)
        (folder / module.name / f"{file}.swiftmodule").write_bytes(data.replace(LINUX, name))
    overlay = scratch / "overlay.yaml"
    library = resources / "linux" / LINUX.decode().split("-")[0]
    # The compiler adds these two files by itself for Linux only.
    overlay.write_text(json.dumps({"version": 0, "roots": [
        {"type": "file", "name": "/usr/include/module.modulemap", "external-contents": str(library / "glibc.modulemap")},
        {"type": "file", "name": "/usr/include/SwiftGlibc.h", "external-contents": str(library / "SwiftGlibc.h")}]}))
    frontend = ["-disable-target-os-checking", "-disable-objc-interop", "-clang-target", LINUX.decode(), "-vfsoverlay", overlay]
    result = ["-target", triple(system, versions), "-I", folder, "-plugin-path", resources / "host/plugins", "-Xcc", "-Xclang", "-Xcc", "-fbuiltin-headers-in-system-modules"]
    result += [part for flag in frontend for part in ("-Xfrontend", flag)]
    return result
