// SPDX-License-Identifier: Apache-2.0
/// The value of --workload, and behind a newline that of --library, up to the options that they set.
#include "workloads/workload.h"
#include "lab/workload_spec.h"
#include "platforms/configuration.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    const std::string text(fuzz::text_of(data, size));
    return fuzz::refused_or_read([&] {
        const auto spec = lab::parse_workload_spec("--workload", text.substr(0, text.find('\n')));
        const auto& info = workloads::find_workload(spec.name, spec.options);
        const auto workload = info.make(nullptr);
        platforms::read_assignments(spec.options, "--workload",
                                    [&](ParameterVisitor& visitor) { workload->visit(visitor); });
    });
}
