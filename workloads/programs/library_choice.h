// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ringmesh::workloads {

class Library;

/// A program that some libraries cannot run, which depends on its options.
class LibraryChoice {
public:
    virtual ~LibraryChoice() = default;
    /// Why not over this library, with its options as they are; empty: it can. @pre the options are set
    virtual std::string refusal(const Library& library) const = 0;
};

}  // namespace ringmesh::workloads
