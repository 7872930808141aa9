from .metrics import *  # noqa: F403
from .rankings import *  # noqa: F403
from .rankings import __doc__ as __doc__  # noqa: A004 - the arguments, which help(rankspec.api) tells
from .rankings import of as of
