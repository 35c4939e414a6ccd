// SPDX-License-Identifier: Apache-2.0
#include "lab/store/store.h"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lab/store/executor.h"
#include "lab/table/writers/json.h"
#include "tests/platforms/configuration/temporary_folder.h"
#include "tlm/error.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

ExperimentRequest ring(const std::string& size, std::uint64_t seed = 1)
{
    return {.platform = "wulfkit-ring",
            .overlays = {},
            .settings = {"topology.dimensions=2"},
            .workload = "ping-pong:repetitions=1,series=1,sizes=" + size,
            .seed = seed};
}

std::string key_for(const ExperimentRequest& request) { return key_of(Experiment(request)); }

std::vector<Wish> wishes(std::initializer_list<ExperimentRequest> requests)
{
    std::vector<Wish> all;
    for (const auto& request : requests) all.push_back({"", request, false});
    return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(system)
BOOST_AUTO_TEST_SUITE(store)

BOOST_AUTO_TEST_CASE(a_key_is_decided_by_what_runs_and_not_by_how_it_was_asked)
{
    const ExperimentRequest request = ring("64");
    ExperimentRequest same = request;
    same.settings = {"topology.dimensions=[2]", "link.symbol_time=5ns"};  // the platform's own value
    BOOST_TEST(key_for(request) == key_for(same));
    same.settings.emplace_back("node0..1.lc2.bypass=12cycles");
    BOOST_TEST(key_for(request) == key_for(same));
    for (const std::string workload :
         {"ping-pong:sizes=064,series=1,repetitions=1", "ping-pong:series=1,to=opposite,sizes=64.0,repetitions=1"}) {
        same.workload = workload;
        BOOST_TEST(key_for(request) == key_for(same));
    }
    BOOST_TEST(key_for(request) != key_for(ring("128")));
    BOOST_TEST(key_for(request) != key_for(ring("64", 2)));
    ExperimentRequest other = request;
    other.settings.push_back("link.symbol_time=4ns");
    BOOST_TEST(key_for(request) != key_for(other));
    other = request;
    other.library = "scampi";
    BOOST_TEST(key_for(request) != key_for(other));
}

/// What is printed of a request, and its key.
std::vector<std::string> asked(const ExperimentRequest& request)
{
    const Experiment experiment(request);
    const ExperimentRequest& form = experiment.request();
    return {form.workload, form.library, with_changes(form.platform, form), key_of(experiment)};
}

void require_alike(const std::vector<ExperimentRequest>& requests)
{
    const auto first = asked(requests.front());
    for (const auto& request : requests) BOOST_TEST(asked(request) == first, boost::test_tools::per_element());
}

ExperimentRequest on(std::string platform, std::string workload)
{
    return {.platform = std::move(platform), .overlays = {}, .settings = {}, .workload = std::move(workload)};
}

BOOST_AUTO_TEST_CASE(a_value_that_auto_gives_may_be_written_out)
{
    for (const auto& [platform, workloads] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"wulfkit-ring",
              {"traffic", "traffic:load=auto", "traffic:load=0.30", "traffic:duration=200us,command=write64",
               "traffic:arrivals=poisson"}},
             {"mesh-8x8", {"traffic", "traffic:load=0.1,flits=1,kind=request", "traffic:duration=20000cycles"}},
             {"ncube-64", {"traffic", "traffic:size=1024", "traffic:load=.3e0"}},
             {"ncube-64", {"latency-map", "latency-map:size=1024,between=sources"}},
             {"wulfkit-ring", {"latency-map", "latency-map:size=64", "latency-map:between=processors"}},
             {"scc",
              {"memory-probe:target=memory,page=cached",
               "memory-probe:by=size,page=cached,sizes=4096..1048576x2,target=memory"}},
             {"scc", {"memory-probe", "memory-probe:page=mpbt,by=distance"}},
             {"scc",
              {"broadcast:algorithm=dopl", "broadcast:part=8192,algorithm=dopl", "broadcast:algorithm=dopl,pipe=2048"}},
         }) {
        std::vector<ExperimentRequest> requests;
        for (const auto& workload : workloads) requests.push_back(on(platform, workload));
        require_alike(requests);
    }
    BOOST_TEST(asked(on("mesh-8x8", "traffic")) != asked(on("mesh-8x8", "traffic:load=0.3")));
}

