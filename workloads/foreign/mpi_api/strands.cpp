// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "workloads/foreign/mpi_api/process.h"

/// Calls that return before they are done, other than messages.
namespace ringmesh::workloads::mpi_api {
void Process::await(Task<> work)
{
    if (strand_ == nullptr) {
        host_.await(std::move(work));
        return;
    }
    Strand& strand = *strand_;
    strand.wanted = std::move(work);
    strand.fiber->suspend();
}

bool Process::guards(const void* address) const { return strand_ != nullptr && strand_->fiber->guards(address); }

void Process::start_work(const std::shared_ptr<Request>& request)
{
    renew(*request);
    auto strand = std::make_shared<Strand>();
    strand->request = request;
    strand->tag = request->work_tag;
    strand->fiber = std::make_unique<Fiber>(host_.stack(), [strand = strand.get()] {
        Request& done = *strand->request;
        try {
            done.work(done);
        } catch (const Failure& failure) {
            done.error = failure.text;
            done.error_class = failure.error_class;
            done.status.MPI_ERROR = failure.error_class;
        } catch (...) {
            strand->error = std::current_exception();
        }
        done.complete = true;
    });
    strands_.emplace(strand.get(), strand);
    go_on(*strand);
}

void Process::resume(Strand& strand)
{
    for (;;) {
        Strand* const before = std::exchange(strand_, &strand);
        const std::int32_t tag = std::exchange(tag_, strand.tag);
        strand.fiber->resume();
        strand_ = before;
        tag_ = tag;
        if (strand.error) std::rethrow_exception(std::exchange(strand.error, {}));
        if (!strand.wanted) return;
        Task<> work = std::move(*strand.wanted);
        strand.wanted.reset();
        await(std::move(work));
    }
}

void Process::wake(Strand& strand)
{
    if (!std::exchange(strand.woken, true)) woken_.push_back(&strand);
}

void Process::go_on(Strand& strand)
{
    resume(strand);
    if (!strand.fiber->ended()) return;
    std::erase(woken_, &strand);
    strands_.erase(&strand);
}

void Process::run_strands()
{
    for (bool moved = true; moved;) {
        moved = false;
        for (Strand* const each : std::exchange(woken_, {})) {
            each->woken = false;
            if (each->until == nullptr || !(*each->until)()) continue;
            go_on(*each);
            moved = true;
        }
    }
}

}  // namespace ringmesh::workloads::mpi_api
