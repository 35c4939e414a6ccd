// SPDX-License-Identifier: Apache-2.0
/// Entry of the test program. Each case runs in a process of its own, because a simulation cannot be elaborated twice;
/// the cases of a suite in `unit` or `cli`, which simulate nothing themselves, share one, and what fails there runs
/// again alone: all of them, if the process failed. Forking a case costs 2 ms (60 with the sanitizers), starting it 35.
///
///     ringmesh_tests [OPTIONS] [OPTIONS OF BOOST.TEST, such as --log_level=all]
///
///     --run_test=PATH      only cases of this name or below it: 'module/blink*', 'module/blink_bus/one,another'
///     --match=REGEX        only cases whose name has a match
///     --group=SUITE        only cases right in this suite; one of those that --groups lists
///     --groups             lists the suites, each with its number of cases, and ends
///     --jobs=N             cases at once; as many as there are processors if not given
///     --time-limit=S       of each case; 120 s if not given
///     --here               runs the cases in this process, one after the other: for the debugger
///
/// A warning of the SystemC kernel throws, and so fails the case; one that is reported where nothing may throw, or
/// through a handler of the code under test, fails it at its end.
#include <fnmatch.h>

#include <algorithm>
#include <boost/test/results_collector.hpp>
#include <boost/test/tree/traverse.hpp>
#include <boost/test/tree/visitor.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <systemc>
#include <thread>
#include <vector>

#include "tests/support/case_processes.h"
#include "tlm/pools/pool.h"  // RINGMESH_SANITIZED

#ifdef RINGMESH_SANITIZED
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

namespace framework = boost::unit_test::framework;
using boost::unit_test::test_unit_id;
using ringmesh::test::CaseProcesses;

struct Options {
    std::vector<std::string> named;  ///< as Boost.Test's --run_test
    std::string match;
    std::string group;
    bool groups = false;
    bool here = false;
    std::size_t jobs = std::max(1U, std::thread::hardware_concurrency());
    double time_limit = 120;
};

struct Case {
    test_unit_id id;
    std::string name;
    std::string group;
};

int thrown_warnings = 0;

void throw_from_warnings_on(const sc_core::sc_report& report, const sc_core::sc_actions& actions)
{
    if (report.get_severity() == sc_core::SC_WARNING) {
        ++thrown_warnings;
        throw report;
    }
    // Infos would otherwise go to stdout between the results
    if (report.get_severity() == sc_core::SC_INFO) return;
    sc_core::sc_report_handler::default_handler(report, actions);
}

/// Takes our own options out of the arguments.
Options take_options(std::vector<char*>& arguments)
{
    Options options;
    std::erase_if(arguments, [&](std::string_view argument) {
        const auto value_of = [&](std::string_view name, auto set) {
            if (!argument.starts_with(name)) return false;
            set(std::string(argument.substr(name.size())));
            return true;
        };
        if (argument == "--groups") return options.groups = true;
        if (argument == "--here") return options.here = true;
        return value_of("--run_test=", [&](const std::string& value) { options.named.push_back(value); }) ||
               value_of("--match=", [&](const std::string& value) { options.match = value; }) ||
               value_of("--group=", [&](const std::string& value) { options.group = value; }) ||
               value_of("--jobs=",
                        [&](const std::string& value) { options.jobs = std::max(1UL, std::stoul(value)); }) ||
               value_of("--time-limit=", [&](const std::string& value) { options.time_limit = std::stod(value); });
    });
    return options;
}

/// The suite of a case, two levels at most: "module/blink_bus" of "module/blink_bus/name/_0", where name has data rows.
std::string group_of(std::string name)
{
    static const std::regex row("/_[0-9]+$");
    name = std::regex_replace(name, row, "");
    const auto first = name.find('/');
    if (first == std::string::npos) throw std::runtime_error("test case " + name + " is in no suite");
    const auto second = name.find('/', first + 1);
    return name.substr(0, second == std::string::npos ? first : second);
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
    return parts;
}

