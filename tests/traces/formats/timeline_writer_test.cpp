// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/timeline_writer.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/traces/waveform_bench.h"
#include "tlm/error.h"
#include "tlm/statistics/component.h"
#include "traces/recorder.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// What `protoc --decode` with the public names says about run.pftrace.
struct Event {
    std::uint64_t time = 0;
    std::string type;
    std::string name;
    std::string track;  ///< with those above it: "node0/link"
    std::set<std::uint64_t> flows;
    std::map<std::string, std::uint64_t> annotations;
    std::int64_t count = 0;
};

struct Timeline {
    std::vector<Event> events;
    std::set<std::string> tracks;
};

std::string unquoted(const std::string& text) { return text.substr(1, text.size() - 2); }

Timeline read_timeline()
{
    const std::string command = "protoc --decode=perfetto.protos.Trace -I '" RINGMESH_SOURCE_DIR
                                "/tests/traces' perfetto.proto < run.pftrace > run.txt";
    BOOST_REQUIRE(std::system(command.c_str()) == 0);
    Timeline timeline;
    std::map<std::uint64_t, std::string> names, annotations, tracks;
    std::map<std::string, std::string> fields;  // "track_event.type" of the packet that is being read
    std::vector<std::string> path;
    Event event;
    std::uint64_t annotation = 0;
    std::ifstream file("run.txt");
    for (std::string line; std::getline(file, line);) {
        line.erase(0, line.find_first_not_of(' '));
        if (line.ends_with(" {")) {
            path.push_back(line.substr(0, line.size() - 2));
            if (path.size() == 1) fields.clear(), event = {};
            continue;
        }
        if (line == "}") {
            const std::string ended = path.back();
            path.pop_back();
            if (ended == "event_names")
                names[std::stoull(fields["event_names.iid"])] = unquoted(fields["event_names.name"]);
            if (ended == "debug_annotation_names") {
                annotations[std::stoull(fields["debug_annotation_names.iid"])] =
                    unquoted(fields["debug_annotation_names.name"]);
            }
            if (ended == "track_descriptor") {
                std::string name = unquoted(fields["track_descriptor.name"]);
                BOOST_TEST(name.ends_with(" [1 ns is 1 ps]"));
                name.resize(name.size() - 15);
                if (fields.contains("track_descriptor.parent_uuid")) {
                    name = tracks.at(std::stoull(fields["track_descriptor.parent_uuid"])) + '/' + name;
                }
                tracks[std::stoull(fields["track_descriptor.uuid"])] = name;
                BOOST_TEST(timeline.tracks.insert(name).second, name);
            }
            if (ended == "track_event") {
                event.type = fields["track_event.type"];
                if (fields.contains("track_event.name_iid"))
                    event.name = names.at(std::stoull(fields["track_event.name_iid"]));
                event.track = tracks.at(std::stoull(fields["track_event.track_uuid"]));
                if (fields.contains("track_event.counter_value"))
                    event.count = std::stoll(fields["track_event.counter_value"]);
                event.time = std::stoull(fields["packet.timestamp"]);
                timeline.events.push_back(event);
            }
            continue;
        }
        const std::string key = line.substr(0, line.find(':'));
        const std::string value = line.substr(line.find(':') + 2);
        BOOST_TEST((key.find_first_not_of("0123456789") != std::string::npos),
                   "a field that the schema does not have: " << line);
        if (key == "flow_ids") event.flows.insert(std::stoull(value));
        if (path.back() == "debug_annotations" && key == "name_iid") annotation = std::stoull(value);
        if (path.back() == "debug_annotations" && key == "uint_value") {
            event.annotations[annotations.at(annotation)] = std::stoull(value);
        }
        fields[path.back() + '.' + key] = value;
    }
    return timeline;
}

