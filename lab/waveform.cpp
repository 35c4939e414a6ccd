// SPDX-License-Identifier: Apache-2.0
#include "lab/waveform.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "lab/standard_streams.h"
#include "tlm/error.h"
#include "traces/fst_writer.h"
#include "traces/trace_selection.h"
#include "traces/vcd_writer.h"

namespace ringmesh::lab {
namespace {

void check_name(std::string_view option, const std::string& file, std::string_view ending)
{
    if (file == "-") throw UserError(fmt::format("{0} -: a waveform needs a file; write {0} FILE", option));
    const std::filesystem::path name = file;
    if (name.extension() == ".gtkw") {
        throw UserError(fmt::format("{0} {1}: the view beside the waveform has this name; write {0} {2}", option, file,
                                    std::filesystem::path(name).replace_extension(ending).string()));
    }
}

}  // namespace

Waveform::Waveform(const WaveformOptions& options) : options_(options)
{
    if (!options.asked()) {
        for (const auto& [option, value] : {std::pair("--trace", &options.trace), {"--window", &options.window}}) {
            if (value->empty()) continue;
            throw UserError(fmt::format("{}: needs --vcd FILE or --fst FILE, where the signals go", option));
        }
        return;
    }
    check_name("--vcd", options.vcd, ".vcd");
    check_name("--fst", options.fst, ".fst");
    if (!options.window.empty()) window_ = parse_window(options.window);
    if (options_.trace.empty()) options_.trace = "*";
}

void Waveform::open()
{
    if (!options_.asked()) return;
    std::vector<std::unique_ptr<WaveWriter>> writers;
    if (!options_.vcd.empty()) writers.push_back(std::make_unique<VcdWriter>(options_.vcd));
    if (!options_.fst.empty()) writers.push_back(std::make_unique<FstWriter>(options_.fst));
    // One view is enough where two waveforms have one name: it shows the smaller
    for (const std::string& file : {options_.fst, options_.vcd}) {
        if (file.empty()) continue;
        if (!views_.empty() && gtkw_of(file) == gtkw_of(views_.front().waveform)) continue;
        views_.push_back({file, open_gtkw(file)});
    }
    recorder_ = std::make_unique<Recorder>(std::move(writers), window_);
}

void Waveform::attach()
{
    if (recorder_) trace_selected(*recorder_, options_.trace);
}

void Waveform::close()
{
    if (!recorder_) return;
    recorder_->close();
    for (const View& view : views_) {
        if (view.file) write_gtkw(*recorder_, view.waveform, *view.file);
        if (!recorder_->recorded()) {
            say(fmt::format("the run ended before the window began, so {} holds no values", view.waveform));
        }
        if (!view.file) continue;
        say(fmt::format("waveform in {}; look at it with: gtkwave {}", view.waveform, view.file->target().string()));
    }
}

}  // namespace ringmesh::lab
