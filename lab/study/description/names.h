// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workloads/workload.h"

namespace ringmesh::lab {

/// A text as a number in the unit that its name gets, or the text itself.
struct Measured {
    workloads::Cell cell;
    std::string suffix;  ///< "_ns"; empty for numbers without a unit, and texts
};
Measured measured(const std::string& text);

/// Names with the values that they have at one point, and SQL expressions over them.
class Names {
public:
    void add(std::string name, workloads::Cell cell) { all_.emplace_back(std::move(name), std::move(cell)); }
    /// Not listed among what is known.
    void add_alias(std::string name, workloads::Cell cell) { aliases_.emplace_back(std::move(name), std::move(cell)); }

    /// @throws UserError beginning with `where`
    workloads::Cell evaluate(const std::string& expression, const std::string& where) const;
    /// Whether it is a number other than 0. @throws likewise
    bool holds(const std::string& expression, const std::string& where) const;
    /// The text with ${expression} replaced. @throws likewise
    std::string filled(const std::string& text, const std::string& where) const;

private:
    using Named = std::vector<std::pair<std::string, workloads::Cell>>;

    Named all_;
    Named aliases_;
};

}  // namespace ringmesh::lab
