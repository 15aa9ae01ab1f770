"""The steps of Benchmarks/gallery.sh.

`files FOLDER PORT` writes 1,000 pictures of 100 kB, the pages that list them, the configuration of nginx and a list for curl.
`fetch FOLDER PORT GALLERY...` and `start GALLERY...` run programs alternately, forwards and backwards, and print the medians.
"""

import json
import os
import pathlib
import random
import shutil
import statistics
import struct
import sys
import tempfile
import time
import zlib

COUNT, SIZE, PER_PAGE, AT_ONCE = 1_000, 100_000, 30, 16
PAGES = -(-COUNT // PER_PAGE)
# The goal of `fetch` is the time of curl. With files on a disk, the limit is a quarter more.
FETCH_AIM, FETCH_LIMIT, START_LIMIT = 1.0, 1.25, 3.0
# With files in memory, the disk is not measured. A run uses 100 MB. curl spends its time in the kernel, and gallery spends its
# additional time in user mode, so a ratio of both depends on the machine. The limit is a multiple of the time in which two Python
# processes decode the lists ten times each. Decoding also runs in user mode, and on two cores.
MEMORY_LIMIT = 2.5
DECODED, DECODERS = 10, 2
MEMORY = pathlib.Path("/dev/shm")
# The number of measurements before it fails, because the load of other programs can exceed a limit.
ATTEMPTS = 5


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def picture(number):
    """A PNG of unique noise, padded with a comment."""
    width, height = 250, 398
    noise = random.Random(number).randbytes(width * height)
    rows = b"".join(b"\0" + noise[row * width : (row + 1) * width] for row in range(height))
    head = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    body, tail = chunk(b"IDAT", zlib.compress(rows, 0)), chunk(b"IEND", b"")
    comment = b"Comment\0".ljust(SIZE - len(head) - len(body) - len(tail) - 12, b".")
    return head + chunk(b"tEXt", comment) + body + tail


def photo(number, base):
    """The JSON of a photo. It has no URL that a client requests after a download, because curl has no such request."""
    name, address = f"p{number:04}", f"{base}/pictures/{number:04}.png"
    user = {
        "id": f"u{number % 50}", "username": f"nobody_{number % 50}", "name": f"Nobody {number % 50}",
        "links": {"self": f"{base}/users/nobody", "html": f"{base}/nobody", "photos": f"{base}/users/nobody/photos"},
    }
    return {
        "id": name, "slug": f"a-lake-in-the-morning-{name}", "created_at": "2024-05-03T06:12:44Z",
        "updated_at": "2024-06-01T10:00:00Z", "width": 250, "height": 398, "color": "#60544D", "likes": number,
        "liked_by_user": False, "description": f"Lake no. {number} in the morning", "alt_description": "noise",
        "urls": {size: f"{address}?size={size}" for size in ("raw", "full", "regular", "small", "thumb")},
        "links": {"self": f"{base}/photos/{name}", "html": f"{base}/web/{name}", "download": address}, "user": user,
        "current_user_collections": [],
    }  # fmt: skip


def write_files(folder, port):
    base, files = f"http://127.0.0.1:{port}", folder / "files"
    (files / "pictures").mkdir(parents=True)
    (files / "pages").mkdir()
    rules = ["location = /photos { rewrite ^ /pages/$arg_page.json last; }"]
    for page in range(1, PAGES + 1):
        numbers = range((page - 1) * PER_PAGE, min(page * PER_PAGE, COUNT))
        (files / f"pages/{page}.json").write_text(json.dumps([photo(number, base) for number in numbers]))
        link = f"<{base}/photos?page={page + 1}&per_page={PER_PAGE}>; rel=\"next\""
        header = f" add_header Link '{link}';" if page < PAGES else ""
        rules.append(f"location = /pages/{page}.json {{{header} }}")
    for number in range(COUNT):
        (files / f"pictures/{number:04}.png").write_bytes(picture(number))
    (folder / "server.conf").write_text("\n".join(rules) + "\n")
    addresses = (f"{base}/pictures/{number:04}.png?size=regular" for number in range(COUNT))
    list_for_curl = (f'url = "{address}"\noutput = "{number:04}.png"\n' for number, address in enumerate(addresses))
    (folder / "curl.txt").write_text("".join(list_for_curl))


def run(command, folder=None):
    """Runs a program. Returns its wall-clock time and its CPU time in seconds."""
    program = [shutil.which(command[0]) or command[0], *command[1:]]
    before = os.getcwd()
    with tempfile.TemporaryFile() as errors:
        redirections = [
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_DUP2, errors.fileno(), 2),
        ]
        os.chdir(folder or before)
        start = time.perf_counter()
        process = os.posix_spawn(program[0], program, os.environ, file_actions=redirections)
        _, status, usage = os.wait4(process, 0)
        elapsed = time.perf_counter() - start
        os.chdir(before)
        if os.waitstatus_to_exitcode(status) != 0:
            errors.seek(0)
            sys.exit(f"FAILED: {' '.join(command)}: {errors.read(2_000).decode()}")
    return elapsed, usage.ru_utime + usage.ru_stime


