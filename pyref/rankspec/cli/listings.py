"""``rankspec measures`` and ``rankspec profiles``: what there is."""

from __future__ import annotations

from argparse import Namespace

from .options import add_format
from .output import DONE, Printed
from .parser import Command, Parser


def _add_to_measures(parser: Parser) -> None:
    add_format(parser, ("table", "json"))


def _run_measures(arguments: Namespace) -> Printed:
    from ..evaluation import listings
    from ..metrics.catalogue import BOUNDS, METRICS, SESSION_METRICS

    write = listings.metrics_json if arguments.format == "json" else listings.metrics_table
    return write(METRICS, SESSION_METRICS, BOUNDS), DONE


MEASURES = Command(
    "[--format FORMAT]",
    "List every metric: its spellings, parameters with defaults, and spec ID;\n"
    "and the bounds, which are of any of them, with what papers call those.",
    "  rankspec measures\n  rankspec measures --format json\n",
    _add_to_measures,
    _run_measures,
)


def _add_to_profiles(parser: Parser) -> None:
    parser.add_argument("profile", metavar="NAME", nargs="?", help="one of them (default: all)")
    add_format(parser, ("table", "json"))


def _run_profiles(arguments: Namespace) -> Printed:
    from ..evaluation import listings
    from ..evaluation.profiles import profile

    write = listings.profiles_json if arguments.format == "json" else listings.profiles_table
    return write(None if arguments.profile is None else profile(arguments.profile)), DONE


PROFILES = Command(
    "[NAME] [--format FORMAT]",
    "List the profiles: what each program makes of each convention.",
    "  rankspec profiles\n  rankspec profiles trec_eval-9\n  rankspec profiles --format json\n",
    _add_to_profiles,
    _run_profiles,
)
