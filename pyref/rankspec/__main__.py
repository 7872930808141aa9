"""``python -m rankspec``"""

from .cli import program

program()
