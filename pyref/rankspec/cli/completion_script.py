"""What a shell completes: the parser of the command line, written by shtab as a shell's script."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence

import shtab

from ..analysis.comparison import corrections, tests
from ..compute.gain import DISCOUNTS, GAINS
from ..errors import InputError
from ..evaluation.conventions import CONVENTIONS, DIVERSITY, conventions_of
from ..evaluation.profiles import PROFILES
from ..evaluation.sessions.judgments import CONVENTIONS as OF_SESSIONS
from ..metrics.bounds import PAPER_NAMES
from ..metrics.catalogue import BOUNDS, DIVERSITY_METRICS, METRICS, SESSION_METRICS
from ..metrics.defaults import OF_RANKINGS
from ..metrics.geometric import NAMES as AVERAGED_NAMES
from ..metrics.grammar import measures
from ..metrics.measure import Metric
from ..metrics.parameters import Parameter
from ..metrics.relevance import QUARTILES, VARIANT
from ..metrics.session import IDEAL, QUERY_DISCOUNT, RANK_DISCOUNT, REPEATS
from ..papers import PAPERS
from ..plots import COMPARISON_PLOTS, PLOTS, SESSION_PLOTS

_PAPERS = (*PAPER_NAMES, *AVERAGED_NAMES)
_FILES = (
    *("qrels", "run", "runs", "file", "output", "to_file", "letor", "predictions", "group"),
    *("sessions", "topics", "current", "program", "known", "junit", "baseline", "pair"),
    *("against", "two_qrels", "original", "replicated", "other_qrels"),
    *("probabilities", "prior"),
)
CUTOFFS = (5, 10, 20, 100, 1000)
_PARENTHESIS = {"bash": "\\", "zsh": "\\", "fish": ""}
"""What stands before one in a list of words: zsh and bash read that list once more."""


def script(shell: str, parser: argparse.ArgumentParser) -> str:
    """The script that makes a shell complete commands, files, measures and conventions."""
    if shell not in shtab.SUPPORTED_SHELLS:
        raise InputError(f"completion: the installed version of shtab does not support {shell}")
    _add_words(parser, shell)
    end = _WHOLE_WORDS if shell == "bash" else ""
    return f"{shtab.complete(parser, shell).rstrip()}\n{end}"


def _add_words(parser: argparse.ArgumentParser, shell: str) -> None:
    """What may stand for each argument, of the commands too: words, or the names of files."""
    words = {
        "measure": [*_measures(METRICS), *_PAPERS, *_at(_PAPERS), *_bounds(shell)],
        "profile": [profile.name for profile in PROFILES],
        "paper": [paper.name for paper in PAPERS],
        "plot": [*PLOTS, *_second_words(parser)],
        "compared": list(COMPARISON_PLOTS),
        "figure": list(SESSION_PLOTS),
        "test": list(tests.BY_NAME),
        "correction": list(corrections.BY_NAME),
        "variant": list(VARIANT.words),
        "quartiles": list(QUARTILES.words),
        "gain": list(GAINS),
        "discount": _discounts(),
    } | {
        convention.name: list(convention.values) for convention in CONVENTIONS if convention.values
    }
    if any(action.dest == "judged_by" for action in parser._actions):
        words |= _words_of_sessions(shell)
    if any(action.dest == "probabilities" for action in parser._actions):
        words["measure"] = _measures(DIVERSITY_METRICS)
        words |= {x.name: list(x.values) for x in conventions_of(DIVERSITY) if x.values}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _add_words(command, shell)
        if action.dest in words:
            action.choices = words[action.dest]
        if action.dest in _FILES and action.nargs != 0:
            action.complete = shtab.FILE  # type: ignore[attr-defined]


def _second_words(parser: argparse.ArgumentParser) -> list[str]:
    """The words that make a command of two words with that of the parser."""
    actions = (x for x in parser._actions if isinstance(x, argparse._SubParsersAction))
    return [name for action in actions for name in action.choices]


_WHOLE_WORDS = r"""
# readline divides words at @, = and parentheses, too, and leaves it to a function to quote these.
_rankspec() {
  local line="${COMP_LINE:0:COMP_POINT}" word head="" before="" at
  word="${line##*[[:blank:]]}"
  if [[ -n "$line" && "$line" != *'\ '* && "$line" != *[\"\']* ]]; then
    head="${word%"$2"}"
    [[ "$word" == -*=* ]] && before="${word%%=*}="
    read -r -a COMP_WORDS <<< "$line"
    [[ -z "$word" ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
  fi
  _rankspec_options_apart
  _rankspec_after_a_comma
  _shtab_rankspec "$@"
  for at in "${!COMPREPLY[@]}"; do
    if [[ "${COMPREPLY[at]}" == *"("* && ! -e "${COMPREPLY[at]}" && "$word" != [\"\']* ]]; then
      printf -v "COMPREPLY[at]" %q "${COMPREPLY[at]}"
    fi
    COMPREPLY[at]="$before${COMPREPLY[at]}"
    COMPREPLY[at]="${COMPREPLY[at]#"$head"}"
  done
}

# What is behind the = of an option is a word of its own.
_rankspec_options_apart() {
  local word words=()
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ "$word" == -*=* ]]; then
      words+=("${word%%=*}" "${word#*=}")
    elif [[ "$word" != "=" || ${#words[@]} = 0 || "${words[-1]}" != -* ]]; then
      words+=("$word")
    fi
  done
  [[ "${COMP_WORDS[COMP_CWORD]}" == "=" ]] && words+=("")
  COMP_WORDS=("${words[@]}")
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
}

# One -m has several measures with commas between them: what is completed is the last.
_rankspec_after_a_comma() {
  local list="${COMP_WORDS[COMP_CWORD]}"
  if [[ "$list" == *,* && "${COMP_WORDS[COMP_CWORD - 1]}" =~ ^(-m|--measure)$ ]]; then
    before+="${list%,*},"
    before="${before#[\"\']}"
    COMP_WORDS[COMP_CWORD]="${list##*,}"
  fi
}

complete -o bashdefault -F _rankspec rankspec
"""


def _words_of_sessions(shell: str) -> dict[str, list[str]]:
    """What may stand for the arguments of the commands on sessions."""
    return {
        "measure": _measures(SESSION_METRICS),
        "gain": [*GAINS, "0-1-10-100"],
        "discount": _with_default(RANK_DISCOUNT, shell),
        "query_discount": _with_default(QUERY_DISCOUNT, shell),
        "padding": ["X", "0"],
        **{known.name: list(known.words) for known in (REPEATS, IDEAL)},
        **{known.name: list(known.values) for known in OF_SESSIONS},
    }


def _discounts() -> list[str]:
    return [name for name in DISCOUNTS if "(" not in name]


def _with_default(discount: Parameter, shell: str) -> list[str]:
    """The discounts, and before them the default one, which has a parenthesis."""
    return [*_quoted(str(discount.default), shell), *_discounts()]


def _quoted(word: str, shell: str) -> list[str]:
    """A word with parentheses in it, where the shell can be told of one."""
    if shell not in _PARENTHESIS:
        return []
    return [re.sub(r"[()]", lambda m: _PARENTHESIS[shell] + m[0], word)]


def _measures(metrics: Sequence[Metric]) -> list[str]:
    """The measures without parameters, in both spellings, at the usual cut-offs."""
    names = [metric.name for metric in metrics]
    others = [metric.names for metric in metrics]
    names += [*(other.trec for other in others if other.trec), *_at(names)]
    for cutoff in CUTOFFS:
        names += [f"{other.trec_cut}.{cutoff}" for other in others if other.trec_cut]
    return names


def _at(names: Iterable[str]) -> list[str]:
    """The names with the usual cut-offs."""
    return [f"{name}@{cutoff}" for cutoff in CUTOFFS for name in names]


def _bounds(shell: str) -> list[str]:
    """The bounds of the measures that are the default."""
    of = [measure for name in OF_RANKINGS for measure in measures(name)]
    return [
        word
        for bound in BOUNDS
        for measure in of
        if bound.refusal(measure.metric) is None
        for word in _quoted(f"{bound.name}({measure})", shell)
    ]
