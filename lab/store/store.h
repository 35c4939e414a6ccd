// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/store/point.h"

namespace ringmesh::lab {

/// A folder of points, a file each (docs/reference/results/store.md). The program writes a file whole and then renames
/// it, so any number of processes may use one store, and an interrupted one leaves no half file.
class Store {
public:
    /// The folder is made when something is written to it. @throws UserError if it is no folder, or
    /// holds the store of a newer program
    explicit Store(std::filesystem::path folder);
    /// The same, but the folder must be a store already. @throws UserError
    static Store existing(const std::filesystem::path& folder);
    /// The store of this folder; of usual_folder() if it is empty. @throws UserError
    static Store at(const std::string& folder);
    /// $RINGMESH_STORE, or else ringmesh/store in $XDG_DATA_HOME, or else ~/.local/share/ringmesh/store.
    static std::filesystem::path usual_folder();

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path file_of(const std::string& key) const;
    /// Whether the folder is a store already.
    bool is_made() const;
    bool has(const std::string& key) const;
    /// Nothing if it is not there. A file that cannot be read as a point, or is damaged, counts as not there; find()
    /// says so. The header is read much faster than the whole point.
    std::optional<PointHeader> find_header(const std::string& key) const;
    std::optional<Point> find(const std::string& key) const;
    /// What a finished point gave, faster than all of it.
    std::optional<Outcome> find_outcome(const std::string& key, bool statistics) const;
    /// Of the file, whatever is in it.
    std::optional<std::string> find_text(const std::string& key) const;
    /// @throws UserError if it cannot be written
    void put(const Point& point) { put_text(point.header.key, point_text(point)); }
    /// @throws UserError if nothing can be written: told before anything runs
    void require_writable();
    /// The text of a point, as point_text() has it.
    void put_text(const std::string& key, const std::string& text);
    /// Of all points whose keys begin so, sorted.
    std::vector<std::string> keys(const std::string& beginning = {}) const;
    /// @return false if it is not there @throws UserError if it cannot be removed
    bool remove(const std::string& key);
    /// Removes files that processes left which were killed while they wrote: older than a day. @return how many
    std::size_t remove_left_over();

private:
    /// `read` of the point's text; damage is told.
    template <class Read>
    auto read(const std::string& key, const Read& read) const -> std::optional<decltype(read(std::string_view()))>;
    std::filesystem::path header_file() const { return folder_ / "store.json"; }
    /// Makes the folder if it is not there. @throws UserError
    void make();

    std::filesystem::path folder_;
};

}  // namespace ringmesh::lab
