// SPDX-License-Identifier: Apache-2.0
#include "tlm/division/observations.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tlm/time/kernel_time.h"

namespace ringmesh::test {
namespace {

/// Notes what it hears: "12 text".
class Notes final : public Observations::Watcher {
public:
    void hear(Parcel& told) override { heard.push_back(std::to_string(now().ps()) + ' ' + told.take_text()); }
    void tell_rest() override { ++asked; }
    std::vector<std::string> heard;
    int asked = 0;
};

/// What one process tells.
class Teller {
public:
    explicit Teller(Notes& notes) : all(calendar_), watcher_(all.add(notes)) {}
    /// @param part of the method that runs at this time
    Teller& tell(std::int64_t ps, std::uint64_t part, const std::string& text)
    {
        detail::present_ps = ps;
        all.set_part(part);
        all.tell(watcher_).put(text);
        detail::present_ps = -1;
        return *this;
    }
    Teller& tell_at_end(std::int64_t ps, std::uint64_t order, const std::string& text)
    {
        detail::present_ps = ps;
        all.tell_at_end(watcher_, order).put(text);
        detail::present_ps = -1;
        return *this;
    }
    Parcel given()
    {
        Parcel parcel;
        all.give(parcel);
        return parcel;
    }

private:
    Calendar calendar_{sc_core::sc_gen_unique_name("calendar")};

public:
    Observations all;

private:
    std::uint32_t watcher_;
};

constexpr Observations::Moment kEnd{Duration::never(), {UINT32_MAX, UINT32_MAX}, UINT64_MAX};

}  // namespace

BOOST_AUTO_TEST_SUITE(observations)

BOOST_AUTO_TEST_CASE(what_processes_tell_is_heard_by_time_and_place)
{
    Notes notes;
    Teller first(notes), second(notes);
    first.tell(10, 1, "a").tell(10, 4, "d").tell_at_end(10, 7, "f").tell(30, 1, "h");
    second.tell(10, 2, "b").tell(10, 2, "c").tell_at_end(10, 5, "e").tell(20, 9, "g");
    Parcel own = first.given(), other = second.given();
    first.all.take(own);
    first.all.take(other);
    first.all.play(kEnd);
    BOOST_TEST(
        (notes.heard == std::vector<std::string>{"10 a", "10 b", "10 c", "10 d", "10 e", "10 f", "20 g", "30 h"}));
    BOOST_TEST(detail::present_ps == -1);
    BOOST_TEST(own.empty());
}

BOOST_AUTO_TEST_CASE(a_place_that_goes_back_keeps_its_turn_within_the_process)
{
    Notes notes;
    Teller first(notes), second(notes);
    first.tell(10, 7, "a").tell(10, 3, "b");  // asked for the present by 7
    second.tell(10, 5, "before").tell(10, 9, "behind");
    Parcel own = first.given(), other = second.given();
    first.all.take(own);
    first.all.take(other);
    first.all.play(kEnd);
    BOOST_TEST((notes.heard == std::vector<std::string>{"10 before", "10 a", "10 b", "10 behind"}));
}

BOOST_AUTO_TEST_CASE(behind_the_first_error_only_the_values_at_its_time_are_heard)
{
    Notes notes;
    Teller first(notes), second(notes);
    first.tell(10, 1, "a").tell(20, 2, "b").tell_at_end(20, 1, "c").tell(30, 1, "later");
    second.tell(20, 1, "earlier place").tell(20, 3, "later place");
    Parcel own = first.given(), other = second.given();
    first.all.take(own);
    first.all.take(other);
    first.all.play({Duration::picoseconds(20), {}, 2});
    BOOST_TEST((notes.heard == std::vector<std::string>{"10 a", "20 earlier place", "20 b", "20 c"}));
}

BOOST_AUTO_TEST_CASE(watchers_tell_the_rest_and_then_it_is_closed)
{
    Notes notes;
    Teller teller(notes);
    BOOST_TEST(teller.all.are_open());
    teller.all.tell_rest();
    BOOST_TEST(notes.asked == 1);
    BOOST_TEST(!teller.all.are_open());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace ringmesh::test
