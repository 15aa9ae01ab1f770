"""The package's sources and targets as another platform sees them, for Scripts/apple-check.py."""
import json
import pathlib
import re
import shutil
import subprocess

STUBS = pathlib.Path("Tests/AppleStubs")
# Modules of other systems, and one that requires iOS 18. They are installed on Linux, so their import must be made to fail.
FOREIGN = {
    "Glibc", "Musl", "Android", "Bionic", "WinSDK", "WASILibc", "FoundationNetworking", "FoundationXML", "Synchronization"}
COMMON = {"Foundation", "Dispatch", "Observation"}
APPLE = COMMON | {"Darwin", "os", "Security", "Network", "CryptoKit", "SwiftUI"}
# Folders of Tests/AppleStubs, in the order in which they import each other.
APPLE_STUBS = ["DarwinTypes", "Darwin", "AppleFoundation", "os", "Security", "Network", "CryptoKit", "SwiftUI"]
FLAVOURS = {
    "macOS": (APPLE | {"AppKit"}, APPLE_STUBS),
    "iOS": (APPLE | {"UIKit"}, [*APPLE_STUBS, "UIKit"]),
    "tvOS": (APPLE | {"UIKit"}, [*APPLE_STUBS, "UIKit"]),
    "watchOS": (APPLE | {"UIKit"}, [*APPLE_STUBS, "UIKit"]),
    "visionOS": (APPLE | {"UIKit"}, [*APPLE_STUBS, "UIKit"]),
    "musl": (COMMON | {"Musl", "FoundationNetworking", "Synchronization"}, ["MuslFoundation"]),
}
# The platform of the package's own build.
NATIVE = "glibc"
PLATFORMS = FLAVOURS | {NATIVE: (COMMON | {"Glibc", "FoundationNetworking", "Synchronization"}, ["Foundation"])}
KNOWN = {
    "canImport": FOREIGN.union(*(modules for modules, _ in FLAVOURS.values())),
    "os": {"macOS", "iOS", "tvOS", "watchOS", "visionOS"} | {"Linux", "Windows", "Android", "WASI", "FreeBSD", "OpenBSD"},
    "targetEnvironment": {"simulator", "macCatalyst"},
}
SETTINGS = {
    "define": lambda value: ["-D", value],
    "enableUpcomingFeature": lambda value: ["-enable-upcoming-feature", value],
    "enableExperimentalFeature": lambda value: ["-enable-experimental-feature", value],
    "defaultIsolation": lambda value: ["-default-isolation", value],
    "strictMemorySafety": lambda _: ["-strict-memory-safety"],
    "unsafeFlags": lambda value: value,
}
IMPORT = r"^\s*(?:[@\w]+\s+)*import\s+(?:(?:class|struct|enum|protocol|typealias|func|var|let)\s+)?"


class Broken(Exception):
    """A broken rule, or something that this script does not understand."""


def system(flavour):
    return "Linux" if flavour in ("musl", NATIVE) else flavour


def foundation(flavour):
    return next(name for name in PLATFORMS[flavour][1] if name.endswith("Foundation"))


def decide(condition, flavour):
    """The value of a condition, or None if it also depends on something other than the platform."""
    def atom(found):
        kind, name = found.groups()
        if name not in KNOWN[kind]:
            raise Broken(f"{kind}({name}) is unknown: add it to Scripts/apple-check.py")
        if kind == "os":
            return str(name == system(flavour))
        return str(kind == "canImport" and name in PLATFORMS[flavour][0])

    text = re.sub(r"\b(os|canImport|targetEnvironment)\((\w+)\)", atom, condition.split("//")[0])
    text = text.replace("!", " not ").replace("&&", " and ").replace("||", " or ").strip()
    return eval(text) if set(re.findall(r"\w+", text)) <= {"True", "False", "not", "and", "or"} else None


def activate(text, flavour):
    """Blanks the branches that a platform does not compile."""
    lines, stack = text.split("\n"), []  # of [whether its conditions are decided, a branch was taken, this branch is active]
    for number, line in enumerate(lines):
        found = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        kind, condition = found.groups() if found else (None, None)
        if kind == "if":
            value = decide(condition, flavour)
            stack.append([value is not None, bool(value), value is not False])
        elif kind in ("elseif", "else") and stack[-1][0]:
            value = kind == "else" or decide(condition, flavour)
            if value is None:
                raise Broken(f"line {number + 1}: a platform condition and another one in one #if")
            stack[-1] = [True, stack[-1][1] or value, value and not stack[-1][1]]
        if not all(active for *_, active in stack) or kind and stack[-1][0]:
            lines[number] = ""
        if kind == "endif":
            stack.pop()
    return "\n".join(lines)


