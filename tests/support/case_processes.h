// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ringmesh::test {

/// Runs test cases in forked children of this process, several at once.
///
/// A batch is what one child runs, case by case; what is left of it after a crash or a time-out, another child runs. A
/// child leaves by exit(), so leaks are found under sanitizers. Its output is kept, and shown of failed cases.
class CaseProcesses {
public:
    using Seconds = std::chrono::duration<double>;
    struct Result {
        std::size_t number = 0;  ///< of the case
        bool passed = false;
        std::string how;     ///< "crashed: Segmentation fault", "took longer than 120 s"; "" if the case just failed
        std::string output;  ///< of the case
        Seconds took{};
    };
    /// What a child does with a case: true if it passed.
    using Run = std::function<bool(std::size_t number)>;
    /// What a child does around its cases: calls its argument, and returns the exit status.
    using Child = std::function<int(const std::function<void()>& cases)>;
    using Done = std::function<void(const Result& result)>;

    CaseProcesses(Child child, Run run, Seconds limit);
    ~CaseProcesses();
    CaseProcesses(const CaseProcesses&) = delete;
    CaseProcesses& operator=(const CaseProcesses&) = delete;

    /// @param batches numbers of cases
    /// @param done called once for each case; once more for a child that fails after its cases, with the last one's
    /// number
    void run(std::vector<std::vector<std::size_t>> batches, std::size_t parallel, const Done& done);

private:
    struct Running;
    void start(std::vector<std::size_t> batch);
    void hear(Running& child, const Done& done);
    void finish(Running& child, const Done& done);

    Child child_;
    Run run_;
    Seconds limit_;
    std::vector<Running> running_;
    std::vector<std::vector<std::size_t>> waiting_;  ///< the next one is the last
};

}  // namespace ringmesh::test
