"""Formulas as plain text, for the search: its excerpts cannot set them.

Only what the spec uses is known here; a command without an entry stands as its name.
"""

from __future__ import annotations

import html
import re

FORMULA = re.compile(r"\\\((?P<line>.+?)\\\)|\\\[(?P<display>.+?)\\\]", re.DOTALL)

SILENT = {
    "mathrm", "mathit", "mathbf", "mathbb", "text", "texttt", "operatorname",
    "displaystyle", "textstyle", "left", "right", "bigl", "bigr", "Bigl", "Bigr",
    "bigm", "Bigm", "frac", "dfrac", "tfrac", "substack", "bar",
}  # fmt: skip
SYMBOLS = {
    "le": "≤", "ge": "≥", "lt": "<", "gt": ">", "ne": "≠", "in": "∈", "iff": "⇔", "to": "→",
    "subseteq": "⊆", "prec": "≺", "approx": "≈", "cdot": "·", "times": "×", "sum": "Σ", "prod": "Π",
    "dots": "…", "ldots": "…", "cdots": "…", "infty": "∞", "pm": "±",
    "langle": "⟨", "rangle": "⟩", "lvert": "|", "rvert": "|",
    "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "tau": "τ",
    "ell": "ℓ", "sharp": "♯", "rho": "ρ", "sigma": "σ", "varphi": "φ", "phi": "φ",
    "quad": " ", "qquad": " ",
}  # fmt: skip


def without_formulas(text: str) -> str:
    r"""An HTML text with each formula, \(...\) or \[...\], put in plain characters."""
    return FORMULA.sub(lambda m: html.escape(plain(html.unescape(m[m.lastgroup or 0]))), text)


def plain(tex: str) -> str:
    r"""
    >>> plain(r"\frac{\mathrm{DCG}@k}{2^{i}} \le \lambda\,(i + 1)")
    'DCG@k/2^i ≤ λ (i + 1)'
    """

    def command(match: re.Match[str]) -> str:
        name = match[1]
        return "" if name in SILENT else SYMBOLS.get(name, name)

    tex = re.sub(r"\\(begin|end)\{\w+\}|\\right\.|\\left\.", "", tex)
    tex = re.sub(r"\\\\\[\d+ex\]", " ", tex)
    tex = re.sub(r"\}\s*\{", "/", tex)
    tex = re.sub(r"\\([a-zA-Z]+)", command, tex)
    tex = re.sub(r"\\[,;:! ]|\\\\|&", " ", tex)
    tex = re.sub(r"\\([{}])", r"\1", tex.replace("{", "").replace("}", ""))
    return " ".join(tex.split())
