# SPDX-License-Identifier: Apache-2.0
# For bench/kills and bench/slurm, which source it: a study, and whether interruptions did any harm to it.

# write_study FOLDER POINTS: that many points, a multiple of 5, each some tenths of a second.
write_study() {
    mkdir -p "$1"
    cat >"$1/study.toml" <<END
platform = "wulfkit-ring"
program  = "ping-pong"
options  = { sizes = 64, repetitions = ${REPETITIONS:-60}, series = 5 }
set      = { "topology.dimensions" = "\${2*hops}" }

[test.rings]
axes = { hops = "1..$(($2 / 5)) step 1", "link.symbol_time" = ["5 ns", "4.5 ns", "4 ns", "3 ns", "2 ns"] }
END
}

# table STUDY STORE: everything the runs gave, without what differs between equal runs.
table() {
    "$program" study query "$1" 'SELECT * FROM rings ORDER BY point' --store "$2" --csv -
    "$program" study query "$1" 'SELECT * FROM rings_statistics ORDER BY point, modules, name' --store "$2" --csv -
}

# finished STORE...: a line for each finished point, with a hash of its file, which holds the time at which it ended.
finished() {
    local store
    for store in "$@"; do find "$store/points" -name '*.json' -exec sha256sum {} +; done | sort
}

# keep_finished FILE STORE...: adds what is finished now to the lines in the file; fails if one of them has changed.
keep_finished() {
    local file=$1 lost
    shift
    touch "$file"
    finished "$@" >"$file.now"
    lost=$(comm -23 "$file" "$file.now")
    [[ -z $lost ]] || { echo "finished points were run again or lost:"; echo "$lost"; exit 1; }
    mv "$file.now" "$file"
}

# require_equal STUDY STORE: as an uninterrupted run in the store `whole`.
require_equal() {
    table "$1" whole >whole.csv
    table "$1" "$2" >other.csv
    cmp whole.csv other.csv || { echo "the table differs from an uninterrupted run's"; exit 1; }
    echo "  the tables equal an uninterrupted run's: $(wc -l <whole.csv) lines, $(wc -c <whole.csv) bytes"
}
