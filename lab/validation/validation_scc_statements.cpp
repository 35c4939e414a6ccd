// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/validation/scc_parts.h"
#include "lab/validation/time_curve.h"

/// The thesis' statements about its figures of broadcasts, which are lost. Each is decided by one comparison of curves,
/// measured like the thesis' program: with a closing barrier.
namespace ringmesh::lab::scc {
namespace {

constexpr unsigned kAll = 48;
constexpr std::array<unsigned, 4> kCounts{12, 24, 36, 48};
constexpr std::array<std::string_view, 2> kBoth{"cube", "dopl"};
constexpr std::string_view kRcce = "own";

/// Sizes of a curve: a subset of the thesis' sizes.
struct Sizes {
    const char* name;
    const char* list;
};
constexpr Sizes kSmall{"small", "1..8001 step 200"};
constexpr Sizes kSmallScaling{"small, by cores", "1..8001 step 2000"};
constexpr Sizes kMedium{"medium", "10000,50000,100000,190000"};
constexpr Sizes kMediumScaling{"medium, by cores", "50000,100000"};  // two of the above, which all cores run
constexpr Sizes kMediumFine{"medium, each", "10000..190000 step 5000"};
/// Each in a process of its own.
constexpr std::array<Sizes, 3> kLarge{{{"1900000", "1900000"}, {"1000000", "1000000"}, {"300000", "300000"}}};
constexpr Sizes kLargeScaling = kLarge[2];

constexpr double kStep = 200;  // bytes, of the small sizes
/// The largest ratio for a doubling of the cores that counts as "not nearly" double.
constexpr double kNotNearlyDouble = 1.75;
/// The ratio by which a slope is "faster" than another, and a growth an outlier.
constexpr double kClearly = 1.1;

constexpr const char* kCorrect = "scc broadcast of cube, small, final exchange corrected";

std::string name_of(std::string_view algorithm, const Sizes& sizes, unsigned cores)
{
    return fmt::format("scc broadcast of {}, {}, {} cores", algorithm, sizes.name, cores);
}

std::string workload(std::string_view algorithm, const Sizes& sizes, unsigned cores)
{
    return fmt::format("broadcast:algorithm={},size={},ranks={},method=curve,repetitions=1", algorithm, sizes.list,
                       cores);
}

void plan_curve(Experiments& experiments, std::string_view algorithm, const Sizes& sizes, unsigned cores)
{
    experiments.plan(name_of(algorithm, sizes, cores),
                     over(library_for(algorithm), request(workload(algorithm, sizes, cores))));
}

/// One curve of a set.
class Curves {
public:
    Curves(const Experiments& experiments, const Sizes& sizes) : experiments_(experiments), sizes_(sizes) {}