def flip(text, flavour):
    """A source file as a platform sees it, with the names of the stubs."""
    text = activate(text, flavour)
    text = re.sub(rf"(?m)({IMPORT})Foundation\b", rf"\1{foundation(flavour)}", text)
    text = re.sub(r"\bFoundation\.(?=[A-Za-z])", f"{foundation(flavour)}.", text)
    missing = "|".join(sorted(FOREIGN - PLATFORMS[flavour][0]))
    text = re.sub(rf"(?m)({IMPORT})({missing})\b", r"\1missing_\2", text)
    if flavour not in ("macOS", "musl"):
        # https://developer.apple.com/documentation/foundation/process: macOS only
        text = "\n".join(
            f'#error("{flavour} has no Process")' if re.search(r"\bProcess\b", re.sub(r'"[^"]*"|//.*', "", line)) else line
            for line in text.split("\n"))
    return text


def copy(flavour, root):
    """Copies the package for a flavour."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "Package.swift", "Sources",
         "Examples", "Tests"], capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        source, target = pathlib.Path(name), root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_symlink():  # two targets share a folder
            target.symlink_to(source.readlink())
        if source.is_symlink() or not source.is_file():
            continue
        if source.suffix != ".swift" or source.is_relative_to(STUBS):
            shutil.copy(source, target)
            continue
        try:
            target.write_text(flip(source.read_text(), flavour))
        except Broken as error:
            raise Broken(f"{name}: {error}") from None


class Target:
    """A target of the manifest."""

    def __init__(self, described, dumped, default_mode):
        self.name, self.module, self.path = described["name"], described["c99name"], described["path"]
        self.is_clang, self.is_test = described["module_type"] == "ClangTarget", described["type"] == "test"
        self.sources = sorted(f"{self.path}/{source}" for source in described["sources"])
        self.has_resources = bool(described.get("resources"))
        self.dumped, self.mode = dumped, default_mode

    @staticmethod
    def applies(condition, flavour):
        platforms = (condition or {}).get("platformNames") or []
        return not platforms or system(flavour).lower() in platforms

    def dependencies(self, flavour):
        pairs = [next(iter(dependency.values())) for dependency in self.dumped["dependencies"]]
        return [name for name, condition in pairs if self.applies(condition, flavour)]

    def flags(self, flavour):
        """The flags that the package manager derives from the target's settings."""
        mode, flags = self.mode, []
        for setting in self.dumped["settings"]:
            if setting["tool"] != "swift" or not self.applies(setting.get("condition"), flavour):
                continue
            (kind, value), = setting["kind"].items()
            if kind == "swiftLanguageMode":
                mode = value["_0"]
            elif kind in SETTINGS:
                flags += SETTINGS[kind](value.get("_0"))
            else:
                raise Broken(f"{self.name}: the setting {kind} is unknown: add it to Scripts/apple-check.py")
        if not any(source.endswith("/main.swift") for source in self.sources):
            flags.append("-parse-as-library")
        return ["-swift-version", mode, *flags]

    def differing(self, flavour):
        """The files of which a platform compiles other lines than the package's own build."""
        def differs(source):
            text = pathlib.Path(source).read_text()
            return activate(text, flavour) != activate(text, NATIVE)

        return [source for source in self.sources if differs(source)]


def package(root):
    """The package's name, and its targets by name."""
    def load(*command):
        result = subprocess.run(["swift", "package", "--package-path", root, *command], text=True, capture_output=True)
        if result.returncode:
            raise Broken(f"swift package {command[0]}: {result.stderr}")
        return json.loads(result.stdout)

    dumped, described = load("dump-package"), load("describe", "--type", "json")
    mode = (dumped.get("swiftLanguageVersions") or ["6"])[0]
    settings = {target["name"]: target for target in dumped["targets"]}
    targets = [Target(target, settings[target["name"]], mode) for target in described["targets"]]
    return dumped["name"], {target.name: target for target in targets}