BOOST_AUTO_TEST_CASE(names_of_other_simulators_for_a_pattern_make_no_difference)
{
    for (const std::vector<std::string>& names : std::vector<std::vector<std::string>>{
             {"uniform", "random", "uniform-random"},
             {"bit-complement", "bitcomp"},
             {"bit-reversal", "bitrev", "bit-reverse"},
             {"random-permutation", "randperm"},
             {"neighbour", "neighbor"},
             {"hot-spots", "hotspot"},
         }) {
        std::vector<ExperimentRequest> requests;
        for (const auto& name : names) requests.push_back(on("mesh-8x8", "traffic:load=0.2,pattern=" + name));
        require_alike(requests);
    }
    require_alike({on("mesh-8x8", "traffic"), on("mesh-8x8", "traffic:pattern=random")});
}

BOOST_AUTO_TEST_CASE(lengths_and_shares_have_one_form_however_they_are_written)
{
    require_alike({on("mesh-8x8", "traffic:flits=1:0.8,5:0.2"), on("mesh-8x8", "traffic:flits=01:.80, 5:2e-1")});
    require_alike(
        {on("mesh-8x8", "traffic:flits=exponential:5:1..64"), on("mesh-8x8", "traffic:flits=exponential:5.0:01..64")});
    require_alike({on("mesh-8x8", "traffic:pattern=hot-spots,hot_shares=5:0.2,9:0.1"),
                   on("mesh-8x8", "traffic:pattern=hot-spots,hot_shares=05:0.20,9:.1")});
}

BOOST_AUTO_TEST_CASE(what_files_of_traffic_hold_makes_the_key)
{
    const TemporaryFolder folder;
    const std::string rates = folder.path() / "rates.csv";
    const std::string lengths = folder.path() / "lengths.csv";
    const auto key = [&](const std::string& flow, const std::string& length) {
        std::ofstream(rates) << flow;
        std::ofstream(lengths) << length;
        return key_for(on("mesh-8x8", "traffic:pattern=table,rates=" + rates + ",lengths=" + lengths));
    };
    const auto first = key("0,1,2\n", "5,1\n");
    BOOST_TEST(first == key("0,1,2\n", "5,1\n"));
    BOOST_TEST(first != key("0,1,3\n", "5,1\n"));
    BOOST_TEST(first != key("0,1,2\n", "6,1\n"));
}

BOOST_AUTO_TEST_CASE(the_order_of_overlays_matters_only_where_one_overrides_the_other)
{
    ExperimentRequest request = on("wulfkit-ring", "ping-pong:sizes=64");
    request.overlays = {"half-switching", "link-4.0Gbps"};
    ExperimentRequest turned = request;
    std::swap(turned.overlays.front(), turned.overlays.back());
    require_alike({request, turned});
    request.overlays = {"blink-100MHz", "half-switching"};
    turned.overlays = {"half-switching", "blink-100MHz"};
    BOOST_TEST(key_for(request) != key_for(turned));
}

BOOST_AUTO_TEST_CASE(the_order_in_which_faults_are_set_makes_no_difference)
{
    const std::vector<std::string> one{"fault.one.where=node0*", "fault.one.what=lose-packet",
                                       "fault.one.when=0.010/packet"};
    const std::vector<std::string> two{"fault.two.where=node1*", "fault.two.what=cut", "fault.two.when=5us..9us"};
    ExperimentRequest request = on("wulfkit-ring", "traffic");
    request.settings = one;
    request.settings.insert(request.settings.end(), two.begin(), two.end());
    ExperimentRequest turned = request;
    std::reverse(turned.settings.begin(), turned.settings.end());
    for (std::string& setting : turned.settings) {
        if (setting == two.back()) setting = "fault.two.when=5.0 us .. 9000 ns";
        if (setting == one.back()) setting = "fault.one.when=1e-2/packet";
    }
    require_alike({request, turned});
}

