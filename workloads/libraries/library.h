// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/machine/machine.h"
#include "tlm/parameters/names.h"
#include "tlm/parameters/parameters.h"
#include "workloads/ranks/rank.h"
#include "workloads/workload.h"

namespace ringmesh::workloads {

/// What a library offers beyond a message whose arrival and length the receiver knows.
enum class Offer : std::uint8_t {
    kQueues,     ///< every message waits until it is received: a queue, or its sender, holds it
    kAnySource,  ///< a receive takes a message of any rank
    kTags,       ///< a receive takes a message of a certain tag
    kBuffered,   ///< a send returns without its receiver, whatever the size
    kRequests,   ///< sends and receives that return before they are done (Requests)
    kOneSided,   ///< reads and writes of another rank's memory (OneSided)
    kBarrier,    ///< a barrier of its own; all ranks call begin and end
    kBroadcast,  ///< a broadcast of its own
    kLabels,     ///< messages with labels, any number under way (LabelledMessages)
};
inline constexpr NameTable<Offer, 9> kOfferNames{{{{"queues", Offer::kQueues},
                                                   {"any-source", Offer::kAnySource},
                                                   {"tags", Offer::kTags},
                                                   {"buffered", Offer::kBuffered},
                                                   {"requests", Offer::kRequests},
                                                   {"one-sided", Offer::kOneSided},
                                                   {"barrier", Offer::kBarrier},
                                                   {"broadcast", Offer::kBroadcast},
                                                   {"labels", Offer::kLabels}}}};

/// The published point-to-point benchmark that a library reproduces; it sets the programs' default options.
enum class Measured : std::uint8_t {
    kScibench,  ///< [000 app. A]
    kMpibench,  ///< [000 app. B]
    kDeck,      ///< [002 IV]
    kThesis,    ///< [004 3.2]
    kVertex,    ///< the sizes of [001]
};

/// A message passing library: its options, once, and its end for each rank.
class Library {
public:
    virtual ~Library() = default;
    virtual std::vector<Offer> offers() const = 0;
    bool has(Offer offer) const;
    virtual Measured measured() const = 0;
    virtual void visit(ParameterVisitor& visitor) = 0;
    /// Bytes of the largest message whose send does not wait for its receiver, while there is room for it; other sends
    /// may wait.
    virtual std::uint32_t buffered() const { return has(Offer::kBuffered) ? ~0U : 0; }
    /// Whether it has no labels, and the model adds them to its messages: an assumption.
    virtual bool adds_labels() const { return false; }
    /// What it uses of PCs, as its options are set.
    virtual ProgramUse uses() const { return {}; }

    /// The ends of all ranks, in their order and not set up; their processors know the placement (Processor::place).
    /// The library outlives them.
    /// @throws UserError if the options contradict each other or the machine
    virtual std::vector<std::unique_ptr<Rank>> make_ranks(Machine& machine, const Placement& ranks) = 0;

    /// The buffers of a program's messages.
    enum class Buffers : std::uint8_t {
        kOne,       ///< one of the largest size holds them all
        kEachSize,  ///< each size has its own, whose size selects the protocol
    };
    virtual Buffers buffers() const { return Buffers::kOne; }
    /// Sizes of the buffers, ascending, of a program whose messages have any size up to this one: each goes out of the
    /// smallest buffer that holds it.
    virtual std::vector<std::uint32_t> buffer_sizes(std::uint32_t largest) const { return {largest}; }
    /// Bytes that programs leave free in front of a buffer of which they send parts, so that equal seeds give buffers
    /// the same pages, whatever the size of a part.
    virtual std::uint32_t room_in_front() const { return 0; }

    /// The text of a valid value for messages of at most so many bytes.
    using Cure = std::string (*)(std::uint32_t most);
    /// @param size of a message that a program is to send out of a buffer of its own @param subject of the error, with
    /// its verb @throws UserError if it cannot be carried as the library is set
    virtual void require_carried(std::uint32_t /*size*/, std::string_view /*subject*/, Cure /*cure*/) const {}
    /// The frequency by which the library's clock divides processor cycles, whatever their real one; none: it has no
    /// clock.
    virtual std::optional<Frequency> declared_clock() const { return std::nullopt; }
    /// Additional columns of a table by message size for this library.
    virtual std::vector<Column> columns() const { return {}; }
    virtual std::vector<Cell> cells(std::uint32_t /*size*/) const { return {}; }
    /// Sentences for the results. @param sum over all ranks concerned
    virtual std::vector<std::string> notes(const MessagingStatistics& /*sum*/) const { return {}; }
};

struct LibraryInfo {
    std::string_view name;
    std::string_view description;
    std::string_view runs_on;  ///< SomeMachine::kIs
    std::function<std::unique_ptr<Library>()> make;
};

/// A row of the catalog for a program over ranks. @tparam Program a RankProgram
template <class Program>
WorkloadInfo over_ranks(std::string name, std::vector<Offer> needs, std::string description)
{
    return {std::move(name), std::move(description), {}, std::move(needs), {}, [](const LibraryInfo* library) {
                return std::make_unique<Program>(library->make());
            }};
}

/// All libraries, those shipped, then those added; the first suitable one is the default.
const std::vector<LibraryInfo>& libraries();
/// @throws UserError naming the nearest known library
const LibraryInfo& find_library(const std::string& name);
/// Why a workload cannot run over a library; none: it can.
std::optional<std::string> lacks(const WorkloadInfo& workload, const LibraryInfo& library);

}  // namespace ringmesh::workloads
