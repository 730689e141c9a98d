"""Adds pages to the site, for mkdocs, from outside docs/: the examples, and a few single pages.

Links from docs/ to files elsewhere in the repository lead to these pages on the site.
"""

import re
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).parent.parent
FROM_OUTSIDE = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "bench/README.md": "benchmark-methods.md",
    "bench/encodings.md": "encoding-gains.md",
    "bench/results.md": "benchmark-results.md",
}
LANGUAGES = {".cpp": "cpp", ".h": "cpp", ".py": "python", ".yaml": "yaml", ".txt": "cmake"}


def on_files(files, config):
    """Add the pages to those from docs/."""
    pages = {name: (ROOT / source).read_text() for source, name in FROM_OUTSIDE.items()}
    for folder in sorted((ROOT / "examples").iterdir()):
        if folder.is_dir():
            pages[f"examples/{folder.name}.md"] = page_of(folder)
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    return files


def page_of(folder):
    """Return a page with all sources of an example."""
    sections = [f"# examples/{folder.name}"]
    for path in sorted(path for path in folder.rglob("*") if path.suffix in LANGUAGES):
        code = path.read_text().rstrip()
        sections.append(
            f"## {path.relative_to(folder)}\n\n```{LANGUAGES[path.suffix]}\n{code}\n```"
        )
    return "\n\n".join(sections)


def on_page_markdown(markdown, page, **_):
    """Turn links to files of the repository into links to their pages."""
    here = page.file.src_uri
    if here in FROM_OUTSIDE.values():
        markdown = re.sub(r"\]\((?:\.\./)?docs/", "](", markdown)
    for source, name in FROM_OUTSIDE.items():
        markdown = markdown.replace(f"](../{source}", f"]({name}").replace(
            f"]({source}", f"]({name}"
        )
    markdown = re.sub(r"\]\((?:\.\./)?examples/(\w+)/([^)]+)\)", file_link, markdown)
    return re.sub(r"\]\((?:\.\./)?examples/(\w+)\)", r"](examples/\1.md)", markdown)


def file_link(match):
    """Return the link to a file in an example's page."""
    folder, file = match.groups()
    return f"](examples/{folder}.md#{re.sub(r'[^a-z0-9_-]', '', file.lower())})"
