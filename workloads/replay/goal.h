// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/error.h"

/// Programs as GOAL text, the format of LogGOPSim and ATLAHS. docs/reference/programs/traces.md says what its words
/// mean here.
namespace ringmesh::workloads::goal {

/// Of a receive: "from -1", "tag -1".
inline constexpr std::uint32_t kAny = ~0U;

struct Operation {
    enum class Kind : std::uint8_t { kCalc, kSend, kReceive };
    Kind kind = Kind::kCalc;
    std::uint32_t line = 0;    ///< of the file, from 1
    std::uint32_t peer = 0;    ///< of a message: the other rank, or kAny
    std::uint32_t tag = 0;     ///< likewise; kAny: of any tag
    std::uint64_t amount = 0;  ///< bytes of a message, ns of a calc
};
/// As the file has it: "send 8b to 1 tag 5".
std::string text_of(const Operation& operation);

/// An operation that must be over, or have started, before another may start.
struct Dependency {
    std::uint32_t on = 0;   ///< number of the operation within its rank
    bool on_start = false;  ///< irequires
};

struct Indexed {
    Operation operation;
    std::vector<Dependency> dependencies;  ///< all on operations of lower numbers
};

/// A file that has been read and checked. The operations lie in a temporary file, in an order of each rank in which
/// they depend on earlier ones alone, otherwise as the file has them: in memory is one rank at a time while it is read,
/// a count for each source, target and tag, and later what readers hold.
class File {
public:
    /// @throws UserError naming file and line for text that is no GOAL, a rank or a label that does not exist, a cycle
    /// of dependencies, and a message that is sent but not received, or the reverse
    explicit File(std::string path);

    const std::string& path() const { return path_; }
    unsigned ranks() const { return static_cast<unsigned>(ranks_.size()); }
    std::uint64_t operations() const { return operations_; }
    std::uint64_t messages() const { return messages_; }
    /// Of the largest message.
    std::uint64_t largest() const { return largest_; }
    /// Line of the largest message, and of the first receive of any source; 0: there is none.
    std::uint32_t line_of_largest() const { return line_of_largest_; }
    std::uint32_t line_of_any_source() const { return line_of_any_source_; }
    /// Line in which a rank begins; 0: it has no operations.
    std::uint32_t line_of(unsigned rank) const { return ranks_[rank].line; }
    /// Numbers of cpu and nic streams of the rank that has most.
    unsigned streams() const { return streams_; }
    /// "FILE:12: "
    UserError problem(std::uint32_t line, const std::string& what) const;

    /// Reads the operations of a rank one after another.
    class Reader {
    public:
        Reader(const File& file, unsigned rank);
        bool at_end() const { return left_ == 0; }
        /// @pre not at_end()
        Indexed next();

    private:
        void read(void* into, std::size_t bytes);

        const File* file_;
        std::uint64_t left_;
        std::uint64_t offset_;
        std::vector<char> buffer_;
        std::size_t used_ = 0;
    };

private:
    friend class Parser;
    struct Rank {
        std::uint32_t line = 0;
        std::uint64_t offset = 0;
        std::uint64_t operations = 0;
    };
    using Temporary = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

    std::string path_;
    std::vector<Rank> ranks_;
    std::uint64_t operations_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t largest_ = 0;
    std::uint32_t line_of_largest_ = 0;
    std::uint32_t line_of_any_source_ = 0;
    unsigned streams_ = 0;
    Temporary records_;
};

}  // namespace ringmesh::workloads::goal