BOOST_AUTO_TEST_CASE(what_is_there_is_not_run_again_and_has_the_same_results)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    const auto all = wishes({ring("64"), ring("128"), ring("64")});
    const auto first = grant(store, all, {.parallel = 2});
    BOOST_TEST(first.at(0).ran);
    BOOST_TEST(first.at(0).key == first.at(2).key);
    BOOST_TEST(store.keys().size() == 2u);
    const auto before = store.find(first.at(1).key);
    const auto second = grant(store, all, {.parallel = 2});
    BOOST_TEST(second.at(1).cached);
    BOOST_TEST(!second.at(1).ran);
    const auto after = store.find(first.at(1).key);
    BOOST_TEST_REQUIRE((before && after));
    BOOST_TEST(before->header.finished == after->header.finished);
    BOOST_TEST(record_json(before->record, true).line() == record_json(after->record, true).line());
    BOOST_TEST(before->header.model == model_version());
}

BOOST_AUTO_TEST_CASE(a_stored_outcome_equals_that_of_a_run)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    std::vector<Wish> all = wishes({ring("64")});
    all.front().every_block = true;
    const auto granted = grant(store, all, {});
    Experiment experiment(ring("64"));
    experiment.measure_use();
    experiment.prepare_simulation();
    experiment.build();
    experiment.run();
    BOOST_TEST(outcome_json(store.find(granted.at(0).key)->record.outcome, true).line() ==
               outcome_json(outcome_of(experiment), true).line());
}

BOOST_AUTO_TEST_CASE(a_run_past_its_limit_is_recorded_and_the_others_go_on)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    ExperimentRequest endless = ring("64");
    endless.workload = "ping-pong:repetitions=100000,series=1000,sizes=64";
    auto all = wishes({endless, ring("64")});
    const auto limited = [&all](std::chrono::milliseconds limit) {
        for (Wish& wish : all) wish.limit = limit;
        return all;
    };
    const auto granted = grant(store, limited(std::chrono::seconds(1)), {.parallel = 1});
    BOOST_TEST((granted.at(0).state == PointState::kLate));
    BOOST_TEST((granted.at(1).state == PointState::kDone));
    BOOST_TEST((store.find(granted.at(0).key)->header.state == PointState::kLate));
    BOOST_TEST(grant(store, limited(std::chrono::seconds(1)), {}).at(0).cached);  // known to be late
    BOOST_TEST(grant(store, limited(std::chrono::milliseconds(1500)), {}).at(0).ran);
    all.front().request.workload = "ping-pong:repetitions=1,series=1,sizes=256";
    Point late = *store.find(granted.at(1).key);
    late.header = {.key = key_for(all.front().request), .state = PointState::kLate, .limit_seconds = 1};
    store.put(late);
    BOOST_TEST(grant(store, all, {}).at(0).done());  // without a limit it is run to its end
}

/// A store may be somebody else's, and its disk may fail: neither is an empty store.
BOOST_AUTO_TEST_CASE(what_is_no_file_is_no_missing_point)
{
    const TemporaryFolder folder;
    const Store store(folder.path() / "store");
    const std::string key = key_for(ring("64"));
    std::filesystem::create_directories(store.file_of(key).parent_path());
    BOOST_TEST(!store.find_text(key));
    BOOST_TEST_REQUIRE(::mkfifo(store.file_of(key).c_str(), 0600) == 0);
    BOOST_CHECK_THROW(store.find_text(key), UserError);
    std::filesystem::remove(store.file_of(key));
    std::filesystem::create_symlink("/dev/zero", store.file_of(key));
    BOOST_CHECK_THROW(store.find_header(key), UserError);
    std::filesystem::remove(store.file_of(key));
    std::filesystem::create_directory(store.file_of(key));
    BOOST_CHECK_THROW(store.find(key), UserError);
}

