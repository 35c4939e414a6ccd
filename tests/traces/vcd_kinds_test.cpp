// SPDX-License-Identifier: Apache-2.0
/// Every kind of value that sc_trace takes.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <systemc>

#include <sysc/datatypes/fx/fx.h>

#include "tests/platforms/temporary_folder.h"
#include "tests/traces/waveform_bench.h"
#include "traces/vcd_file.h"

using namespace ringmesh;
using namespace ringmesh::test;

namespace {

/// Traces an object that changes at 1 ns. @return its declaration and the changes
template <class Object>
std::string shown(Object object, const Object& to)
{
    const TemporaryFolder folder;
    Actor actor("actor");
    VcdFile file("run.vcd");
    sc_core::sc_trace(&file, object, "it");
    actor.at(1_ns, [&] { object = to; });
    sc_core::sc_start();
    file.close();
    const std::string text = text_of("run.vcd");
    return text.substr(text.find("$var"));
}

std::string expected(const std::string& declaration, const std::string& before, const std::string& after)
{
    return "$var " + declaration + " $end\n$enddefinitions $end\n#0\n$dumpvars\n" + before + "\n$end\n#1000\n" + after +
           "\n";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(module)
BOOST_AUTO_TEST_SUITE(vcd_kinds)

BOOST_AUTO_TEST_CASE(bool_is_a_bit) { BOOST_TEST(shown(false, true) == expected("wire 1 ! it", "0!", "1!")); }
BOOST_AUTO_TEST_CASE(unsigned_char_is_a_number)
{
    BOOST_TEST(shown<unsigned char>(1, 255) == expected("integer 8 ! it", "b1 !", "b11111111 !"));
}
BOOST_AUTO_TEST_CASE(unsigned_short_is_a_number)
{
    BOOST_TEST(shown<unsigned short>(1, 256) == expected("integer 16 ! it", "b1 !", "b100000000 !"));
}
BOOST_AUTO_TEST_CASE(unsigned_int_is_a_number)
{
    BOOST_TEST(shown(1u, 6u) == expected("integer 32 ! it", "b1 !", "b110 !"));
}
BOOST_AUTO_TEST_CASE(unsigned_long_is_a_number)
{
    BOOST_TEST(shown(1ul, 1ul << 40) == expected("integer 64 ! it", "b1 !", "b1" + std::string(40, '0') + " !"));
}
BOOST_AUTO_TEST_CASE(unsigned_long_long_is_a_number)
{
    BOOST_TEST(shown(1ull, std::numeric_limits<unsigned long long>::max()) ==
               expected("integer 64 ! it", "b1 !", "b" + std::string(64, '1') + " !"));
}
BOOST_AUTO_TEST_CASE(negative_numbers_are_complements_of_their_own_width)
{
    BOOST_TEST(shown<short>(1, -2) == expected("integer 16 ! it", "b1 !", "b1111111111111110 !"));
}
BOOST_AUTO_TEST_CASE(char_is_a_number)
{
    BOOST_TEST(shown('\1', '\7') == expected("integer 8 ! it", "b1 !", "b111 !"));
}
BOOST_AUTO_TEST_CASE(int_is_a_number)
{
    BOOST_TEST(shown(1, -1) == expected("integer 32 ! it", "b1 !", "b" + std::string(32, '1') + " !"));
}
BOOST_AUTO_TEST_CASE(long_is_a_number)
{
    BOOST_TEST(shown(1l, -1l) == expected("integer 64 ! it", "b1 !", "b" + std::string(64, '1') + " !"));
}
BOOST_AUTO_TEST_CASE(long_long_is_a_number)
{
    BOOST_TEST(shown(1ll, -1ll) == expected("integer 64 ! it", "b1 !", "b" + std::string(64, '1') + " !"));
}
BOOST_AUTO_TEST_CASE(float_is_real) { BOOST_TEST(shown(0.5f, 0.25f) == expected("real 64 ! it", "r0.5 !", "r0.25 !")); }
BOOST_AUTO_TEST_CASE(double_is_real_with_all_its_digits)
{
    BOOST_TEST(shown(0.1, 1e300) == expected("real 64 ! it", "r0.1 !", "r1e+300 !"));
}
BOOST_AUTO_TEST_CASE(a_time_is_its_picoseconds)
{
    const std::string text = shown(to_kernel(5_ps), to_kernel(6_ps));
    const std::string zeros(61, '0');
    BOOST_TEST(text == expected("integer 64 ! it", "b" + zeros + "101 !", "b" + zeros + "110 !"));
}
BOOST_AUTO_TEST_CASE(a_logic_value_has_four_states)
{
    BOOST_TEST(shown(sc_dt::sc_logic('Z'), sc_dt::sc_logic('X')) == expected("wire 1 ! it", "z!", "x!"));
}
BOOST_AUTO_TEST_CASE(a_small_signed_number_of_systemc)
{
    BOOST_TEST(shown<sc_dt::sc_int<5>>(3, -1) == expected("integer 5 ! it", "b00011 !", "b11111 !"));
}
BOOST_AUTO_TEST_CASE(a_small_unsigned_number_of_systemc)
{
    BOOST_TEST(shown<sc_dt::sc_uint<5>>(3, 31) == expected("integer 5 ! it", "b00011 !", "b11111 !"));
}
BOOST_AUTO_TEST_CASE(a_big_signed_number)
{
    BOOST_TEST(shown<sc_dt::sc_bigint<70>>(1, -1) ==
               expected("wire 70 ! it [69:0]", "b" + std::string(69, '0') + "1 !", "b" + std::string(70, '1') + " !"));
}
BOOST_AUTO_TEST_CASE(a_big_unsigned_number)
{
    BOOST_TEST(shown<sc_dt::sc_biguint<66>>(1, 2) == expected("wire 66 ! it [65:0]", "b" + std::string(65, '0') + "1 !",
                                                              "b" + std::string(64, '0') + "10 !"));
}
BOOST_AUTO_TEST_CASE(a_vector_of_bits)
{
    BOOST_TEST(shown<sc_dt::sc_bv<4>>("0101", "1100") == expected("wire 4 ! it [3:0]", "b0101 !", "b1100 !"));
}
BOOST_AUTO_TEST_CASE(a_vector_of_logic_values)
{
    BOOST_TEST(shown<sc_dt::sc_lv<4>>("01XZ", "1100") == expected("wire 4 ! it [3:0]", "b01xz !", "b1100 !"));
}
BOOST_AUTO_TEST_CASE(a_fixed_point_number_is_a_word)
{
    BOOST_TEST(shown(sc_dt::sc_fxval(0.5), sc_dt::sc_fxval(0.25)) == expected("string 1 ! it", "s.5 !", "s.25 !"));
}

BOOST_AUTO_TEST_CASE(an_event_is_shown_when_it_happens)
{
    const TemporaryFolder folder;
    Actor actor("actor");
    sc_core::sc_event event("event");
    VcdFile file("run.vcd");
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
    VcdFile file("run.vcd");
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
    VcdFile file("run.vcd");
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
    VcdFile file("run.vcd");
    sc_core::sc_trace(&file, signal, "signal");
    actor.at(1_ns, [&] { signal.write(3); });
    sc_core::sc_start();
    file.close();
    BOOST_TEST(changes_of("run.vcd") == "#0\n$dumpvars\nb0 !\n$end\n#1000\nb11 !\n");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