    TimeCurve operator()(std::string_view algorithm, unsigned cores = kAll) const
    {
        return time_curve(experiments_.outcome(name_of(algorithm, sizes_, cores)), "min_cycles");
    }

private:
    const Experiments& experiments_;
    Sizes sizes_;
};

double times(double slow, double fast) { return slow / fast; }
double gain_percent(double slow, double fast) { return 100 * (1 - fast / slow); }

Row with_source(Row row, const char* source, std::string note = {})
{
    row.source = source;
    row.note = std::move(note);
    return row;
}

void add_fall(Rows& rows, const char* id, const TimeCurve& curve)
{
    const auto behind = drops_after(curve);
    Row row = judged(published_as_row(id), Role::kPrediction, 0, behind.value_or(0));
    row.tolerance_percent = percent_of(*row.published, kStep);
    row.note += fmt::format("; sizes are {} B apart{}", kStep, behind ? "" : "; the simulated curve never drops");
    rows.add(std::move(row));
}

/// RCCE_bcast compared with Cube, the slower of the two.
void add_rcce(Rows& rows, const char* id, const Curves& curves)
{
    Row row = judged_between(published_as_row(id), Role::kPrediction, 7, 13,
                             mean_over_sizes(curves(kRcce), curves("cube"), times));
    row.note += fmt::format("; simulated: of Cube, mean over the sizes; of DOPL {:.1f}",
                            mean_over_sizes(curves(kRcce), curves("dopl"), times));
    rows.add(std::move(row));
}

void add_ratio(Rows& rows, const char* id, double low, double high, const TimeCurve& cube, const TimeCurve& dopl)
{
    Row row = judged_between(published_as_row(id), Role::kPrediction, low, high, mean_over_sizes(cube, dopl, times));
    row.note += "; simulated: mean over the sizes;";
    for (const TimePoint& point : cube) {
        row.note += fmt::format(" {:.1f} at {} B", point.time / time_at(dopl, point.size), point.size);
    }
    rows.add(std::move(row));
}

void add_small(Rows& rows, const Experiments& experiments)
{
    const Curves curves(experiments, kSmall);
    const TimeCurve cube = curves("cube");
    const TimeCurve dopl = curves("dopl");
    Row gain = judged_between(published_as_row("scc.broadcast.small.dopl_gain"), Role::kPrediction, 10, 30,
                              mean_over_sizes(cube, dopl, gain_percent));
    gain.note += "; simulated: mean over the sizes";
    rows.add(std::move(gain));

    Row correct = plain_row("scc.broadcast.small.dopl_gain_correct",
                            "the same if Cube's final exchange of a single part sends nothing", "%");
    correct.simulated = mean_over_sizes(time_curve(experiments.outcome(kCorrect), "min_cycles"), dopl, gain_percent);
    correct.note = "final_exchange=correct: without 16 transfers of 4096 B up to that size";
    rows.add(std::move(correct));

    add_rcce(rows, "scc.broadcast.small.rcce_over_others", curves);
    add_fall(rows, "scc.broadcast.small.cube_falls", cube);
    add_fall(rows, "scc.broadcast.small.dopl_falls", dopl);

    const double before = slope(dopl, 2201, 7401);
    const double near_8_kb = slope(dopl, 7401, 8001);
    rows.add(
        with_source(statement("scc.broadcast.small.dopl_near_8_kb", "on 48 cores DOPL's curve rises faster near 8 KB",
                              near_8_kb > kClearly * before, 1),
                    "[004 7.1, Fig. 12]",
                    fmt::format("simulated slopes: {:.1f} cycles/B from 2201 to 7401 B, {:.1f} from there to 8001 B",
                                before, near_8_kb)));
}

void add_scaling(Rows& rows, const Experiments& experiments)
{
    const Curves curves(experiments, kSmallScaling);
    std::size_t holds = 0;
    double most = 0;
    std::string note = "simulated:";
    for (const std::string_view algorithm : kBoth) {
        for (const unsigned cores : {12U, 24U}) {
            const double ratio = mean_over_sizes(curves(algorithm, 2 * cores), curves(algorithm, cores), times);
            if (ratio < kNotNearlyDouble) ++holds;
            most = std::max(most, ratio);
            note += fmt::format(" {} to {} cores {:.2f} ({});", cores, 2 * cores, ratio, algorithm);
        }
    }
    note += fmt::format(" mean over the sizes, below {} is asked, the highest is {:.2f}", kNotNearlyDouble, most);
    rows.add(with_source(
        statement("scc.broadcast.small.doubling",
                  "doublings of the cores, of Cube and of DOPL, that do not nearly double the time", holds, 4),
        "[004 7.1, Fig. 11, 12]", std::move(note)));
}

/// Cube's curves by cores.
struct Slowdown {
    TimeCurve on_24;
    TimeCurve on_36;
    TimeCurve on_48;  ///< at the sizes of the others, and maybe more
};

/// The cost of the last 12 cores, relative to that of the 12 before them.
void add_slowdown(Rows& rows, const Slowdown& cube, std::string_view extent, const char* id, const char* source)
{
    std::size_t holds = 0;
    std::string note = "simulated:";
    for (const TimePoint& on_24 : cube.on_24) {
        const double on_36 = time_at(cube.on_36, on_24.size);
        const double before = on_36 / on_24.time;
        const double last = time_at(cube.on_48, on_24.size) / on_36;
        if (last > before) ++holds;
        note += fmt::format(" {} B: 24 to 36 cores {:.2f}, 36 to 48 {:.2f};", on_24.size, before, last);
    }
    rows.add(
        with_source(statement(id, fmt::format("{} sizes at which Cube slows down when all 48 cores are used", extent),
                              holds, cube.on_24.size()),
                    source, note + " decided by the last 12 cores costing more than the 12 before"));
}

void add_medium(Rows& rows, const Experiments& experiments)
{
    const Curves curves(experiments, kMedium);
    add_ratio(rows, "scc.broadcast.medium.cube_over_dopl", 4, 6.5, curves("cube"), curves("dopl"));
    add_rcce(rows, "scc.broadcast.medium.rcce_over_others", curves);
    const Curves scaling(experiments, kMediumScaling);
    add_slowdown(rows, {scaling("cube", 24), scaling("cube", 36), curves("cube")}, "medium",
                 "scc.broadcast.medium.cube_at_48", "[004 7.2, Fig. 15]");
}

void add_not_smooth(Rows& rows, const Experiments& experiments)
{
    Row row = plain_row("scc.broadcast.medium.not_smooth",
                        "by how much the growth of DOPL's curve from one size to the next departs from the mean one at "
                        "most, 10000 to 190000 B",
                        "%");
    row.simulated = 100 * unevenness(Curves(experiments, kMediumFine)("dopl"));
    rows.add(with_source(std::move(row), "[004 7.2, Fig. 14]",
                         "the thesis finds the curve not smooth; not judged: steps of whole parts alone make it so"));
}

void add_large(Rows& rows, const Experiments& experiments)
{
    TimeCurve cube;
    TimeCurve dopl;
    for (auto sizes = kLarge.rbegin(); sizes != kLarge.rend(); ++sizes) {
        cube.push_back(Curves(experiments, *sizes)("cube").front());
        dopl.push_back(Curves(experiments, *sizes)("dopl").front());
    }
    add_ratio(rows, "scc.broadcast.large.cube_over_dopl", 7.5, 11, cube, dopl);

    const Curves curves(experiments, kLargeScaling);
    add_slowdown(rows, {curves("cube", 24), curves("cube", 36), curves("cube")}, "large",
                 "scc.broadcast.large.cube_at_48", "[004 7.3, Fig. 19]");
    std::array<double, kCounts.size()> taken{};
    for (std::size_t i = 0; i < taken.size(); ++i) taken.at(i) = curves("dopl", kCounts.at(i)).front().time;
    const double last = taken[3] / taken[2];
    const double others = std::max(taken[1] / taken[0], taken[2] / taken[1]);
    rows.add(with_source(statement("scc.broadcast.large.dopl_no_outlier",
                                   "DOPL at large sizes shows no outlier on 48 cores", last < kClearly * others, 1),
                         "[004 7.3, Fig. 20]",
                         fmt::format("simulated, {} B: 36 to 48 cores {:.2f}, before that at most {:.2f}",
                                     kLargeScaling.list, last, others)));
}

constexpr std::array<const char*, 4> kLong{"scc.broadcast.medium.not_smooth", "scc.broadcast.large.cube_over_dopl",
                                           "scc.broadcast.large.cube_at_48", "scc.broadcast.large.dopl_no_outlier"};

}  // namespace

void plan_statements(Experiments& experiments)
{
    for (const Sizes& sizes : {kMedium, kSmall}) {
        for (const std::string_view algorithm : kBoth) plan_curve(experiments, algorithm, sizes, kAll);
        plan_curve(experiments, kRcce, sizes, kAll);
    }
    experiments.plan(kCorrect, request(workload("cube", kSmall, kAll) + ",final_exchange=correct"));
    for (const unsigned cores : kCounts) {
        for (const std::string_view algorithm : kBoth) plan_curve(experiments, algorithm, kSmallScaling, cores);
        if (cores > kCounts.front() && cores < kAll) plan_curve(experiments, "cube", kMediumScaling, cores);
    }
}

void plan_long_statements(Experiments& experiments)
{
    for (const Sizes& sizes : kLarge) {
        for (const std::string_view algorithm : kBoth) plan_curve(experiments, algorithm, sizes, kAll);
    }
    plan_curve(experiments, "dopl", kMediumFine, kAll);
    for (const unsigned cores : kCounts) {
        if (cores == kAll) continue;  // among the above
        for (const std::string_view algorithm : kBoth) plan_curve(experiments, algorithm, kLargeScaling, cores);
    }
}

void add_statements(Findings& findings, const Experiments& experiments)
{
    findings.rows.section("Broadcasts: what the thesis says of its figures");
    add_small(findings.rows, experiments);
    add_scaling(findings.rows, experiments);
    add_medium(findings.rows, experiments);
    if (experiments.find(name_of("dopl", kMediumFine, kAll)) == nullptr) {
        findings.left_out.insert(findings.left_out.end(), kLong.begin(), kLong.end());
        return;
    }
    add_not_smooth(findings.rows, experiments);
    add_large(findings.rows, experiments);
}

}  // namespace ringmesh::lab::scc
