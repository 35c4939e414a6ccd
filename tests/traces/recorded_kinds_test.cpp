// SPDX-License-Identifier: Apache-2.0
/// Every kind of value that sc_trace takes.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include <sysc/datatypes/fx/fx.h>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/traces/waveform_bench.h"
#include "traces/recorder.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// Objects that change at 1 ns, each in a file of its own.
class Kinds {
public:
    template <class Object>
    void add(Object from, const Object& to, const std::string& declaration, const std::string& before,
             const std::string& after)
    {
        const auto object = std::make_shared<Object>(from);
        const std::string name = std::to_string(all_.size()) + ".vcd";
        const std::string id = declaration.starts_with("wire 1 ") ? "!\n" : " !\n";  // of a bit without a blank
        all_.push_back({object, std::make_unique<Recorder>(to_vcd(name)), name,
                        "$var " + declaration + " $end\n$enddefinitions $end\n#0\n$dumpvars\n" + before + id +
                            "$end\n#1000\n" + after + id});
        sc_core::sc_trace(all_.back().file.get(), *object, "it");
        actor_.at(1_ns, [object, to] { *object = to; });
    }

    void check()
    {
        sc_core::sc_start();
        for (const Kind& kind : all_) {
            kind.file->close();
            const std::string text = text_of(kind.name);
            BOOST_TEST(text.substr(text.find("$var")) == kind.expected);
        }
    }

private:
    struct Kind {
        std::shared_ptr<void> object;
        std::unique_ptr<Recorder> file;
        std::string name;
        std::string expected;
    };
    const TemporaryFolder folder_;
    Actor actor_{"actor"};
    std::vector<Kind> all_;
};

std::string ones(std::size_t count) { return std::string(count, '1'); }
std::string zeros(std::size_t count) { return std::string(count, '0'); }

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(vcd_kinds)

BOOST_AUTO_TEST_CASE(a_value_is_shown_by_its_kind_and_width)
{
    Kinds kinds;
    kinds.add<unsigned char>(1, 255, "integer 8 ! it", "b1", "b11111111");
    kinds.add<unsigned short>(1, 256, "integer 16 ! it", "b1", "b100000000");
    kinds.add(1u, 6u, "integer 32 ! it", "b1", "b110");
    kinds.add(1ul, 1ul << 40, "integer 64 ! it", "b1", "b1" + zeros(40));
    kinds.add(1ull, ~0ull, "integer 64 ! it", "b1", "b" + ones(64));
    kinds.add('\1', '\7', "integer 8 ! it", "b1", "b111");
    kinds.add<short>(1, -2, "integer 16 ! it", "b1", "b1111111111111110");
    kinds.add(1, -1, "integer 32 ! it", "b1", "b" + ones(32));
    kinds.add(1l, -1l, "integer 64 ! it", "b1", "b" + ones(64));
    kinds.add(1ll, -1ll, "integer 64 ! it", "b1", "b" + ones(64));
    kinds.add(0.5f, 0.25f, "real 64 ! it", "r0.5", "r0.25");
    kinds.add(0.1, 1e300, "real 64 ! it", "r0.1", "r1e+300");
    kinds.add(to_kernel(5_ps), to_kernel(6_ps), "integer 64 ! it", "b" + zeros(61) + "101", "b" + zeros(61) + "110");
    kinds.add<sc_dt::sc_int<5>>(3, -1, "integer 5 ! it", "b00011", "b11111");
    kinds.add<sc_dt::sc_uint<5>>(3, 31, "integer 5 ! it", "b00011", "b11111");
    kinds.add<sc_dt::sc_bigint<70>>(1, -1, "wire 70 ! it [69:0]", "b" + zeros(69) + "1", "b" + ones(70));
    kinds.add<sc_dt::sc_biguint<66>>(1, 2, "wire 66 ! it [65:0]", "b" + zeros(65) + "1", "b" + zeros(64) + "10");
    kinds.add<sc_dt::sc_bv<4>>("0101", "1100", "wire 4 ! it [3:0]", "b0101", "b1100");
    kinds.add<sc_dt::sc_lv<4>>("01XZ", "1100", "wire 4 ! it [3:0]", "b01xz", "b1100");
    kinds.add(sc_dt::sc_fxval(0.5), sc_dt::sc_fxval(0.25), "string 1 ! it", "s.5", "s.25");
    kinds.add(false, true, "wire 1 ! it", "0", "1");
    kinds.add(sc_dt::sc_logic('Z'), sc_dt::sc_logic('X'), "wire 1 ! it", "z", "x");
    kinds.check();
}

BOOST_AUTO_TEST_CASE(an_event_is_shown_when_it_happens)
{
    const TemporaryFolder folder;
    Actor actor("actor");
    sc_core::sc_event event("event");
    Recorder file(to_vcd("run.vcd"));
    sc_core::sc_trace(&file, event, "event");
    actor.at(1_ns, [&] { event.notify(sc_core::SC_ZERO_TIME); });
    actor.at(2_ns, [] {});
    actor.at(3_ns, [&] { event.notify(); });
    sc_core::sc_start();
    file.close();
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\n$end\n#1000\n1!\n#3000\n1!\n");
}

BOOST_AUTO_TEST_CASE(an_enumeration_shows_its_literals)
{
    const TemporaryFolder folder;
    Actor actor("actor");
    const char* literals[] = {"off", "on", nullptr};
    unsigned int value = 0;
    Recorder file(to_vcd("run.vcd"));
    sc_core::sc_trace(&file, value, "it", literals);
    actor.at(1_ns, [&] { value = 1; });
    actor.at(2_ns, [&] { value = 2; });
    sc_core::sc_start();
    file.close();
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\nsoff !\n$end\n#1000\nson !\n#2000\ns2 !\n");
}

BOOST_AUTO_TEST_CASE(a_width_keeps_the_lowest_bits)
{
    const TemporaryFolder folder;
    int value = -1;
    Recorder file(to_vcd("run.vcd"));
    sc_core::sc_trace(&file, value, "it", 3);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_NS));
    file.close();
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\nb111 !\n$end\n#1000\n");
}

BOOST_AUTO_TEST_CASE(a_signal_shows_its_value_after_the_update)
{
    const TemporaryFolder folder;
    Actor actor("actor");
    sc_core::sc_signal<int> signal("signal");
    Recorder file(to_vcd("run.vcd"));
    sc_core::sc_trace(&file, signal, "signal");
    actor.at(1_ns, [&] { signal.write(3); });
    sc_core::sc_start();
    file.close();
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\nb0 !\n$end\n#1000\nb11 !\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
