// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/table/listing.h"
#include "lab/table/writers/json.h"
#include "lab/table/writers/text_table.h"
#include "tlm/statistics/use.h"

namespace ringmesh::lab {

/// What one place of a machine did in a run. Bytes and packets are those of links and buses.
struct PlaceRow {
    std::string name;
    std::string kind;
    bool carries = false;   ///< has busy time, bytes, packets
    bool is_queue = false;  ///< has a fill
    double busy_ns = 0;     ///< of a processor: in states that are work
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
    std::uint64_t waits = 0;     ///< packets that waited for the place
    std::uint64_t refusals = 0;  ///< times that it refused one, which had to come again
    double waited_ns = 0;
    double longest_wait_ns = 0;
    double queue_mean = 0;  ///< over the run's time
    std::uint32_t queue_highest = 0;
    std::uint64_t queue_room = 0;                           ///< 0: there is no bound that matters
    std::vector<double> queue_histogram_ns;                 ///< time at each fill; the last one of 128 and all above
    std::vector<std::pair<std::string, double>> states_ns;  ///< of a processor
};

/// The use of all places, and how it went over time.
struct PlaceUseTable {
    struct Series {
        std::string name;
        std::vector<double> busy;  ///< part of each interval; values behind the last one are zero
        std::vector<std::uint64_t> bytes;
        std::vector<std::uint64_t> packets;
        std::vector<double> queue;  ///< mean fill
    };
    std::vector<PlaceRow> places;  ///< in the order of the machine's blocks
    double every_ns = 0;           ///< interval of sampling; 0: nothing was sampled
    double asked_ns = 0;           ///< shorter if the run was too long for it
    std::vector<Series> series;    ///< of the places that were used
};

/// "node*.lc2_*.link_out": a sort of place. A pattern for --trace, too. The number of a name
/// stays: "lc2" is a chip, "l1" a cache.
std::string without_numbers(std::string_view name);

/// @pre the meter has finished
PlaceUseTable place_use_of(const UseMeter& meter, Duration simulated);

/// Of the places that were busy or waited for longest, at most so many; all if there are no more.
PlaceUseTable most_used(const PlaceUseTable& use, std::size_t most);

/// Time in which something waited there, over all that did: packets for a link or bus, the program in a processor that
/// neither works nor is idle.
double waiting_ns(const PlaceRow& place);

/// "The bottleneck is node3.pci.phase (bus): busy 97.1 % of the run; 803 packets waited for it 412 times, ...": the
/// busiest place of any kind; of a processor its states, too, and the busiest of what carries bytes. A processor that
/// stores or loads for most of its time waits for another place: what refuses most in its node, or else the busiest.
/// Nothing if none was busy.
std::string bottleneck_text(const PlaceUseTable& use, Duration simulated);

/// The place that it names; empty: none.
std::string bottleneck_name(const PlaceUseTable& use);

/// A row for each sort of place, "node*.pci.phase", then one for each of the busiest, at most `most`.
/// Sorts and places that were not used are left out.
std::string place_use_text(const PlaceUseTable& use, Duration simulated, std::size_t most, Room room);

/// A place of a run of this length, as a row of a table.
struct PlaceOfRun {
    const PlaceRow* place;
    double simulated_ns;
    std::size_t number = 1;  ///< of places, if it is a sort of them
};
/// The page of a report has more columns than the index of a store.
inline constexpr unsigned kOnPlacePage = 16;
inline constexpr unsigned kOfSorts = 32;  ///< for readers, of sorts of places
/// The columns of the use of places, wherever they are shown: the text, the index of a store (kInSql), the page.
const Listing<PlaceOfRun>& place_columns();
std::vector<PlaceOfRun> rows_of(const PlaceUseTable& use, Duration simulated);

/// [{name, kind, busy_ns, bytes, packets, waits, waited_ns, longest_wait_ns, refused, queue: {mean, highest, room,
/// histogram}, states: {WORD: ns}}]; what a place has not, is left out.
Json places_json(const PlaceUseTable& use);
/// {every_ns, asked_ns, from_ns, places: [{name, busy, bytes, packets, queue}]}, or null if nothing was sampled.
Json series_json(const PlaceUseTable& use);
/// Back. @param series null if there is none
PlaceUseTable place_use_from(const Json& places, const Json* series);

}  // namespace ringmesh::lab
