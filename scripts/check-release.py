#!/usr/bin/env python3
"""Check that the version, the changelog, the recipes and the golden files of a release agree.

`check-release.py` checks the sources at any time, and `check-release.py v0.1.0` also that they are
ready for the release with this tag. `--freeze` records the golden files of the version, and
`--notes` prints its part of the changelog.
"""

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^## (?P<version>\d+\.\d+\.\d+) \((?P<date>[^)]*)\)$", re.MULTILINE)


class Sources:
    """The files of a checkout that name the version."""

    def __init__(self, root):
        self.root = root
        self.changelog = (root / "CHANGELOG.md").read_text()
        self.golden = root / "tests/format/golden"
        self.record = root / "tests/format/released.json"

    def version(self):
        text = (self.root / "CMakeLists.txt").read_text()
        return re.search(r"project\(kaon VERSION (\S+)", text)[1]

    def cited_version(self):
        return re.search(r"^version: (.*)$", (self.root / "CITATION.cff").read_text(), re.M)[1]

    def recipe(self):
        return (self.root / "packaging/conda/recipe.yaml").read_text()

    def missing_packages(self):
        """Yield a recipe and a Python package that it lacks, for each that kaon needs."""
        text = (self.root / "pyproject.toml").read_text()
        needed = re.findall(
            r'"([\w-]+)', re.search(r"^dependencies = \[(.*?)\]", text, re.M | re.S)[1]
        )
        conda = self.recipe().partition("\n  run:\n")[2].partition("\n\n")[0]
        spack = (self.root / "packaging/spack/packages/py_kaon/package.py").read_text()
        for name in needed:
            if not re.search(rf"- {name}(-base)?\b", conda):
                yield "packaging/conda/recipe.yaml", name
            if not re.search(rf'depends_on\("py-{name}["@]', spack):
                yield "packaging/spack/packages/py_kaon/package.py", name

    def notes(self, version):
        """Return the changelog of a version, without its heading; None if it has none."""
        sections = [*HEADING.finditer(self.changelog)]
        ends = [*(section.start() for section in sections[1:]), len(self.changelog)]
        for section, end in zip(sections, ends, strict=True):
            if section["version"] == version:
                return self.changelog[section.end() : end].strip()
        return None

    def released(self):
        """Return the digests of the golden files of each release."""
        return json.loads(self.record.read_text()) if self.record.exists() else {}

    def digests(self):
        """Return the digest of each golden file."""
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.golden.iterdir())
        }


def faults(sources):
    """Yield the reasons why the sources contradict themselves."""
    version = sources.version()
    if sources.cited_version() != version:
        cited = sources.cited_version()
        yield f"CITATION.cff: version is {cited}, but CMakeLists.txt has {version}"
    if f"\n  version: {version}\n" not in sources.recipe():
        yield f"packaging/conda/recipe.yaml: version differs from {version} in CMakeLists.txt"
    for recipe, name in sources.missing_packages():
        yield f"{recipe}: lacks {name}, which pyproject.toml has"
    headings = [*HEADING.finditer(sources.changelog)]
    if not headings or headings[0]["version"] != version:
        yield f"CHANGELOG.md: the first heading must be '## {version} (unreleased)' or have a date"
    versions = [tuple(map(int, heading["version"].split("."))) for heading in headings]
    if versions != sorted(set(versions), reverse=True):
        yield "CHANGELOG.md: versions must be in descending order, each once"
    for heading in headings[1:]:
        if heading["date"] == "unreleased":
            yield f"CHANGELOG.md: {heading['version']} is unreleased, but a later version follows"
    for heading in headings[:-1]:
        release = heading["version"]
        if not re.search("^### Upgrade$", sources.notes(release) or "", re.MULTILINE):
            yield f"CHANGELOG.md: {release} lacks '### Upgrade', which may say 'Nothing.'"
    present = sources.digests()
    for release, digests in sources.released().items():
        for name, digest in digests.items():
            if name not in present:
                yield f"tests/format/golden/{name}: missing, but kaon {release} has released it"
            elif present[name] != digest:
                yield f"tests/format/golden/{name}: changed, but kaon {release} has released it"


def faults_of_release(sources, tag):
    """Yield the reasons why the sources are not ready for a release."""
    version = sources.version()
    if tag != f"v{version}":
        yield f"the tag is {tag}, but CMakeLists.txt has the version {version}"
    heading = HEADING.search(sources.changelog)
    if heading is None or not re.fullmatch(r"\d{4}-\d\d-\d\d", heading["date"]):
        yield "CHANGELOG.md: the first heading needs the date of the release, as 2026-12-24"
    if version not in sources.released():
        yield f"{sources.record.name} lacks {version}: run scripts/check-release.py --freeze"


def main(arguments=None, root=ROOT):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tag", nargs="?", help="the tag of the release, such as v0.1.0")
    parser.add_argument("--freeze", action="store_true", help="record the golden files")
    parser.add_argument("--notes", action="store_true", help="print the changelog of the version")
    options = parser.parse_args(arguments)
    sources = Sources(root)
    version = sources.version()
    if options.freeze:
        released = {**sources.released(), version: sources.digests()}
        sources.record.write_text(json.dumps(released, indent=1) + "\n")
    wrong = [*faults(sources), *(faults_of_release(sources, options.tag) if options.tag else ())]
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    print(sources.notes(version) if options.notes else f"version {version} is consistent")
    return 0


if __name__ == "__main__":
    sys.exit(main())
