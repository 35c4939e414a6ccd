// SPDX-License-Identifier: Apache-2.0
#include "traces/gtkw.h"

#include <cmath>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tests/traces/waveform_bench.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// Writes the view of a closed waveform. @return its name; empty if it gets none
std::filesystem::path view_of(const Recorder& file, const std::filesystem::path& dump = "run.vcd")
{
    const auto view = open_gtkw(dump);
    if (!view) return {};
    write_gtkw(file, dump, *view);
    return view->target();
}

/// The lines of the view from the first group on.
std::string rows_of(const std::filesystem::path& view)
{
    const std::string text = text_of(view);
    const std::size_t first = text.find("@200\n");
    return first == std::string::npos ? "no group in: " + text : text.substr(first);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(gtkw)

BOOST_AUTO_TEST_CASE(every_signal_is_in_the_group_of_its_module_and_shown_by_its_kind)
{
    const TemporaryFolder folder;
    Block second("node10");
    Block first("node2");
    int balance = 0;
    sc_dt::sc_bv<4> bits;
    Recorder file(to_vcd("run.vcd"));
    second.trace(&file);
    first.trace(&file);
    sc_core::sc_trace(&file, balance, "node2.balance");
    sc_core::sc_trace(&file, bits, "node2.bits");
    sc_core::sc_start(to_kernel(1_us));
    file.close();
    BOOST_TEST(view_of(file) == "run.gtkw");
    BOOST_TEST(rows_of("run.gtkw") ==
               "@200\n-node2\n"
               "@28\nnode2.link\n@24\nnode2.link_id\n@28\nnode2.busy\n@24\nnode2.fill\n@8024\nnode2.fill\n"
               "@28\nnode2.phase\n@420\nnode2.balance\n@22\nnode2.bits[3:0]\n"
               "@200\n-node10\n"
               "@28\nnode10.link\n@24\nnode10.link_id\n@28\nnode10.busy\n@24\nnode10.fill\n@8024\nnode10.fill\n"
               "@28\nnode10.phase\n");
}

BOOST_AUTO_TEST_CASE(the_view_names_the_dump_beside_it_and_shows_the_recorded_time)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory("out");
    Block block("block");
    Recorder file(to_vcd("out/run.vcd"), {2_us, 4_us});
    block.trace(&file);
    sc_core::sc_start(to_kernel(5_us));
    file.close();
    const std::filesystem::path view = view_of(file, "out/run.vcd");
    BOOST_TEST(view == "out/run.gtkw");
    const std::string text = text_of(view);
    BOOST_TEST(text.starts_with("[dumpfile] \"run.vcd\"\n[savefile] \"run.gtkw\"\n[timestart] 2000000\n"));
    // A zoom at which 2 us fill between half and all of the 1280 pixels of the window
    const double per_200_pixels = std::exp2(-std::stod(text.substr(text.find("\n*") + 2)));
    const double pixels = 2e6 / per_200_pixels * 200;
    BOOST_TEST(pixels > 640);
    BOOST_TEST(pixels < 1280);
}

BOOST_DATA_TEST_CASE(of_more_than_200_signals_the_view_has_those_that_change, data::make({200U, 201U}), count)
{
    const TemporaryFolder folder;
    std::vector<unsigned> values(count);
    Recorder file(to_vcd("run.vcd"));
    for (unsigned i = 0; i < count; ++i) sc_core::sc_trace(&file, values[i], "block.value" + std::to_string(i));
    Actor actor("actor");
    actor.at(1_us, [&values] { values[17] = 5; });
    sc_core::sc_start(to_kernel(2_us));
    file.close();
    view_of(file);
    const std::string rows = rows_of("run.gtkw");
    BOOST_TEST((rows.find("value16\n") != std::string::npos) == (count <= kManySignals));
    BOOST_TEST(rows.find("value17\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_dump_of_another_name_keeps_it)
{
    const TemporaryFolder folder;
    Recorder file(to_vcd("run.gtkw"));
    file.close();
    BOOST_TEST(view_of(file, "run.gtkw") == "run.gtkw.gtkw");
}

BOOST_AUTO_TEST_CASE(a_dump_that_is_no_file_gets_no_view)
{
    Recorder file(to_vcd("/dev/null"));
    file.close();
    BOOST_TEST(view_of(file, "/dev/null") == "");
}

BOOST_AUTO_TEST_CASE(a_view_that_gtkwave_saved_is_not_opened)
{
    const TemporaryFolder folder;
    folder.write("run.gtkw", "[*]\n[*] GTKWave Analyzer v3.3.104 (w)1999-2020 BSI\n[dumpfile] \"run.vcd\"\n");
    BOOST_TEST(!open_gtkw("run.vcd"));
    BOOST_TEST(open_gtkw("run.vcd", View::kPacket) != nullptr);
    for (const char* own : {"", "[dumpfile] \"run.vcd\"\n"}) {
        folder.write("run.gtkw", own);
        BOOST_TEST(open_gtkw("run.vcd") != nullptr);
    }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
