"""The metrics of the spec, chapter by chapter.

``METRICS`` is the one list of metrics: the API, the command line, the site and the tests read
it. A new chapter adds a module of its name here, which applies the equations of the reference's
module of the same name.
"""

from __future__ import annotations

from . import dcg, length, precision, relevance

METRICS = (*dcg.METRICS, *length.METRICS, *relevance.METRICS, *precision.METRICS)
