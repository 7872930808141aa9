#!/usr/bin/env bash
# Makes the Pythons that tools/wheels.py tries wheels in where this machine's own cannot run them:
# Debian's of aarch64, unpacked, and Debian's source of CPython built for musl, for x86_64 and aarch64.
# Those of aarch64 run by emulation. Some ten minutes, on a machine with x86_64 and Debian.
#
#   apt-get install qemu-user-static musl-tools gcc-aarch64-linux-gnu dpkg-dev && tools/pythons.sh FOLDER
#
# FOLDER has a folder for each tag: python, and emulate, a program that runs programs of its system.
# What is there already is not made again. PYTHON: an interpreter of the same version as Debian's
# (default: python3).
set -euo pipefail
folder=$(realpath -m "${1:?the folder to make}")
python=$(realpath -s "$(command -v "${PYTHON:-python3}")")
mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,sources} "$folder"/{debs,source}

apt() { # apt-get with its own lists, of another architecture and of sources: the system's stay as they are
    apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" \
        -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/apt/sources" "$@"
}

ready() { # a tag, its Python and what runs it: tools/wheels.py finds them there
    mkdir -p "$folder/$1"
    ln -sfn "$2" "$folder/$1/python"
    printf '#!/bin/sh\nexec %s "$@"\n' "$3" > "$folder/$1/emulate"
    chmod +x "$folder/$1/emulate"
    "$folder/$1/emulate" "$2" -c 'import sys, sysconfig, zlib, venv; print(sysconfig.get_platform(), sys.version)' ||
        { rm "$folder/$1/emulate" && echo "$1: its Python does not run here" >&2; }
}

if [ -z "$(ls "$folder/apt/lists/partial/.." | grep -v partial)" ]; then
    # Of the release alone: sources of security updates come and go.
    awk -v RS= -v ORS='\n\n' '!/-security/' /etc/apt/sources.list.d/debian.sources |
        sed 's/^Types: deb$/Types: deb deb-src/' > "$folder/apt/sources/debian.sources"
    apt update
fi

root=$folder/debian-arm64
if [ ! -e "$root/usr/bin/python3" ]; then
    version=$(apt-cache depends python3-minimal | sed -n 's/.* \(python3\.[0-9]*\)-minimal$/\1/p' | head -1)
    (cd "$folder/debs" && apt download "$version"{,-minimal} "lib$version"-{minimal,stdlib} \
        libc6 libexpat1 zlib1g libgcc-s1 libbz2-1.0 liblzma5 libffi8 libcrypt1 libuuid1 libssl3 musl musl-dev)
    for deb in "$folder"/debs/*.deb; do dpkg -x "$deb" "$root"; done
    ln -s "$version" "$root/usr/bin/python3"
    # On a system /lib is /usr/lib. Without this, gcc links musl statically.
    ln -sf ../../../lib/aarch64-linux-musl/libc.so "$root/usr/lib/aarch64-linux-musl/libc.so"
fi
ready manylinux2014_aarch64 "$root/usr/bin/python3" "$(command -v qemu-aarch64-static) -L $root"

# gcc links with the musl that Debian has, by the specs of musl-gcc. Of /usr/include it may see the
# headers of the kernel alone: those of glibc break what is built.
compiler() { # writes bin/cc for a processor: gcc for it, where its musl is, and where its headers are
    local at=$folder/musl-$1 root=$2 headers=$3 specs=/usr/lib/x86_64-linux-musl/musl-gcc.specs
    mkdir -p "$at"/{bin,include}
    sed "s|x86_64|$1|g; s|/usr/[a-z]*/$1-linux-musl|$root&|g" "$specs" > "$at/specs"
    ln -sfn "$headers"/{linux,asm-generic} "$at/include"
    ln -sfn "$(ls -d "$headers/$1-linux-gnu/asm" "$headers/asm" 2> /dev/null | head -1)" "$at/include/asm"
    cat > "$at/bin/cc" << END
#!/bin/sh
case \$1 in -print-multiarch | --print-multiarch) exec echo $1-linux-musl ;; esac
exec $1-linux-gnu-gcc "\$@" -specs $at/specs -idirafter $at/include $([ "$1" != aarch64 ] || echo -mno-outline-atomics)
END
    printf '#!/bin/sh\nexit 1\n' > "$at/bin/dpkg-architecture" # or setup.py adds the headers of glibc
    chmod +x "$at"/bin/*
}

build() { # CPython and the zlib that pip needs, for musl, of a processor
    local at=$folder/musl-$1 cross=()
    mkdir -p "$at"/{zlib,cpython}
    tar xf "$folder"/source/zlib_*.orig.tar.* -C "$at/zlib" --strip-components=1
    tar xf "$folder"/source/python3*.orig.tar.* -C "$at/cpython" --strip-components=1
    if [ "$1" != "$(uname -m)" ]; then
        cross=(--host="$1-linux-musl" --build="$(uname -m)-linux-musl" --with-build-python="$python"
            ac_cv_file__dev_ptmx=yes ac_cv_file__dev_ptc=no ac_cv_buggy_getaddrinfo=no)
    fi
    (
        export PATH="$at/bin:$PATH" CC="$at/bin/cc" CFLAGS="-O2 -w -I$at/zlib" LDFLAGS="-L$at/zlib"
        export AR="$1-linux-gnu-ar" RANLIB="$1-linux-gnu-ranlib" READELF="$1-linux-gnu-readelf"
        cd "$at/zlib" && cc -w -O2 -fPIC -DHAVE_UNISTD_H -c ./*.c && "$AR" rcs libz.a ./*.o &&
            cd "$at/cpython" &&
            ./configure -q --prefix="$at/python" --without-ensurepip --disable-test-modules "${cross[@]}" &&
            make -s -j"$(nproc)" && make -s install
    ) > "$at/log" 2>&1 || { tail -20 "$at/log" && return 1; }
}

(cd "$folder/source" && [ -n "$(ls)" ] || apt source --download-only python3.11 zlib)
compiler x86_64 "" /usr/include
compiler aarch64 "$root" /usr/aarch64-linux-gnu/include
for arch in x86_64 aarch64; do
    at=$folder/musl-$arch
    [ -e "$at/python/bin/python3" ] || build "$arch"
    if [ "$arch" = "$(uname -m)" ]; then by=/usr/bin/env; else
        by="$(command -v "qemu-$arch-static") -L $root"
    fi
    ready "musllinux_1_2_$arch" "$at/python/bin/python3" "$by"
done
