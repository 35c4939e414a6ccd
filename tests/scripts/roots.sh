# SPDX-License-Identifier: Apache-2.0
# For tests/scripts/packages and tests/scripts/bare, which source it from the root of the tree: Debian roots of their own, made by
# mmdebstrap from the machine's own apt sources and removed at the end. $folder is where logs go.
((EUID == 0)) || { echo "$0 needs root, for roots that packages are installed in"; exit 2; }
mkdir -p -- "$folder"
roots=$(mktemp -d)
trap 'rm -rf --one-file-system -- "$roots"' EXIT
chmod 755 "$roots"

since=$SECONDS
say() { printf -- '-- %4d s  %s\n' "$((SECONDS - since))" "$*"; }
fail() { echo "${0##*/}: $*" >&2; exit 1; }
# quietly LOG COMMAND...: shows the end of what it printed if it fails
quietly() {
    local log=$folder/$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 40 -- "$log" | cut -c 1-300 >&2; fail "$* failed"; }
}
mapfile -t sources < <(find /etc/apt -name debian.sources -o -path /etc/apt/sources.list -size +0)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
# root NAME MMDEBSTRAP_OPTIONS...
root() {
    local name=$1
    shift
    quietly "$name.log" mmdebstrap --aptopt='Acquire::Retries "3"' --dpkgopt=force-unsafe-io "$@" "$release" "$roots/$name" "${sources[@]}"
    cp -L /etc/resolv.conf "$roots/$name/etc/resolv.conf"
}
# in_root NAME COMMAND: by a shell, with a /proc and a /dev/pts of its own; what it starts ends with it
in_root() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
            mount -t proc proc "$1/proc"
            mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$1/dev/pts"
            exec chroot "$1" bash -euo pipefail -c "cd /root; $2"' - "$roots/$1" "$2"
}
