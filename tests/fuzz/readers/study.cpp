// SPDX-License-Identifier: Apache-2.0
/// study.toml, up to its points.
#include "lab/study/description/study.h"
#include "lab/study/points/points.h"
#include "tests/fuzz/lines.h"
#include "tests/fuzz/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace ringmesh;
    return fuzz::refused_or_read([&] {
        fuzz::file("study.toml", fuzz::text_of(data, size));
        const lab::Study study = lab::read_study(fuzz::folder());
        double points = 0;
        for (const lab::StudyTest& test : study.tests) {
            double product = static_cast<double>(test.variants.size()) * test.repeat;
            for (const lab::Axis& axis : test.axes) product *= static_cast<double>(axis.values.size());
            points += product;
        }
        if (points > 10'000) return;  // as many take their time
        lab::points_of(study);
    });
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed)
{
    return ringmesh::fuzz::mutate_lines(
        data, size, most, seed,
        {"platform = \"wulfkit-ring\"", "limit = \"60 s\"", "[test.a]", "program = \"ping-pong\"", "library = \"raw\"",
         "options = { sizes = 64 }", "axes = { hops = [1, 2] }", "axes = { hops = \"1..4 step 1\" }",
         "set = { \"topology.dimensions\" = \"${2*hops}\" }", "repeat = 3", "[test.a.variants]",
         "x = { library = \"deck\" }", "overlays = [\"x\"]", "cells = \"cells.csv\"", "[tables]", "notes = [\"n\"]",
         "together = [[\"a\", \"b\"]]"});
}