/// Slices of each track as a viewer builds them, which sorts by time and keeps the order of the file: every end belongs
/// to the beginning before it. @return "name from..to #packet" of each
std::map<std::string, std::vector<std::string>> slices_of(Timeline timeline)
{
    std::stable_sort(timeline.events.begin(), timeline.events.end(),
                     [](const Event& a, const Event& b) { return a.time < b.time; });
    std::map<std::string, std::vector<Event>> open;
    std::map<std::string, std::vector<std::string>> slices;
    for (const Event& event : timeline.events) {
        if (event.type == "TYPE_SLICE_BEGIN") open[event.track].push_back(event);
        if (event.type != "TYPE_SLICE_END") continue;
        BOOST_REQUIRE(open[event.track].size() == 1u);  // no slice lies in another
        const Event begin = open[event.track].back();
        open[event.track].pop_back();
        std::string text = begin.name + ' ' + std::to_string(begin.time) + ".." + std::to_string(event.time);
        if (begin.annotations.contains("packet")) {
            text += " #" + std::to_string(begin.annotations.at("packet"));
            BOOST_TEST(begin.flows == std::set<std::uint64_t>{begin.annotations.at("packet")});
        }
        slices[event.track].push_back(text);
    }
    for (const auto& [track, left] : open) BOOST_TEST(left.empty(), track);
    return slices;
}

using Texts = std::vector<std::string>;

class Chip final : public Component {
public:
    std::string component_name() const override { return "block.chip"; }
    void statistics(StatisticsVisitor&) const override {}
    std::string pending() const override { return ""; }
};

