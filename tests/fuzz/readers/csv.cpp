// SPDX-License-Identifier: Apache-2.0
/// A CSV file of a study.
#include "lab/table/writers/csv.h"
#include "lab/sql/csv_table.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    return fuzz::refused_or_read(
        [&] { lab::sql_table_of(lab::csv_from_text(fuzz::text_of(data, size), "table.csv")); });
}