/// Whether a filter such as "module/blink*/first_case,second_case" names a case, or a suite that it is in. Ours,
/// because Boost.Test applies its own again below each case that is run.
bool names(const std::string& filter, const std::string& name)
{
    const auto patterns = split(filter, '/');
    const auto parts = split(name, '/');
    if (patterns.size() > parts.size()) return false;
    return std::equal(patterns.begin(), patterns.end(), parts.begin(), [](const auto& pattern, const auto& part) {
        const auto choices = split(pattern, ',');
        return std::any_of(choices.begin(), choices.end(),
                           [&](const std::string& choice) { return ::fnmatch(choice.c_str(), part.c_str(), 0) == 0; });
    });
}

/// Makes the cases with data of one suite, or of all if it has no name. For leaks, each process searches all memory in
/// use, so a suite alone takes half the time with the sanitizers.
void make_cases(const std::string& group)
{
    test_unit_id root = framework::master_test_suite().p_id;
    for (const std::string& name : split(group, '/')) {
        root = framework::get<boost::unit_test::test_suite>(root).get(name);
        if (root == boost::unit_test::INV_TEST_UNIT_ID) return;  // no case has this name
        auto& status = framework::get(root, boost::unit_test::TUT_SUITE).p_default_status.value;
        if (status == boost::unit_test::test_unit::RS_INHERIT) status = boost::unit_test::test_unit::RS_ENABLED;
    }
    framework::finalize_setup_phase(root);
}

class Selected : public boost::unit_test::test_tree_visitor {
public:
    explicit Selected(const Options& options) : options_(options), match_(options.match) {}

    std::vector<Case> cases;

private:
    void visit(const boost::unit_test::test_case& unit) override
    {
        const bool chosen =
            options_.named.empty()
                ? unit.p_default_status == boost::unit_test::test_unit::RS_ENABLED
                : std::any_of(options_.named.begin(), options_.named.end(),
                              [&](const std::string& filter) { return names(filter, unit.full_name()); });
        if (!chosen) return;
        Case found{unit.p_id, unit.full_name(), group_of(unit.full_name())};
        if (!options_.group.empty() && options_.group != found.group) return;
        if (!options_.match.empty() && !std::regex_search(found.name, match_)) return;
        cases.push_back(std::move(found));
    }

    const Options& options_;
    std::regex match_;
};

/// In a process that has started the kernel.
bool passes(const Case& one)
{
    const int before = sc_core::sc_report_handler::get_count(sc_core::SC_WARNING) - thrown_warnings;
    framework::get(one.id, boost::unit_test::TUT_CASE).p_default_status.value =
        boost::unit_test::test_unit::RS_ENABLED;  // where its suite is disabled, but it was named
    framework::run(one.id);
    const int warnings = sc_core::sc_report_handler::get_count(sc_core::SC_WARNING) - thrown_warnings - before;
    if (warnings > 0) {
        std::cerr << one.name << ": " << warnings << " warning(s) of the SystemC kernel did not reach the test\n";
    }
    return warnings == 0 && boost::unit_test::results_collector.results(one.id).passed();
}

/// What sc_main runs; the kernel offers no other way to hand it over.
const std::function<void()>* inside_the_kernel = nullptr;

/// Tells the sanitizer that this is the main stack. The kernel names the stack of each thread that it switches to, but
/// not the one that it comes back to; the search for leaks would follow no pointer that only the main stack holds.
void return_to_main_stack()
{
#ifdef RINGMESH_SANITIZED
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
    ::pthread_attr_getstack(&attributes, &bottom, &size);
    ::pthread_attr_destroy(&attributes);
    __sanitizer_start_switch_fiber(nullptr, bottom, size);
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
}

int with_kernel(const std::function<void()>& function)
{
    inside_the_kernel = &function;
    static char name[] = "ringmesh_tests";
    char* argv[] = {name, nullptr};
    const int status = sc_core::sc_elab_and_sim(1, argv);
    return_to_main_stack();
    return status;
}

/// Without what Boost says of each run.
std::string messages(const std::string& output)
{
    static const std::regex running("(^|\n)Running 1 test case\\.\\.\\.\n");
    return std::regex_replace(output, running, "$1");
}

