// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "lab/store/store.h"

namespace ringmesh::lab {

/// A text that was computed from other texts, kept in the store's folder memos until `store clean`. Its name is a hash
/// of all its inputs and of this program's own file, so a memo that is found is what would be computed again.
class Memo {
public:
    /// @param inputs everything that decides the text but the program
    Memo(const Store& store, const std::string& inputs);

    /// None if it is not there, or damaged: it begins with its hash.
    std::optional<std::string> find() const;
    /// A store that cannot be written keeps nothing; that is no error.
    void keep(const std::string& text) const;

private:
    std::filesystem::path file_;
};

/// Removes what is kept; another file that lies in the folder stays.
void remove_memos(const Store& store);

}  // namespace ringmesh::lab
