// SPDX-License-Identifier: Apache-2.0
/// A value of --set, or several, one a line, on each kind of machine.
#include <sstream>

#include "platforms/builder.h"
#include "platforms/configuration.h"
#include "platforms/files/catalog.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    if (size == 0) return 0;
    static const std::vector<platforms::Configuration> kinds = [] {
        std::vector<platforms::Configuration> all;
        for (const char* name : {"wulfkit-ring", "mesh-8x8", "scc", "ncube-64"}) {
            all.push_back(platforms::Configuration::load(platforms::find_platform(name)));
        }
        return all;
    }();
    auto configuration = kinds[data[0] % kinds.size()];
    std::istringstream lines(std::string(fuzz::text_of(data + 1, size - 1)));
    return fuzz::refused_or_read([&] {
        for (std::string line; std::getline(lines, line);) configuration.set(line);
        platforms::machine_kind(configuration).effective_parameters(configuration, {NodeKind::kProcessor});
    });
}
