// SPDX-License-Identifier: Apache-2.0
/// The file of a point in a store.
#include "lab/store/point.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    fuzz::refused_or_read([&] { lab::header_from_text(fuzz::text_of(data, size)); });
    return fuzz::refused_or_read([&] { lab::point_from_text(fuzz::text_of(data, size)); });
}
