"""Code on the pages: it weighs less and looks the same; examples are copied without prompts."""

from __future__ import annotations

import html
import re

PLAIN = re.compile(r'<span class="[nopw]">([^<]*)</span>')
"""Names, operators, punctuation and blanks: most of all code, in the colour of all code."""

LINE = re.compile(r'<a id="(__codelineno-\d+-\d+)"[^>]*></a>')
"""A line, which is a link to itself; on source pages the numbers of the lines are links too."""

SESSION = re.compile(
    r'<div class="language-(?:pycon|console) highlight"(?P<listing>><pre>.*?</pre>)', re.DOTALL
)


def lightened(content: str, numbered: bool) -> str:
    """The page with less around its code; numbered: lines have numbers, and keep their anchors."""
    content = "".join(PLAIN.split(content))  # a tenth of the time that sub(r"\1") takes
    if numbered:
        return LINE.sub(r'<a id="\1"></a>', content)
    return SESSION.sub(_copied_without_prompts, LINE.sub("", content))


def _copied_without_prompts(found: re.Match[str]) -> str:
    text = html.unescape(re.sub(r"<[^>]*>", "", found["listing"][1:]))
    copied = f' data-copy="{html.escape(typed(text))}"'
    return found[0].replace(found["listing"], copied + found["listing"])


def typed(session: str) -> str:
    """What was typed in a session of the interpreter, or of a shell.

    >>> typed(">>> for x in (1, 2):\\n...     print(x)\\n1\\n2\\n>>> x\\n2")
    'for x in (1, 2):\\n    print(x)\\nx'
    """
    return "\n".join(re.findall(r"^(?:>>> ?|\.\.\. ?|\$ )(.*)$", session, re.MULTILINE))
