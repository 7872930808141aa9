"""``python -m rankspec``"""

from .program import program

program()
