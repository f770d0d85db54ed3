#!/usr/bin/env bash
# Builds the program from the source next to this folder, for the action.
#
#     action/build.sh key       # prints the key of a cache
#     action/build.sh DIR       # builds the program as DIR/squall, unless it exists
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

case ${1-} in
key)
    cd "$root"
    sources=$(find Cargo.toml Cargo.lock crates seeds -type f -not -path '*/tests/*' -print0 | LC_ALL=C sort -z |
        xargs -0 git hash-object | git hash-object --stdin)
    # A program built on a newer system does not run on an older one.
    printf 'squall-%s-%s\n' "$(uname -sm | tr ' ' '-')-${ImageOS-}" "$sources"
    ;;
'')
    echo "usage: $0 key | DIR" >&2
    exit 2
    ;;
*)
    mkdir -p "$1"
    folder=$(cd "$1" && pwd)
    if [ -x "$folder/squall" ]; then exit 0; fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    (cd "$root" && cargo build --release --locked --package squall --features change --target-dir "$work")
    cp "$work/release/squall" "$folder/squall"
    ;;
esac