def turns(rounds, tasks):
    """Runs tasks alternately, forwards and backwards. Returns the rounds of each task, with the means of both runs."""
    results = [[] for _ in tasks]
    for _ in range(rounds):
        runs = [task() for task in tasks], [task() for task in reversed(tasks)][::-1]
        for index, pair in enumerate(zip(*runs)):
            results[index].append(tuple(sum(each) / 2 for each in zip(*pair)))
    return results


def ratio(one, other):
    """The median of the ratios of the wall-clock times in each round."""
    return statistics.median(mine[0] / yours[0] for mine, yours in zip(one, other))


def line(name, rounds, baseline):
    wall, cpu = (statistics.median(each[index] for each in rounds) * 1000 for index in (0, 1))
    print(f"{name:30} {wall:8.1f} ms  CPU {cpu:8.1f} ms  {ratio(rounds, baseline):5.2f} × curl")


def judge(measure, limit, what, unit="× curl"):
    """Measures at most five times, until the figures of all programs are within the limit."""
    for attempt in range(ATTEMPTS):
        figures = measure()
        if max(figures) <= limit:
            print(f"{what}: {max(figures):.2f} {unit} (limit: {limit})")
            return max(figures)
    sys.exit(f"FAILED: {what}: expected at most {limit} {unit}, found {max(figures):.2f}")


def fetch(folder, port, programs):
    base = f"http://127.0.0.1:{port}"
    listing = ["--per-page", str(PER_PAGE), "--pages", str(PAGES), "--concurrency", str(AT_ONCE)]
    options = ["fetch", "--no-cache", "--base-url", base, *listing, "--quiet", "--output", "."]
    galleries = [[str(pathlib.Path(program).resolve()), *options] for program in programs]
    curl = ["curl", "--disable", "--silent", "--show-error", "--fail", "--parallel", "--parallel-max", str(AT_ONCE)]
    commands = galleries + [curl + ["--config", str(folder / "curl.txt")]]

    def task(command, parent):
        def once():
            place = pathlib.Path(tempfile.mkdtemp(dir=parent))
            try:
                result = run(command, place)
                sizes = [file.stat().st_size for file in place.iterdir()]
            finally:
                # On a disk they stay until the end, because a file system that has just deleted files creates others slowly.
                if parent == MEMORY:
                    shutil.rmtree(place)
            if sizes != [SIZE] * COUNT:
                sys.exit(f"FAILED: {command[0]}: expected {COUNT} files of {SIZE} bytes, found {len(sizes)} files with {sum(sizes)} bytes")
            return result

        return once

    lists = [(folder / f"files/pages/{page}.json").read_bytes() for page in range(1, PAGES + 1)]

    def decode():
        start, used, processes = time.perf_counter(), 0, []
        for _ in range(DECODERS):
            processes.append(os.fork())
            if processes[-1] == 0:
                try:
                    for page in lists * DECODED:
                        json.loads(page)
                    os._exit(0)
                finally:
                    os._exit(1)
        for process in processes:
            _, status, usage = os.wait4(process, 0)
            if status != 0:
                sys.exit("FAILED: a process that decodes the lists has ended early")
            used += usage.ru_utime + usage.ru_stime
        return time.perf_counter() - start, used

    def measure(parent, *others):
        """Returns the rounds of the programs, of curl and of other tasks."""
        with tempfile.TemporaryDirectory(dir=parent) as own:
            tasks = [task(command, parent if parent == MEMORY else own) for command in commands] + list(others)
            turns(1, tasks)
            results = turns(5, tasks)
        results, (curl, *others) = results[: len(programs)], results[len(programs) :]
        for program, rounds in zip(programs, results):
            line(f"{program.removeprefix('.build/')} fetch", rounds, curl)
        line("curl --parallel", curl, curl)
        return results, curl, *others

    def on_disk():
        results, curl = measure(folder)
        return [ratio(rounds, curl) for rounds in results]

    def in_memory():
        results, curl, decoding = measure(MEMORY, decode)
        line(f"decode the lists {DECODERS} × {DECODED} times", decoding, curl)
        more = [[(mine[0] - yours[0],) for mine, yours in zip(rounds, curl)] for rounds in results]
        return [ratio(rounds, decoding) for rounds in more]

    print(f"{COUNT} pictures of {SIZE // 1000} kB, {AT_ONCE} at a time. gallery also reads the {PAGES} pages that list them")
    if judge(on_disk, FETCH_LIMIT, "gallery fetch, files on the disk") > FETCH_AIM:
        print(f"not all programs reach the goal of {FETCH_AIM} × curl")
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 10 * COUNT * SIZE:
        judge(in_memory, MEMORY_LIMIT, "gallery fetch, files in memory, time in addition to curl's", "× the time to decode")


def start(programs):
    commands = [[program, "--help"] for program in programs] + [["curl", "--help"]]

    def measure():
        results = turns(25, [lambda command=command: run(command) for command in commands])
        for command, rounds in zip(commands, results):
            line(f"{command[0].removeprefix('.build/')} --help", rounds, results[-1])
        return [ratio(rounds, results[-1]) for rounds in results[:-1]]

    turns(2, [lambda command=command: run(command) for command in commands])
    judge(measure, START_LIMIT, "gallery --help")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["files", folder, port]:
            write_files(pathlib.Path(folder), port)
        case ["fetch", folder, port, *programs]:
            fetch(pathlib.Path(folder), port, programs)
        case ["start", *programs]:
            start(programs)
        case _:
            sys.exit(__doc__)
