// SPDX-License-Identifier: Apache-2.0
#include "lab/run/record/waveform.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <utility>

#include "lab/process/mpi/processes.h"
#include "lab/process/standard_streams.h"
#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "traces/formats/fst_writer.h"
#include "traces/formats/timeline_writer.h"
#include "traces/formats/vcd_writer.h"
#include "traces/trace_selection.h"

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

/// "run.packet.gtkw, run.links.gtkw, run.library.gtkw"
std::string other_views(const std::string& waveform)
{
    std::vector<std::string> names;
    for (const View view : kViews) {
        if (view != View::kAll) names.push_back(gtkw_of(waveform, view).string());
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Waveform::Waveform(const WaveformOptions& options) : options_(options)
{
    if (!options.asked()) {
        for (const auto& [option, value] : {std::pair("--trace", &options.trace), {"--window", &options.window}}) {
            if (value->empty()) continue;
            throw UserError(
                fmt::format("{}: needs --vcd FILE, --fst FILE or --timeline FILE, where the signals go", option));
        }
        return;
    }
    check_name("--vcd", options.vcd, ".vcd");
    check_name("--fst", options.fst, ".fst");
    check_name("--timeline", options.timeline, ".pftrace");
    if (!options.window.empty()) window_ = parse_window(options.window);
    if (options_.trace.empty()) options_.trace = "*";
}

void Waveform::open()
{
    if (!options_.asked()) return;
    std::vector<std::unique_ptr<WaveWriter>> writers;
    if (!is_first_process()) {  // it tells the first one
        recorder_ = std::make_unique<Recorder>(std::move(writers), window_);
        return;
    }
    if (!options_.vcd.empty()) writers.push_back(std::make_unique<VcdWriter>(options_.vcd));
    if (!options_.fst.empty()) writers.push_back(std::make_unique<FstWriter>(options_.fst));
    if (!options_.timeline.empty()) {
        const bool all = !options_.window.empty();  // what is asked for is shown singly
        auto writer = all ? std::make_unique<TimelineWriter>(options_.timeline, UINT64_MAX)
                          : std::make_unique<TimelineWriter>(options_.timeline);
        timeline_ = writer.get();
        writers.push_back(std::move(writer));
    }
    // One view is enough where two waveforms have one name: it shows the smaller
    for (const std::string& file : {options_.fst, options_.vcd}) {
        if (file.empty()) continue;
        if (!views_.empty() && gtkw_of(file) == gtkw_of(views_.front().waveform)) continue;
        for (const View view : kViews) {
            views_.push_back({file, view, open_gtkw(file, view)});
            if (const auto name = gtkw_of(file, view); is_somebody_elses(name)) {
                say(fmt::format("{}: not written by ringmesh, so it stays as it is", name.string()));
            }
        }
    }
    recorder_ = std::make_unique<Recorder>(std::move(writers), window_);
}

void Waveform::attach(Simulation& simulation)
{
    if (!recorder_) return;
    trace_selected(*recorder_, options_.trace,
                   [&simulation](sc_core::sc_trace_file* file) { simulation.faults().trace(file); });
    if (window_.needs_packets() || !options_.timeline.empty()) simulation.on_journey(*recorder_);
    if (Division* const division = simulation.division()) {
        recorder_->divide(division->observations());
    } else {
        recorder_->follow(simulation);
    }
    simulation_ = &simulation;
}

std::string Waveform::close(const std::string& stopped)
{
    if (!recorder_) return {};
    recorder_->close(stopped, simulation_ == nullptr ? now() : simulation_->end());
    if (!is_first_process()) return {};
    if (!recorder_->missed().empty()) {
        std::string why = fmt::format("--window {}: {}; nothing was recorded", window_.text, recorder_->missed());
        if (stopped.empty()) return why;
        say(why);
    }
    const auto recorded = recorder_->recorded();
    if (recorded && window_.kind != WindowRequest::Kind::kTimes) {
        const std::uint64_t packet = recorder_->followed();
        const auto happened = recorder_->happened();
        say(fmt::format("--window {}: {}{}{:.3f} to {:.3f} us", window_.text,
                        happened ? fmt::format("at {:.6f} us, ", happened->us()) : "",
                        packet == 0 ? "" : fmt::format("packet {}, ", packet), recorded->from.us(), recorded->to.us()));
    }
    if (recorded && !recorder_->shows_a_change()) {
        say(fmt::format("no signal changes from {:.3f} to {:.3f} us; choose another window, or more signals by --trace",
                        recorded->from.us(), recorded->to.us()));
    }
    for (const ViewFile& view : views_) {
        if (view.file) write_gtkw(*recorder_, view.waveform, *view.file, view.purpose);
        if (view.purpose != View::kAll || !view.file || !recorded) continue;
        say(fmt::format("waveform in {}; look at it with: gtkwave {}\n          or, for one purpose, with {}",
                        view.waveform, view.file->target().string(), other_views(view.waveform)));
    }
    if (!options_.timeline.empty() && recorded) {
        say(fmt::format("timeline in {}; open it at https://ui.perfetto.dev, where a nanosecond is a picosecond",
                        options_.timeline));
        if (const auto until = timeline_->singles_until()) {
            say(fmt::format("from {:.3f} us on, a slice in it stands for many; a short --window shows each",
                            until->us()));
        }
    }
    return {};
}

}  // namespace ringmesh::lab
