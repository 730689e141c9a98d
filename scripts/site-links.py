"""Checks the links of the site that mkdocs has built: each must lead to a file, and to its anchor.

mkdocs itself checks links in Markdown, but not those in notebooks, examples and references.
"""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs.exceptions import PluginError


class Links(HTMLParser):
    """The links of a page, and the anchors that links can lead to."""

    def __init__(self, page):
        super().__init__()
        self.links, self.anchors = set(), {""}
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src"):
                self.links.add(value)


def on_post_build(config):
    """Stop with the list of broken links, if there are any."""
    site = Path(config.site_dir).resolve()
    pages = {path: Links(path) for path in site.rglob("*.html") if path.name != "404.html"}
    broken = [
        f"{path.relative_to(site)}: {link}"
        for path, page in sorted(pages.items())
        for link in sorted(page.links)
        if not leads_somewhere(link, path, pages)
    ]
    if broken:
        raise PluginError("\n".join(["broken links:", *broken]))


def leads_somewhere(link, path, pages):
    """Return whether a link of a page leads to another site, or to a file and its anchor."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    page = pages.get(target)
    return target.exists() and (page is None or unquote(parts.fragment) in page.anchors)
