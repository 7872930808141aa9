#!/usr/bin/env bash
# Runs tests that reach the C core against a build with AddressSanitizer and UBSan: of the fast lane,
# or of all with `tools/sanitize.sh --lane all`, which takes some three times as long.
# PYTHON: an interpreter with the test dependencies (default: python3).
set -euo pipefail
cd "$(dirname "$0")/.."
python=$(realpath -s "${PYTHON:-$(command -v python3)}")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cp -r pyref csrc build_ext.py setup.py pyproject.toml README.md LICENSE "$copy"
rm -f "$copy"/pyref/rankspec/_core* "$copy"/pyref/rankspec/_dicts* "$copy"/pyref/rankspec/_one_list*
(
    cd "$copy"
    # What gcc's "undefined" leaves out: a double that no integer holds cast to one, a division by 0.0
    # (no kernel means one), and an array at the end of a structure.
    export CFLAGS="-g -fsanitize=address,undefined -fno-sanitize-recover=all -DRS_NO_CLONES"
    CFLAGS+=" -fsanitize=float-cast-overflow,float-divide-by-zero,bounds-strict"
    sed -i 's/"-O3"/"-O1"/' build_ext.py # in half the time, and an optimiser hides less
    grep -q '"-O1"' build_ext.py
    "$python" setup.py -q build_ext --inplace
)

export PYTHONPATH="$copy/pyref" PYTHONMALLOC=malloc LD_PRELOAD
LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
# A mismatch of new and free is pytrec_eval's; the core has no new.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:alloc_dealloc_mismatch=0 UBSAN_OPTIONS=print_stacktrace=1
"$python" -c "
import rankspec._core as core, rankspec._dicts as dicts, rankspec._one_list as one_list
files = [x.__file__ for x in (core, dicts, one_list)]
assert all(x.startswith('$copy') for x in files), files
print('sanitized core:', core.__file__)"
# Left out: what bounds memory, which these multiply, or preloads a library of its own; what is about rounding, with few bits or on many
# lists; the small worlds of tests/exhaustive, which ask the reference, mostly: the shapes of their lists
# are among the others. Attacks are named, so that they run at full length.
hostile=tests/api/test_hostile.py::test_no
"$python" -m pytest -q -n 0 -p no:cacheprovider tests/api tests/differential tests/formats \
    "${hostile}_object_of_a_caller_crashes_the_process" \
    "${hostile}_dict_that_changes_while_it_is_read_crashes_the_process" \
    "${hostile}_thread_of_a_caller_crashes_the_process" \
    --ignore=tests/formats/test_memory.py -k "not without_memory and not a_locale_that and not many_lists and not few_bits and not fewer_bits and not every_order and not nearly" \
    --hypothesis-profile=sanitized "$@"
