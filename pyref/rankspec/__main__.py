"""``python -m rankspec``"""

from .cli.program import program

program()
