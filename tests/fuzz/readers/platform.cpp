// SPDX-License-Identifier: Apache-2.0
/// A platform file, with its base, provenance, graph and faults, up to all its parameters.
#include "platforms/builder.h"
#include "platforms/configuration.h"
#include "platforms/files/catalog.h"
#include "tests/fuzz/lines.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    // Beside the input, where a base is looked for first: without the reasons, nine tenths of the time
    static const bool kBases = [] {
        for (const char* name : {"wulfkit-ring", "mesh-8x8", "scc", "ncube-64"}) {
            const std::string text = platforms::read_text(platforms::find_platform(name));
            fuzz::file(name, text.substr(0, text.find("\n[provenance.") + 1));
        }
        return true;
    }();
    if (!kBases) return 0;
    return fuzz::refused_or_read([&] {
        const auto configuration = platforms::Configuration::load(fuzz::file("mine.toml", fuzz::text_of(data, size)));
        const auto& kind = platforms::machine_kind(configuration);
        kind.effective_parameters(configuration, {NodeKind::kProcessor});
        kind.effective_parameters(configuration, {NodeKind::kPacketSource});
    });
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed)
{
    return ringmesh::fuzz::mutate_lines(data, size, most, seed,
                                        {"machine = \"wulfkit\"",
                                         "machine = \"mesh\"",
                                         "machine = \"scc\"",
                                         "machine = \"ncube\"",
                                         "description = \"d\"",
                                         "based_on = \"wulfkit-ring\"",
                                         "based_on = \"mesh-8x8\"",
                                         "based_on = \"scc\"",
                                         "based_on = \"mine.toml\"",
                                         "[topology]",
                                         "kind = \"graph\"",
                                         "routing = \"up-down\"",
                                         "[nodes]",
                                         "\"0..3\" = 2",
                                         "[cards]",
                                         "\"2..3\" = 0",
                                         "[switches]",
                                         "top = 4",
                                         "[rings]",
                                         "x = [\"node0.0\", \"node1.0\"]",
                                         "[mesh]",
                                         "shape = \"graph\"",
                                         "[mesh.nodes]",
                                         "\"0..3\" = \"terminal\"",
                                         "[mesh.links]",
                                         "a = [\"r0.east\", \"r1.west\"]",
                                         "[mesh.pipelines]",
                                         "r0 = \"5 cycles\"",
                                         "holes = [\"r1_1\"]",
                                         "routes_by = \"up-down\"",
                                         "[layout]",
                                         "controllers = [\"r0_0.west\"]",
                                         "[layout.serves]",
                                         "0 = 1",
                                         "[fault.a]",
                                         "where = \"*\"",
                                         "what = \"cut\"",
                                         "when = \"1e-3/packet\"",
                                         "lasts = \"1 us\"",
                                         "[provenance.\"mesh.rows\"]",
                                         "from = \"assumed\"",
                                         "low = 1",
                                         "high = 9",
                                         "[node.\"0..1\".lc2]",
                                         "bypass = \"9 cycles\""});
}
