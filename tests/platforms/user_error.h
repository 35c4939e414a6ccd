// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tlm/error.h"

namespace ringmesh::test {

/// The text of the UserError that `act` throws.
inline std::string error_of(const std::function<void()>& act)
{
    try {
        act();
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace ringmesh::test
