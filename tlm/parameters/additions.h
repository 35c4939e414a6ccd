// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tlm/error.h"

namespace ringmesh {

/// Rows that a program outside of the source tree adds to a table of the library: programs, libraries, kinds of
/// machines, policies. A table is closed when it is first read, because users of the table would miss later rows.
///
/// The state is the process's, as the tables are; it is written before anything else runs.
template <class Row>
class Additions {
public:
    /// @throws ModelError if the table has been read
    static void add(Row row)
    {
        if (state().closed) throw ModelError("a table is extended after it has been read; add rows first");
        state().rows.push_back(std::move(row));
    }
    /// The library's rows and the added ones behind them. For the table alone.
    /// @param name_of a row @param what the table has: "a program" @throws UserError if two rows have one name
    template <class NameOf>
    static std::vector<Row> close(std::vector<Row> rows, const NameOf& name_of, const std::string& what)
    {
        state().closed = true;
        for (const Row& added : state().rows) {
            for (const Row& row : rows) {
                if (name_of(row) != name_of(added)) continue;
                throw UserError(std::string(name_of(added)) + ": there is " + what +
                                " of this name already; give the added one another name");
            }
            rows.push_back(added);
        }
        return rows;
    }
    static std::size_t count() { return state().rows.size(); }

private:
    struct State {
        std::vector<Row> rows;
        bool closed = false;
    };
    static State& state()
    {
        static State all;
        return all;
    }
};

}  // namespace ringmesh
