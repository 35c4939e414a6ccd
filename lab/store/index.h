// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lab/store/store.h"
#include "workloads/workload.h"

namespace ringmesh::lab {

/// A study as the index has it: which points it asks for under which names, and what came out.
struct IndexedStudy {
    struct Member {
        std::string test;
        std::string variant;
        unsigned repetition = 1;
        std::string key;                                        ///< its point may still be missing
        std::vector<std::pair<std::string, std::string>> axes;  ///< name and value
    };
    std::string name;
    std::vector<Member> members;
    workloads::Results published;  ///< one of the columns is id; the index takes them as they come
    workloads::Results ledger;     ///< likewise; no rows if none was made
};

/// An SQLite database over the points of a store, for readers that have only SQL (docs/reference/results/store.md has
/// its tables). The points are the truth: the index can be made again at any time, and one process makes it.
class StoreIndex {
public:
    /// Opens it, or makes it; that of an older program is emptied, but for tables that somebody added.
    /// @throws UserError if it cannot be, belongs to a newer program, or is any other file, which stays as it is
    explicit StoreIndex(const std::filesystem::path& file);
    StoreIndex(const StoreIndex&) = delete;
    StoreIndex& operator=(const StoreIndex&) = delete;
    ~StoreIndex();

    struct Changes {
        std::size_t added = 0;
        std::size_t removed = 0;
        std::size_t damaged = 0;  ///< files that cannot be read as points
    };
    /// Adds the points that are new, drops those that are gone. @throws UserError if another process writes to it, or
    /// the disk is full; the index is then as before
    Changes refresh(const Store& store);

    /// Replaces what is known of the study of this name. @throws UserError as refresh()
    void put(const IndexedStudy& study);

    struct Connection;  ///< the open database

private:
    std::unique_ptr<Connection> connection_;
};

}  // namespace ringmesh::lab
