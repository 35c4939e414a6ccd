// SPDX-License-Identifier: Apache-2.0
/// The file of a point in a store. Its header has a hash of its record, so each is read by itself as well; that it is
/// damaged any exception may say.
#include "lab/store/point.h"
#include "lab/table/writers/json.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    const auto read = [](const auto& reader) {
        try {
            reader();
        } catch (const std::exception&) {  // the store runs the point again
        }
    };
    const std::string_view text = fuzz::text_of(data, size);
    const std::string_view record = text.substr(text.find('\n') + 1);
    read([&] { lab::header_from_text(text); });
    read([&] { lab::record_from(lab::Json::parse(record)); });
    read([&] { lab::outcome_from(lab::Json::parse(record, {"results", "simulated_ns", "statistics"})); });
    return 0;
}
