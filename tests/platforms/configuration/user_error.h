// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tlm/error.h"

namespace ringmesh::test {

/// The text of the error that `act` throws.
template <class Error = UserError>
std::string error_of(const std::function<void()>& act)
{
    try {
        act();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace ringmesh::test
