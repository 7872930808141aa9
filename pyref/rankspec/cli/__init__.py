"""The command line: a module a command; what several of them need stands below these."""

from .. import __version__

VERSION = __version__
