// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tlm/machine/machine.h"
#include "tlm/machine/traffic_machine.h"
#include "tlm/parameters/parameters.h"
#include "tlm/statistics/totals.h"
#include "tlm/units/units.h"

/// Workloads: what a run does on a machine, with its options and results.
namespace ringmesh::workloads {

struct Column {
    std::string name;  ///< snake_case, unique in the table
    std::string unit;  ///< "ns", "MB/s", "MiB/s", "bytes"; empty for words and plain counts
};

/// std::monostate: nothing was measured here.
using Cell = std::variant<std::int64_t, double, std::string, std::monostate>;

/// Packets that wait or are under way, at equal intervals from the start of the run on.
struct Backlog {
    Duration interval;
    std::vector<std::int64_t> packets;
};

/// What a workload measured: a table that the program prints, and writes as CSV and JSON.
struct Results {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> notes;  ///< sentences on how it was measured, each printed on its own line
    std::string doubt = {};  ///< why its means are no lasting ones, in a word or two: "saturated"; empty: they are
    std::optional<Backlog> backlog = {};
};

class Library;
class Recorder;

/// Software that runs on a machine. Options are parameters like any others: declared once in visit().
class Workload {
public:
    virtual ~Workload() = default;
    virtual void visit(ParameterVisitor& visitor) = 0;
    /// What the platform can be, as sorts of machine (SomeMachine::kIs); told before needs() is asked.
    virtual void choose_among(std::span<const std::string_view> /*sorts*/) {}
    /// Told next: writes the value of "auto" wherever it does not depend on the machine's size, so that it makes no
    /// difference whether it is written out.
    virtual void write_out_auto(const UsualTraffic& /*usual*/) {}
    virtual NodeKind needs() const { return NodeKind::kProcessor; }
    /// What writes a trace of it, which can be replayed; null: nothing does.
    virtual Recorder* recorder() { return nullptr; }
    /// Files whose content decides what it does.
    virtual std::vector<std::string> files() const { return {}; }
    /// Told before anything else is asked: the folder from which options name files; empty: the current one.
    virtual void name_files_from(const std::string& /*folder*/) {}
    /// Of its programs; the default is all, or what its library says.
    virtual ProgramUse uses();
    /// What it runs over; null: nothing but the machine.
    virtual Library* library() { return nullptr; }
    /// Checks the options against the machine and starts the programs; runs nothing yet.
    /// @throws UserError if this machine cannot run it so (too few nodes, a rank that does not exist)
    virtual void start(Machine& machine) = 0;
    /// While the run goes on: whether it has done what it has to do, so that traffic beside it may end.
    virtual bool finished() const = 0;
    /// Why one process runs it, as a sentence without its end; empty: it runs in several, in windows (Division).
    virtual std::string undivided() const { return "only traffic and programs over ranks run in several"; }
    /// After a run in several processes: adds up what they have counted.
    virtual void add_up(Totals& /*totals*/) {}
    /// While the run goes on, or when it has stopped: what each of its ranks does, in lines that begin with the line
    /// feed; empty: it has no programs that could say.
    virtual std::string doing_of_ranks() const { return {}; }
    /// A run stopped because nothing could go on. @throws UserError if the cause is the user's program
    virtual void check_stuck() const {}
    /// After the run: throws ModelError if a program did not finish or a receiver saw a wrong byte.
    virtual void check() const = 0;
    virtual Results results() const = 0;
    /// Whether it writes to standard output itself, so that the table of its results goes elsewhere.
    virtual bool prints() const { return false; }
    /// What it writes is wanted; of one run among many it is not.
    /// @param standard_output false: it is of results, all that it writes goes to standard error
    virtual void let_print(bool /*standard_output*/ = true) {}
    /// After the run: that of the program which it is; 0 of others.
    virtual int exit_status() const { return 0; }
    /// Further sentences, on what all its results have in common.
    virtual std::vector<std::string> notes() const { return {}; }
};

/// Software for one sort of machine, such as SciMachine.
template <class SomeMachine>
class WorkloadOn : public Workload {
public:
    using RunsOn = SomeMachine;
    void start(Machine& machine) final { start_on(machine_as<SomeMachine>(machine)); }
    /// As start.
    virtual void start_on(SomeMachine& machine) = 0;
};

/// The same with options that are a struct with visit().
template <class SomeMachine, class SomeOptions>
class WorkloadWith : public WorkloadOn<SomeMachine> {
public:
    explicit WorkloadWith(SomeOptions options = {}) : options_(std::move(options)) {}
    void visit(ParameterVisitor& visitor) final { options_.visit(visitor); }

protected:
    SomeOptions options_;
};

enum class Offer : std::uint8_t;
struct LibraryInfo;

struct WorkloadInfo {
    std::string name;
    std::string description;
    std::string runs_on;  ///< what the machine must be: "PCs whose cards map memory"; empty: it runs over a library
    std::vector<Offer> needs;            ///< of that library
    std::vector<std::string_view> over;  ///< the only libraries that it is about; empty: all that offer what it needs
    std::function<std::unique_ptr<Workload>(const LibraryInfo*)> make;  ///< null if it runs over none
    std::string chosen_by = {};  ///< of several with this name, the option that only this one has

    bool uses_library() const { return runs_on.empty(); }
};

/// A row of the catalog for software of one sort of machine. @tparam SomeWorkload a WorkloadOn
template <class SomeWorkload>
WorkloadInfo on_machine(std::string name, std::string description)
{
    return {std::move(name),
            std::move(description),
            std::string(SomeWorkload::RunsOn::kIs),
            {},
            {},
            [](const LibraryInfo*) { return std::make_unique<SomeWorkload>(); }};
}

/// All workloads, in the order in which they are listed: those shipped, then those added (tlm/parameters/additions.h).
const std::vector<WorkloadInfo>& catalog();

/// @param options "key=value", which tell several of one name apart; the first one if they do not
/// @throws UserError naming the nearest known workload
const WorkloadInfo& find_workload(const std::string& name, const std::vector<std::string>& options = {});

}  // namespace ringmesh::workloads