BOOST_AUTO_TEST_CASE(a_damaged_point_is_run_again)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    const auto all = wishes({ring("64")});
    const auto path = store.file_of(grant(store, all, {}).at(0).key);
    for (const int part : {0, 1, 2}) {                        // nothing, the beginning, all but the last byte
        const auto whole = std::filesystem::file_size(path);  // differs from run to run: the wall time stands in it
        std::filesystem::resize_file(path, part == 0 ? 0 : part == 1 ? 100 : whole - 1);
        BOOST_TEST(grant(store, all, {}).at(0).ran);
        BOOST_TEST(std::filesystem::file_size(path) > whole / 2);
        BOOST_TEST(grant(store, all, {}).at(0).cached);
    }
}

BOOST_AUTO_TEST_CASE(damage_within_a_record_is_found)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    const auto all = wishes({ring("64")});
    const std::string key = grant(store, all, {}).at(0).key;
    std::string text = *store.find_text(key);
    const std::size_t result = text.find("\"latency_min_ns\":");
    BOOST_TEST_REQUIRE(result != std::string::npos);
    char& digit = text[text.find_first_of("123456789", result)];
    digit = digit == '9' ? '8' : '9';
    store.put_text(key, text);
    BOOST_TEST(!store.find_header(key));
    BOOST_TEST(!store.find(key));
    BOOST_TEST(grant(store, all, {}).at(0).ran);
    BOOST_TEST(store.find(key).has_value());
}

BOOST_AUTO_TEST_CASE(a_point_of_an_older_program_without_a_hash_is_taken)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    const std::string key = grant(store, wishes({ring("64")}), {}).at(0).key;
    std::string text = *store.find_text(key);
    const std::size_t hash = text.find(",\"record_hash\"");
    text.erase(hash, text.find('}', hash) - hash);
    store.put_text(key, text);
    BOOST_TEST(store.find(key).has_value());
    BOOST_TEST(store.find_header(key)->delta_cycles > 0u);
}

BOOST_AUTO_TEST_CASE(what_a_killed_process_left_is_no_point_and_goes_when_it_is_old)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    const std::string key = grant(store, wishes({ring("64")}), {}).at(0).key;
    const std::string left = store.file_of(key).string() + ".partial-elsewhere-5";
    std::ofstream(left) << "half";
    BOOST_TEST(store.keys().size() == 1u);
    BOOST_TEST(store.remove_left_over() == 0u);  // its process may still write
    std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - std::chrono::hours(25));
    BOOST_TEST(store.remove_left_over() == 1u);
    BOOST_TEST(store.find(key).has_value());
}

BOOST_AUTO_TEST_CASE(the_store_of_a_newer_program_is_refused)
{
    const TemporaryFolder folder;
    folder.write("store/store.json", "{\"ringmesh_store\": 99}\n");
    BOOST_CHECK_THROW(Store(folder.path() / "store"), UserError);
    folder.write("other/store.json", "what\n");
    BOOST_CHECK_THROW(Store(folder.path() / "other"), UserError);
    folder.write("file", "");
    BOOST_CHECK_THROW(Store(folder.path() / "file"), UserError);
}

BOOST_AUTO_TEST_CASE(a_mistake_in_one_wish_is_told_before_anything_runs)
{
    const TemporaryFolder folder;
    Store store(folder.path() / "store");
    BOOST_CHECK_THROW(grant(store, wishes({ring("64"), ring("64,size=1")}), {}), UserError);
    BOOST_TEST(store.keys().empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