int run_all(const std::vector<Case>& cases, const Options& options)
{
    if (cases.empty()) {
        std::cerr << "no test case has this name\n";
        return EXIT_FAILURE;
    }
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::string> failed;
    std::vector<std::vector<std::size_t>> again;  // failed in a process that it shared
    const auto done = [&](const CaseProcesses::Result& result) {
        if (result.passed) return;
        const std::string& name = cases[result.number].name;
        if (failed.empty() || failed.back() != name) failed.push_back(name);
        std::cout << "FAILED " << name << (result.how.empty() ? "" : ": " + result.how) << '\n'
                  << messages(result.output) << std::flush;
    };
    const auto run = [&](std::size_t number) { return passes(cases[number]); };
    if (options.here) {
        with_kernel([&] {
            for (std::size_t i = 0; i < cases.size(); ++i) done({i, run(i), "", "", {}});
        });
    } else {
        std::vector<std::vector<std::size_t>> batches;
        std::map<std::string, std::size_t> batch_of_group;
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (!cases[i].group.starts_with("unit/") && !cases[i].group.starts_with("cli/")) {
                batches.push_back({i});
            } else if (const auto [at, is_new] = batch_of_group.try_emplace(cases[i].group, batches.size()); is_new) {
                batches.push_back({i});
            } else {
                batches[at->second].push_back(i);
            }
        }
        std::vector<bool> shares(cases.size());
        for (const auto& batch : batches) {
            for (const std::size_t number : batch) shares[number] = batch.size() > 1;
        }
        std::set<std::size_t> suspects;
        CaseProcesses processes(with_kernel, run, CaseProcesses::Seconds(options.time_limit));
        const auto in_one_process = batches;
        const auto first = [&](const CaseProcesses::Result& result) {
            if (result.passed || !shares[result.number]) return done(result);
            suspects.insert(result.number);
            if (result.how.empty()) return;
            // The process failed, at its end for a leak: any of its cases may be why.
            const auto& batch = in_one_process[batch_of_group.at(cases[result.number].group)];
            suspects.insert(batch.begin(), batch.end());
        };
        processes.run(std::move(batches), options.jobs, first);
        for (const std::size_t number : suspects) again.push_back({number});
        processes.run(std::move(again), options.jobs, done);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << "test cases: " << cases.size() - failed.size() << " passed";
    if (!failed.empty()) std::cout << ", " << failed.size() << " failed";
    std::cout << std::setprecision(3) << " in " << took.count() << " s\n";
    for (const std::string& name : failed) std::cout << "    " << name << '\n';
    return failed.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int sc_main(int, char**)
{
    sc_core::sc_report_handler::set_handler(throw_from_warnings_on);
    (*inside_the_kernel)();
    return EXIT_SUCCESS;
}

int main(int argc, char** argv)
{
    ::setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
    ::setenv("RINGMESH_STORE", RINGMESH_TEST_STORE, 0);
    std::vector<char*> arguments(argv, argv + argc);
    try {
        const Options options = take_options(arguments);
        const auto lists = [](std::string_view argument) { return argument.starts_with("--list_"); };
        if (std::any_of(arguments.begin(), arguments.end(), lists)) {
            return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
        }
        static char color[] = "--color_output=no";
        static char report[] = "--report_level=no";
        arguments.insert(arguments.end(), {color, report});
        const int count = static_cast<int>(arguments.size());
        framework::init([] { return true; }, count, arguments.data());
        make_cases(options.group);
        Selected selected(options);
        boost::unit_test::traverse_test_tree(framework::master_test_suite().p_id, selected, true);
        if (!options.groups) return run_all(selected.cases, options);
        std::map<std::string, int> groups;
        for (const Case& one : selected.cases) ++groups[one.group];
        for (const auto& [group, cases] : groups) std::cout << group << ' ' << cases << '\n';
        return EXIT_SUCCESS;
    } catch (const framework::nothing_to_test& nothing) {  // --help, --version
        return nothing.m_result_code;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    return EXIT_FAILURE;
}
