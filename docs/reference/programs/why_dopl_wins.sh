#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The runs behind docs/reference/programs/why_dopl_wins.md, as CSV: algorithm, copies, machine, bytes, seed, core cycles.
#   docs/reference/programs/why_dopl_wins.sh [SIZE...]      default: 50000 190000 600000 bytes; half an hour on two cores
#   SEEDS="1 2 3"                                placements of pages: each run once with each
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.."
(($#)) || set -- 50000 190000 600000
read -ra seeds <<<"${SEEDS:-1 2 3}"
export RINGMESH=${RINGMESH:-./ringmesh}  # or a program that is built

# one ALGORITHM COPIES MACHINE SIZE SEED
one() {
    local options=algorithm=${1/rcce/own},size=$4,repetitions=1 settings=(--seed "$5") library=rcce prefix="" copies
    [[ $1 == dopl || $1 == tree ]] && library=ircce prefix=ircce_
    case $2 in
        bytes) copies=${prefix}copies=plain,${prefix}copy_width=1 ;;
        words) copies=${prefix}copies=plain,${prefix}copy_width=4 ;;
        prefetched) copies=${prefix}copies=pipelined,${prefix}copy_width=4 ;;
    esac
    case $3 in
        as-it-was) ;;
        free-hops) settings+=(--overlay free-mesh) ;;
        no-queues-at-memory) settings+=(--overlay free-memory-bus) ;;
        all-in-cache) settings+=(--set "core.l2.size=16 MiB") ;;
    esac
    local row
    row=$("$RINGMESH" run scc "${settings[@]}" --workload "broadcast:$options" --library "$library:$copies" --csv - 2>/dev/null | tail -n 1)
    printf '%s,%s,%s,%s,%s,%s\n' "$1" "$2" "$3" "$4" "$5" "$(cut -d, -f7 <<<"$row")"
}
export -f one

"$RINGMESH" --version >/dev/null  # builds it, once
echo algorithm,copies,machine,size_bytes,seed,min_cycles
for size in "$@"; do
    for seed in "${seeds[@]}"; do
        for machine in as-it-was free-hops no-queues-at-memory all-in-cache; do
            for case in "rcce bytes" "cube bytes" "cube words" "cube prefetched" "dopl bytes" "dopl words" \
                "dopl prefetched" "tree prefetched"; do
                echo "$case $machine $size $seed"
            done
        done
    done
done | xargs -P "$(nproc)" -L 1 bash -c 'one "$@"' one | sort -t, -k4,4n -k3,3 -k1,1 -k2,2 -k5,5n
