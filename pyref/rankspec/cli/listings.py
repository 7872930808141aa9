"""``rankspec measures`` and ``rankspec profiles``: what there is."""

from __future__ import annotations

from argparse import Namespace

from ..evaluation import outputs
from ..evaluation.render import printed
from .options import add_format
from .output import DONE, Printed
from .parser import Command, Parser


def _add_to_measures(parser: Parser) -> None:
    add_format(parser, outputs.MEASURES)


def _run_measures(arguments: Namespace) -> Printed:
    return printed(outputs.MEASURES, arguments.format, None), DONE


MEASURES = Command(
    "[--format FORMAT]",
    "List every metric: its spellings, parameters with defaults, and spec ID. Then\n"
    "list the bounds, which apply to any metric, with the names that papers give\n"
    "them.",
    "  rankspec measures\n  rankspec measures --format json\n",
    _add_to_measures,
    _run_measures,
    outputs.MEASURES,
)


def _add_to_profiles(parser: Parser) -> None:
    parser.add_argument("profile", metavar="NAME", nargs="?", help="one of them (default: all)")
    add_format(parser, outputs.PROFILES)


def _run_profiles(arguments: Namespace) -> Printed:
    from ..evaluation.profiles import profile

    chosen = None if arguments.profile is None else profile(arguments.profile)
    return printed(outputs.PROFILES, arguments.format, chosen), DONE


PROFILES = Command(
    "[NAME] [--format FORMAT]",
    "List the profiles: for each convention, what each program does.",
    "  rankspec profiles\n  rankspec profiles trec_eval-9\n  rankspec profiles --format json\n",
    _add_to_profiles,
    _run_profiles,
    outputs.PROFILES,
)
