// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

/// Where platforms/, studies/ and skeletons/ are: the data that come with Ringmesh.
namespace ringmesh::platforms {

/// The first of these that exists: $RINGMESH_DATA; ../share/ringmesh beside the executable; what use_data_folder()
/// named; the source tree that this library was built from.
std::filesystem::path data_folder();

/// For programs that link the library: its installed data. @pre before the first data_folder()
void use_data_folder(std::filesystem::path folder);

}  // namespace ringmesh::platforms
