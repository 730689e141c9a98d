#!/usr/bin/env python3
"""Check that the sources use only what Linux and macOS both have.

Functions, flags and files that only Linux has belong into the layers base and io. There they must
be in a conditional block (#ifdef), or be files whose absence has an alternative. Flags of GNU's
linker must be in a conditional block of CMake. Arguments name the files to check.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["include", "src", "python/src"]
PLACES = ["include/kaon/base", "include/kaon/io", "src/kaon/base", "src/kaon/io"]

FILES_OF_LINUX = re.compile(r'"/(?:proc|sys|dev/shm)/')
LINUX = re.compile(
    r"<(?:linux/[\w/]+|malloc|endian|byteswap|sys/(?:epoll|eventfd|inotify|prctl|random|sendfile"
    r"|syscall|sysinfo|timerfd|vfs))\.h>"
    r"|(?<![.>])\b(?:accept4|copy_file_range|dup3|eventfd|fallocate|fdatasync|getauxval|gettid|mallopt"
    r"|malloc_trim|memfd_create|mremap|off64_t|pipe2|pread64|posix_fadvise|posix_fallocate|prctl"
    r"|pwrite64|readahead|sched_getaffinity|secure_getenv|sendfile|splice|statx|st_mtim|strerrordesc_np"
    r"|sync_file_range|syscall)\b(?!\s*=)"
    r"|\b(?:FALLOC_FL_\w+|MADV_(?:HUGEPAGE|DONTDUMP|POPULATE\w*)|MAP_(?:HUGETLB|NORESERVE|POPULATE)"
    r"|MFD_\w+|O_(?:DIRECT|PATH|TMPFILE)|POSIX_FADV_\w+|RENAME_\w+|SYS_\w+|_GNU_SOURCE|__GLIBC__)\b"
)
GNU_FLAGS = re.compile(r"-Wl,--|LINKER:--|-rdynamic|-static-libstdc\+\+|-Wl,-z")


def without_comments(text):
    """Return C++ without comments, on the same lines."""
    return re.sub(
        r"//[^\n]*|/\*.*?\*/", lambda match: "\n" * match[0].count("\n"), text, flags=re.DOTALL
    )


def offences_of_cpp(path, text):
    """Yield `(line number, message)` for each use that is not portable."""
    has_alternatives = any(path.is_relative_to(place) for place in PLACES)
    depth = 0
    for number, line in enumerate(without_comments(text).splitlines(), start=1):
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif match := LINUX.search(line):
            if not has_alternatives:
                yield number, f"only Linux has {match[0]}: use a function of base or io"
            elif depth == 0:
                yield number, f"only Linux has {match[0]}: add #ifdef, and an alternative"
        elif (match := FILES_OF_LINUX.search(line)) and not has_alternatives:
            yield number, f"only Linux has {match[0][1:]}: use a function of base or io"


def offences_of_cmake(text):
    """Yield `(line number, message)` for each flag that only GNU's linker knows."""
    conditions = []
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.partition("#")[0]
        if match := re.match(r"\s*if\s*\((.*)\)", code):
            conditions.append(match[1])
        elif re.match(r"\s*endif", code):
            conditions.pop()
        elif (match := GNU_FLAGS.search(code)) and not any(
            "APPLE" in each or "Linux" in each for each in conditions
        ):
            yield number, f"only GNU's linker knows {match[0]}: add if(NOT APPLE)"


def offences(path, text):
    """Yield `(line number, message)` for a file, whose path is relative to the checkout."""
    if path.suffix in (".h", ".cpp"):
        return offences_of_cpp(path, text)
    return offences_of_cmake(text)


def sources():
    """Return the sources of the library and of its packages."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    found += [ROOT / "CMakeLists.txt", *(ROOT / "cmake").iterdir(), ROOT / "python/CMakeLists.txt"]
    return sorted(
        path
        for path in found
        if path.suffix in (".h", ".cpp", ".cmake") or path.name == "CMakeLists.txt"
    )


def main(arguments):
    paths = [Path(name).resolve() for name in arguments] or sources()
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {message}"
        for path in paths
        for number, message in offences(path.relative_to(ROOT), path.read_text())
    ]
    print("\n".join(wrong) or f"{len(paths)} files without uses of a single system")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
