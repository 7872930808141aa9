"""What compresses, by the names of the compressions that are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys

from rankspec.formats import streams

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSIONS = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd.compress,
}

assert list(COMPRESSIONS) == [compression.name for compression in streams.COMPRESSIONS]
