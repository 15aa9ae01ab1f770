"""Checks that the targets of each library declare exactly the required-reason API that they use.

usage: privacy-manifests.py DUMP
  DUMP: the output of `swift package dump-package` for the package with the conditions of Apple's platforms

The names and reasons are those of https://developer.apple.com/documentation/bundleresources/describing-use-of-required-reason-api
"""
import json
import pathlib
import plistlib
import re
import sys

CATEGORIES = {
    "FileTimestamp": (
        "creationDate modificationDate fileModificationDate contentModificationDate contentModificationDateKey "
        "creationDateKey getattrlist getattrlistbulk fgetattrlist stat fstat fstatat lstat getattrlistat",
        "DDA9.1 C617.1 3B52.1 0A2A.1"),
    "SystemBootTime": ("systemUptime mach_absolute_time", "35F9.1 8FFB.1 3D61.1"),
    "DiskSpace": (
        "volumeAvailableCapacity volumeAvailableCapacityKey volumeAvailableCapacityForImportantUsage "
        "volumeAvailableCapacityForImportantUsageKey volumeAvailableCapacityForOpportunisticUsage "
        "volumeAvailableCapacityForOpportunisticUsageKey volumeTotalCapacity volumeTotalCapacityKey systemFreeSize "
        "systemSize statfs statvfs fstatfs fstatvfs", "85F4.1 E174.1 7D9E.1 B728.1"),
    "ActiveKeyboards": ("activeInputModes", "3EC4.1 54BD.1"),
    "UserDefaults": ("UserDefaults", "CA92.1 1C8F.1 C56D.1 AC6B.1"),
}
PREFIX = "NSPrivacyAccessedAPICategory"


def used(folder):
    """The categories that a target uses, each with the location of its first use."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix not in (".swift", ".c", ".h"):
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            code = line.split("//")[0]
            for category, (names, _) in CATEGORIES.items():
                if re.search(rf"(?<![\w\"])({names.replace(' ', '|')})\b", code):
                    found.setdefault(category, f"{path}:{number}")
    return found


def declared(folder):
    """The categories in a target's manifest with their reasons, or None if it has no manifest."""
    path = pathlib.Path(folder) / "PrivacyInfo.xcprivacy"
    if not path.exists():
        return None
    entries = plistlib.loads(path.read_bytes())["NSPrivacyAccessedAPITypes"]
    return {
        entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX): set(entry["NSPrivacyAccessedAPITypeReasons"])
        for entry in entries}


def problems(target):
    folder = target.get("path") or f"Sources/{target['name']}"
    uses, declares = used(folder), declared(folder)
    if declares is None:
        yield from (f"{place}: {target['name']} has no PrivacyInfo.xcprivacy for {use}" for use, place in uses.items())
        return
    manifest = f"{folder}/PrivacyInfo.xcprivacy:1"
    if "PrivacyInfo.xcprivacy" not in [resource["path"] for resource in target["resources"]]:
        yield f"{manifest}: it is not a resource of {target['name']} in Package.swift"
    for category in sorted(set(uses) | set(declares)):
        if category not in declares:
            yield f"{uses[category]}: {category} is not declared in {manifest}"
        elif category not in uses:
            yield f"{manifest}: {category} is declared and not used"
        elif not declares[category] or not declares[category] <= set(CATEGORIES[category][1].split()):
            yield f"{manifest}: unknown or no reasons for {category}"


def main():
    dump = json.loads(pathlib.Path(sys.argv[1]).read_text())
    targets = {target["name"]: target for target in dump["targets"]}
    rest = {name for product in dump["products"] if "library" in product["type"] for name in product["targets"]}
    seen = set()
    while rest:
        name = rest.pop()
        seen.add(name)
        pairs = [next(iter(dependency.values())) for dependency in targets[name]["dependencies"]]
        rest |= {
            other for other, condition in pairs
            if "macos" in ((condition or {}).get("platformNames") or ["macos"])} - seen
    found = [problem for name in sorted(seen) for problem in problems(targets[name])]
    print("\n".join([f"{'broken' if found else 'holds'}:  required-reason API is declared", *found]))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
