// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "lab/commands/keep/study.h"
#include "lab/commands/line/command.h"
#include "lab/commands/line/outputs.h"
#include "lab/compare/comparison.h"
#include "lab/compare/sides.h"
#include "lab/compare/waveforms.h"
#include "lab/process/standard_streams.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

constexpr CommandHelp kCompare{.name = "compare",
                               .meaning = "Show what differs between two points, or two stores",
                               .arguments = "compare A B [OPTIONS]",
                               .examples = R"(Examples:
  ringmesh compare 90f7 33cf              two points; `ringmesh study list STUDY` shows their keys
  ringmesh compare old-store new-store    points that differ only in model version and seed
  ringmesh study compare my-study base fast

The output shows the configuration first, then results and statistics with differences in percent. With repetitions it
says which differences are larger than the noise: than the 95 % interval of the difference of two means (Welch).
)"};

class CompareCommand final : public Command {
public:
    const CommandHelp& help() const override { return kCompare; }
    void describe(OptionList& list) override
    {
        list.argument("A", a_, "Key of a point, or its beginning; the folder of a store; or a waveform (.vcd, .fst)");
        list.argument("B", b_, "The other one, of the same kind");
        list.need("not two things; write the keys of two points, the folders of two stores, or two waveforms");
        add_folder(list, store_);
        add_outputs(list, files_, "all values", "all values");
    }
    int execute() override;

private:
    std::string a_;  ///< two folders of stores, two waveforms, or two keys of points, or what they begin with
    std::string b_;
    std::string store_;  ///< of the points; empty for the usual one
    OutputOptions files_;
};

void write(const Comparison& comparison, Outputs outputs)
{
    outputs.write(
        answer_of(comparison), [&] { return comparison_json(comparison); }, [&] { return comparison_csv(comparison); },
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
    if (is_waveform(a_) != is_waveform(b_)) {
        throw UserError(fmt::format("compare: {} is a waveform and {} is not; compare two of a kind",
                                    is_waveform(a_) ? a_ : b_, is_waveform(a_) ? b_ : a_));
    }
    Outputs outputs(files_, command_line);
    if (is_waveform(a_)) {
        const WaveformComparison comparison = compare_waveforms(a_, b_);
        outputs.write([&] { return waveforms_json(comparison, a_, b_); }, [&] { return waveforms_csv(comparison); },
                      [&] { return waveforms_text(comparison, a_, b_, output_room().prose()); });
        return 0;
    }
    const auto is_store = [](const std::string& path) { return is_there(std::filesystem::path(path) / "store.json"); };
    if (is_store(a_) && is_store(b_)) {
        write(compared(a_, b_, sides_of_stores(Store::existing(a_), Store::existing(b_))), std::move(outputs));
        return 0;
    }
    for (const std::string& side : {a_, b_}) {
        if (!is_there(side) || is_store(side)) continue;
        throw UserError(
            fmt::format("compare: {} is no store, for it has no store.json, and no waveform; write two stores, two "
                        "waveforms, or the keys of two points",
                        side));
    }
    const Store points = Store::at(store_);
    const ComparedPlace place{
        .title = {}, .a = {point_with(points, a_, "compare")}, .b = {point_with(points, b_, "compare")}};
    const auto name_of = [](const Point& point) {
        return fmt::format("{}, {}", point.header.key.substr(0, 8), title_of(point.record));
    };
    write(compared(name_of(place.a.front()), name_of(place.b.front()), {.places = {place}, .notes = {}}),
          std::move(outputs));
    return 0;
}

int AskedStudy::compare_points(const AskedPoints& asked, const Store& points) const
{
    Outputs outputs(files, command_line);
    if (!variants.empty()) {
        write(compared("variant " + variants.front(), "variant " + variants.back(),
                       sides_of_variants(asked, points, variants.front(), variants.back())),
              std::move(outputs));
    } else if (!from.empty()) {
        const Store other = Store::existing(from.front());
        write(compared(points.folder().string(), other.folder().string(), sides_of_study(asked, points, other)),
              std::move(outputs));
    } else {
        write(compared("model " + model_version(), "model " + model, sides_of_models(asked, points, model)),
              std::move(outputs));
    }
    return 0;
}

std::unique_ptr<Command> make_compare() { return std::make_unique<CompareCommand>(); }

}  // namespace ringmesh::lab
