"""Shows examples in docstrings, `>>> ...`, as code on the site: an extension for mkdocstrings."""

import re

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^\.\.\. .*\n?)*)+", re.MULTILINE)


class Examples(griffe.Extension):
    def on_instance(self, *, obj, **_):
        """Put fences around the examples of a docstring."""
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(
                lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", obj.docstring.value
            )
