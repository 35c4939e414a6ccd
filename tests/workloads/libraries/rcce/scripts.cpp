// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/libraries/rcce/scripts.h"

#include <algorithm>
#include <deque>

#include "tlm/error.h"
#include "workloads/ranks/message.h"

namespace ringmesh::test {

namespace {

constexpr std::uint32_t kAround = 64;  // bytes before and behind a message
constexpr std::byte kUntouched{0xee};

}  // namespace

std::vector<std::unique_ptr<workloads::rcce::Rcce>> make_rcce(SccMachine& machine, unsigned cores,
                                                              const workloads::rcce::LibraryOptions& options)
{
    std::vector<std::unique_ptr<workloads::rcce::Rcce>> all;
    for (unsigned core = 0; core < cores; ++core) {
        all.push_back(std::make_unique<workloads::rcce::Rcce>(machine, core, cores, options));
    }
    return all;
}

RcceScripts::RcceScripts(SccMachine& chip, unsigned cores, const workloads::rcce::LibraryOptions& options)
    : rcce(make_rcce(chip, cores, options)), scripts(cores), ends(cores), chip_(chip)
{
    for (const auto& one : rcce) {
        ircce.push_back(std::make_unique<workloads::rcce::Ircce>(chip.simulation(), *one));
    }
}

std::uint32_t RcceScripts::message(std::uint32_t size, unsigned from, unsigned to, std::uint32_t misaligned)
{
    const auto number = static_cast<std::uint32_t>(messages.size());
    Sent sent{.size = size, .from = from, .to = to};
    std::vector<std::byte> bytes(size);
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = workloads::pattern_byte(number, i);
    sent.source = chip_.processor(from).allocate(size + misaligned) + misaligned;
    chip_.processor(from).poke(sent.source, bytes);
    const std::vector<std::byte> untouched(size + misaligned + 2 * kAround, kUntouched);
    sent.target = chip_.processor(to).allocate(untouched.size());
    chip_.processor(to).poke(sent.target, untouched);
    sent.target += kAround + misaligned;
    messages.push_back(sent);
    return number;
}

void RcceScripts::send(std::uint32_t message, bool blocking)
{
    const Sent& sent = messages.at(message);
    add(sent.from, {.kind = blocking ? Step::Kind::kSend : Step::Kind::kIsend, .peer = sent.to, .message = message});
}

void RcceScripts::receive(std::uint32_t message, bool blocking)
{
    const Sent& sent = messages.at(message);
    add(sent.to, {.kind = blocking ? Step::Kind::kRecv : Step::Kind::kIrecv, .peer = sent.from, .message = message});
}

bool RcceScripts::right(std::uint32_t message)
{
    const Sent& sent = messages.at(message);
    std::vector<std::byte> bytes(sent.size + 2 * kAround);
    chip_.processor(sent.to).peek(sent.target - kAround, bytes);
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
        const bool around = i < kAround || i >= kAround + sent.size;
        const std::byte expected = around ? kUntouched : workloads::pattern_byte(message, i - kAround);
        if (bytes[i] != expected) return false;
    }
    return true;
}

void RcceScripts::run()
{
    for (unsigned core = 0; core < scripts.size(); ++core) chip_.processor(core).run(run_script(core), "script");
    chip_.simulation().run();
    chip_.simulation().require_drained();
}

std::string RcceScripts::stuck()
{
    try {
        run();
    } catch (const StuckError& error) {
        return error.what();
    }
    return {};
}

Task<> RcceScripts::run_script(unsigned core)
{
    auto& own = *rcce[core];
    auto& asynchronous = *ircce[core];
    std::deque<workloads::rcce::SendRequest> sends;
    std::deque<workloads::rcce::RecvRequest> receives;
    workloads::rcce::WaitList list;
    for (const Step& step : scripts[core]) {
        const Sent* sent = messages.empty() ? nullptr : &messages.at(step.message);
        switch (step.kind) {
            case Step::Kind::kSend: co_await own.send(sent->source, sent->size, step.peer); break;
            case Step::Kind::kRecv: co_await own.recv(sent->target, sent->size, step.peer); break;
            case Step::Kind::kIsend:
                sends.emplace_back();
                co_await asynchronous.isend(sent->source, sent->size, step.peer, sends.back());
                asynchronous.add_to_wait_list(list, &sends.back(), nullptr);
                break;
            case Step::Kind::kIrecv:
                receives.emplace_back();
                co_await asynchronous.irecv(sent->target, sent->size, step.peer, receives.back());
                asynchronous.add_to_wait_list(list, nullptr, &receives.back());
                break;
            case Step::Kind::kWaitAll: co_await asynchronous.wait_all(list); break;
            case Step::Kind::kBarrier: co_await own.barrier(own.world()); break;
            case Step::Kind::kCompute: co_await chip_.processor(core).compute(step.span); break;
        }
        ends[core].push_back(chip_.processor(core).time());
    }
}

bool Locked::one_at_a_time() const
{
    auto sorted = stays;
    std::sort(sorted.begin(), sorted.end(), [](const Stay& a, const Stay& b) { return a.came < b.came; });
    return std::adjacent_find(sorted.begin(), sorted.end(), [](const Stay& first, const Stay& next) {
               return next.came < first.left;
           }) == sorted.end();
}

Task<> visit_locked(workloads::rcce::Rcce& rcce, unsigned lock, int rounds, Locked& locked)
{
    for (int round = 0; round < rounds; ++round) {
        co_await rcce.acquire_lock(lock);
        const Duration came = rcce.processor().time();
        co_await rcce.processor().compute(1_us);
        locked.stays.push_back({came, rcce.processor().time()});
        co_await rcce.release_lock(lock);
    }
}

}  // namespace ringmesh::test
