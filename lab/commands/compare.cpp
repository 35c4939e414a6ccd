// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "lab/commands/command.h"
#include "lab/commands/study.h"
#include "lab/compare/comparison.h"
#include "lab/compare/sides.h"
#include "lab/compare/waveforms.h"
#include "lab/process/output_file.h"
#include "lab/process/standard_streams.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCompare{.name = "compare",
                               .meaning = "Show what differs between two points, or two stores",
                               .arguments = "compare A B [OPTIONS]",
                               .examples = R"(Examples:
  ringmesh compare 90f7 33cf              two points; `ringmesh study list` shows their keys
  ringmesh compare old-store new-store    points that differ only in model version and seed
  ringmesh study compare my-study base fast

The output shows the configuration first, then results and statistics with differences in percent. With repetitions it
says which differences are larger than the noise: than the 95 % interval of the difference of two means (Welch).
)"};

class CompareCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCompare; }
    void describe(OptionList& list) override;
    int execute() override;

private:
    std::string a;  ///< two folders of stores, two waveforms, or two keys of points, or what they begin with
    std::string b;
    std::string store;  ///< of the points; empty for the usual one
    std::string json;
    std::string csv;
};

void CompareCommand::describe(OptionList& list)
{
    list.argument("A", a, "Key of a point, or its beginning; the folder of a store; or a waveform (.vcd, .fst)");
    list.argument("B", b, "The other one, of the same kind");
    add_folder(list, store);
    list.text("--json", json, "Write all values; '-' for standard output", "FILE");
    list.text("--csv", csv, "Write all values as a table; '-' for standard output", "FILE");
}

void write(const Comparison& comparison, const std::string& json, const std::string& csv)
{
    ResultOutputs{OutputFile(json), OutputFile(csv)}.write([&] { return comparison_json(comparison); },
                                                           [&] { return comparison_csv(comparison); },
                                                           [&] { return comparison_text(comparison, output_room()); });
}

Comparison compared(std::string a, std::string b, Sides sides)
{
    if (sides.places.empty()) {
        throw UserError(fmt::format("compare: {} and {} have no finished points that are alike; run them first", a, b));
    }
    Comparison comparison = compare(std::move(a), std::move(b), sides.places);
    comparison.notes.insert(comparison.notes.end(), sides.notes.begin(), sides.notes.end());
    return comparison;
}

}  // namespace

int CompareCommand::execute()
{
    if (a.empty() || b.empty()) {
        throw UserError(
            "compare: not two things; write the keys of two points, the folders of two stores, or two waveforms" +
            see_help("compare"));
    }
    require_one_standard_output(json, csv);
    if (is_waveform(a) != is_waveform(b)) {
        throw UserError(fmt::format("compare: {} is a waveform and {} is not; compare two of a kind",
                                    is_waveform(a) ? a : b, is_waveform(a) ? b : a));
    }
    if (is_waveform(a)) {
        ResultOutputs outputs{OutputFile(json), OutputFile(csv)};
        const WaveformComparison comparison = compare_waveforms(a, b);
        outputs.write([&] { return waveforms_json(comparison, a, b); }, [&] { return waveforms_csv(comparison); },
                      [&] { return waveforms_text(comparison, a, b); });
        return 0;
    }
    const auto is_store = [](const std::string& path) {
        std::error_code error;
        return std::filesystem::exists(std::filesystem::path(path) / "store.json", error);
    };
    if (is_store(a) && is_store(b)) {
        write(compared(a, b, sides_of_stores(Store::existing(a), Store::existing(b))), json, csv);
        return 0;
    }
    const Store points = Store::at(store);
    const ComparedPlace place{
        .title = {}, .a = {point_with(points, a, "compare")}, .b = {point_with(points, b, "compare")}};
    const auto name_of = [](const Point& point) {
        return fmt::format("{}, {}", point.header.key.substr(0, 8), title_of(point.record));
    };
    write(compared(name_of(place.a.front()), name_of(place.b.front()), {.places = {place}, .notes = {}}), json, csv);
    return 0;
}

int AskedStudy::compare_points(const AskedPoints& asked, const Store& points) const
{
    if (!variants.empty()) {
        write(compared("variant " + variants.front(), "variant " + variants.back(),
                       sides_of_variants(asked, points, variants.front(), variants.back())),
              json, csv);
    } else if (!from.empty()) {
        const Store other = Store::existing(from.front());
        write(compared(points.folder().string(), other.folder().string(), sides_of_study(asked, points, other)), json,
              csv);
    } else {
        write(compared("model " + model_version(), "model " + model, sides_of_models(asked, points, model)), json, csv);
    }
    return 0;
}

std::unique_ptr<Command> make_compare() { return std::make_unique<CompareCommand>(); }

}  // namespace ringmesh::lab