std::vector<std::unique_ptr<WaveWriter>> to_timeline(std::uint64_t singles = TimelineWriter::kSingles)
{
    std::vector<std::unique_ptr<WaveWriter>> writers;
    writers.push_back(std::make_unique<TimelineWriter>("run.pftrace", singles));
    return writers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(timeline_writer)

BOOST_AUTO_TEST_CASE(periods_words_and_stages_are_slices_and_numbers_are_counters)
{
    const TemporaryFolder folder;
    Block block("block");
    const Chip chip;
    int balance = 0;
    Recorder file(to_timeline());
    block.trace(&file);
    sc_core::sc_trace(&file, balance, "balance");
    block.at(5_ns, [&] {
        block.link.busy(6_ns, 9_ns, "request", 5);
        block.link.busy(9_ns, 12_ns, "echo", 6);
        block.phase = "sending";
        block.fill = 7;
        balance = -3;
        file.stage(chip, {"copy", 5, Leg::kRequest, StageKind::kWork, 1_ns, 20_ns});
        file.stage(chip, {"copy", 6, Leg::kRequest, StageKind::kWork, 10_ns, 20_ns});
        file.stage(chip, {"check", 6, Leg::kRequest, StageKind::kWork, 20_ns, 21_ns});
    });
    block.at(8_ns, [&] { block.phase = "idle"; });
    sc_core::sc_start(to_kernel(30_ns));
    file.close();
    const Timeline timeline = read_timeline();
    BOOST_TEST(
        (timeline.tracks == std::set<std::string>{"balance", "block", "block/busy", "block/chip", "block/chip/stages",
                                                  "block/chip/stages 2", "block/fill", "block/link", "block/phase"}));
    const auto slices = slices_of(timeline);
    BOOST_TEST((slices.at("block/link") == Texts{"request 6000..9000 #5", "echo 9000..12000 #6"}));
    BOOST_TEST((slices.at("block/phase") == Texts{"waiting 0..5000", "sending 5000..8000"}));
    BOOST_TEST((slices.at("block/chip/stages") == Texts{"copy 1000..20000 #5", "check 20000..21000 #6"}));
    BOOST_TEST((slices.at("block/chip/stages 2") == Texts{"copy 10000..20000 #6"}));
    Texts counts;
    for (const Event& event : timeline.events) {
        if (event.type != "TYPE_COUNTER") continue;
        counts.push_back(event.track + ' ' + std::to_string(event.time) + ' ' + std::to_string(event.count));
    }
    BOOST_TEST(
        (counts == Texts{"block/busy 0 0", "block/fill 0 0", "balance 0 0", "block/fill 5000 7", "balance 5000 -3"}));
}

BOOST_AUTO_TEST_CASE(a_window_cuts_slices_at_its_ends)
{
    const TemporaryFolder folder;
    Block block("block");
    const Chip chip;
    Recorder file(to_timeline(), Window{10_ns, 20_ns});
    block.trace(&file);
    block.at(2_ns, [&] {
        block.link.busy(5_ns, 15_ns, "request", 1);
        block.link.busy(16_ns, 40_ns, "request", 2);
        block.link.busy(50_ns, 60_ns, "request", 3);
        file.stage(chip, {"copy", 1, Leg::kRequest, StageKind::kWork, 3_ns, 12_ns});
        file.stage(chip, {"copy", 1, Leg::kRequest, StageKind::kWork, 3_ns, 9_ns});
    });
    sc_core::sc_start(to_kernel(100_ns));
    file.close();
    const auto slices = slices_of(read_timeline());
    BOOST_TEST((slices.at("block/link") == Texts{"request 10000..15000 #1", "request 16000..20000 #2"}));
    BOOST_TEST((slices.at("block/chip/stages") == Texts{"copy 10000..12000 #1"}));
}

BOOST_AUTO_TEST_CASE(a_slice_takes_less_than_a_hundred_bytes)
{
    const TemporaryFolder folder;
    Block block("block");
    Recorder file(to_timeline());
    block.trace(&file);
    constexpr std::uint64_t kSlices = 20'000;
    std::uint64_t id = 1'000'000;
    const std::function<void()> act = [&] {
        block.link.busy(now(), now() + 1_ns, "request", ++id);
        if (id < 1'000'000 + kSlices) block.at(now() + 100_ns, act);
    };
    block.at(1_ms, act);
    sc_core::sc_start();
    file.close();
    BOOST_TEST(std::filesystem::file_size("run.pftrace") < 100 * kSlices);
}

/// 2000 slices of 50 ns on a track, and as many stages, of which two overlap: what is not written singly is counted.
BOOST_AUTO_TEST_CASE(beyond_a_number_of_slices_one_stands_for_many)
{
    const TemporaryFolder folder;
    Block block("block");
    const Chip chip;
    constexpr std::uint64_t kSlices = 2'000;
    constexpr std::uint64_t kSingles = 50;
    auto writers = to_timeline(kSingles);
    const auto& writer = static_cast<const TimelineWriter&>(*writers.front());
    Recorder file(std::move(writers));
    block.trace(&file);
    std::uint64_t done = 0;
    const std::function<void()> act = [&] {
        block.link.busy(now(), now() + 50_ns, "request", ++done);
        // It is 0 for a long time
        block.fill = done % 500 == 0 && done < kSlices ? 0 : static_cast<std::uint32_t>(done);
        file.stage(chip, {"copy", done, Leg::kRequest, StageKind::kWork, now(), now() + 150_ns});
        if (done < kSlices) block.at(now() + (done % 500 == 0 ? 1_ms : 100_ns), act);
    };
    block.at(100_ns, act);
    sc_core::sc_start();
    file.close();
    const Timeline timeline = read_timeline();
    BOOST_REQUIRE(writer.singles_until().has_value());
    BOOST_TEST(writer.singles_until()->ns() > 1'000);
    BOOST_TEST(writer.singles_until()->ns() < 3'000);
    const auto slices = slices_of(timeline);  // none overlap
    BOOST_TEST(slices.at("block/link").size() < 16u + 7 * 64);
    std::map<std::string, std::uint64_t> counted, busy;
    std::int64_t fill = 0;
    std::uint64_t before = 0;
    std::size_t changes = 0;
    for (const Event& event : timeline.events) {
        if (event.track == "block/fill" && event.type == "TYPE_COUNTER") {
            ++changes;
            // Before each rest
            if (event.time > before + 900'000'000) BOOST_TEST(fill == 0);
            before = event.time;
            fill = event.count;
        }
        if (event.type != "TYPE_SLICE_BEGIN") continue;
        counted[event.track] += event.annotations.contains("slices") ? event.annotations.at("slices") : 1;
        if (event.annotations.contains("busy")) busy[event.track] += event.annotations.at("busy");
    }
    BOOST_TEST(counted.at("block/link") == kSlices);
    BOOST_TEST(counted.at("block/chip/stages") + counted.at("block/chip/stages 2") == kSlices);
    const std::uint64_t singles = kSlices - busy.at("block/link") / 50'000;
    BOOST_TEST(singles > 10u);
    BOOST_TEST(singles < 20u);
    BOOST_TEST(changes < 16u + 2 * 7 * 64);
    BOOST_TEST(fill == static_cast<std::int64_t>(kSlices));
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_noticed)
{
    TimelineWriter writer("/dev/full");
    BOOST_CHECK_THROW(writer.finish({}, {}, {}), UserError);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
