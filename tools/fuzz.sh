#!/usr/bin/env bash
# Fuzzes the C core: libFuzzer with AddressSanitizer and UBSan, and what it finds once more with
# MemorySanitizer. Three targets, in tools/fuzz: the reader of TREC files, their numbers, and the
# rounding of quotients. Files that reach code of the first two which none of tests/formats/corpus
# does are added there, where tests read them by both readers.
#
#   apt-get install clang libclang-rt-14-dev
#   tools/fuzz.sh [SECONDS [FOLDER]]
#
# SECONDS: of each target, 60. FOLDER: where all that is found is kept, and what fails: crash-*,
# leak-*, timeout-*; by default a new one. With KEEP_CORPUS=1 the corpus stays as it is.
set -euo pipefail
seconds=${1:-60}
found=$(realpath -m "${2:-$(mktemp -d)}")
cd "$(dirname "$0")/fuzz"
corpus=../../tests/formats/corpus
programs=$(mktemp -d)
trap 'rm -rf "$programs"' EXIT

build() { # a target, the sanitizers, and the program
    clang -std=c11 -g -O1 -ffp-contract=off -Wall -Wextra -Werror -fno-sanitize-recover=all \
        -fsanitize="fuzzer,$2" "$1.c" -o "$programs/$3" -lm
}

fuzz() { # a target, the longest input, and folders of files to begin with
    local target=$1 longest=$2
    shift 2
    mkdir -p "$found/$target"
    set -- -artifact_prefix="$found/" -timeout=120 "$found/$target" "$@"
    build "$target" address,undefined "$target"
    "$programs/$target" -max_total_time="$seconds" -max_len="$longest" -dict=trec.dict "$@"
    build "$target" memory "$target-memory"
    "$programs/$target-memory" -runs=0 "$@"
}

fuzz reader 1200 "$corpus/reader"
fuzz score 100 "$corpus/score"
fuzz quotient 40
[ -z "${KEEP_CORPUS:-}" ] || exit 0
for target in reader score; do # counters off: how often code is reached makes no file worth keeping
    "$programs/$target" -merge=1 -use_counters=0 "$corpus/$target" "$found/$target"
done
printf '\nall that was found: %s\n' "$found"
