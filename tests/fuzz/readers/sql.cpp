// SPDX-License-Identifier: Apache-2.0
/// SQL of a study's script: its statements, and a question.
#include <chrono>

#include "lab/sql/database.h"
#include "lab/sql/statements.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    return fuzz::refused_or_read([&] {
        lab::Database database;
        database.limit_statements(std::chrono::milliseconds(200));
        workloads::Results content;
        content.columns = {{"a", ""}, {"b", "ns"}};
        content.rows = {{std::int64_t{1}, 2.5}, {std::string("x"), std::monostate()}};
        database.add({"t", content});
        const std::string text(fuzz::text_of(data, size));
        const auto half = text.find('\n');
        if (half != std::string::npos) {
            const std::string script = text.substr(0, half);
            for (const std::string_view statement : lab::statements_of(script)) database.execute(statement);
        }
        database.query(half == std::string::npos ? text : text.substr(half + 1));
    });
}
