// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringmesh::lab {

/// The commit that the program is built from, "-changed" behind it if files differed; empty if that is not known, as in
/// tests that link these sources.
[[gnu::weak]] const char* program_commit();

}  // namespace ringmesh::lab
