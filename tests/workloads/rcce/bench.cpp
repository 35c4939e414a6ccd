// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/rcce/bench.h"

#include <deque>

#include "tlm/error.h"
#include "workloads/message.h"

namespace ringmesh::test {

namespace {

constexpr std::uint32_t kAround = 64;  // bytes before and behind a message
constexpr std::byte kUntouched{0xee};

}  // namespace

RcceBench::RcceBench(const Shape& shape)
    : machine(simulation, shape.machine == 0 ? shape.cores : shape.machine),
      rcce(workloads::rcce::make_rcce(machine, shape.cores, shape.options)),
      ircce(workloads::rcce::make_ircce(machine, rcce)),
      scripts(shape.cores),
      ends(shape.cores)
{}

std::uint32_t RcceBench::message(std::uint32_t size, unsigned from, unsigned to, std::uint32_t misaligned)
{
    const auto number = static_cast<std::uint32_t>(messages.size());
    Sent sent{.size = size, .from = from, .to = to};
    std::vector<std::byte> bytes(size);
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = workloads::pattern_byte(number, i);
    sent.source = machine.processor(from).allocate(size + misaligned) + misaligned;
    machine.processor(from).poke(sent.source, bytes);
    const std::vector<std::byte> untouched(size + misaligned + 2 * kAround, kUntouched);
    sent.target = machine.processor(to).allocate(untouched.size());
    machine.processor(to).poke(sent.target, untouched);
    sent.target += kAround + misaligned;
    messages.push_back(sent);
    return number;
}

void RcceBench::send(std::uint32_t message, bool blocking)
{
    const Sent& sent = messages.at(message);
    add(sent.from, {.kind = blocking ? Step::Kind::kSend : Step::Kind::kIsend, .peer = sent.to, .message = message});
}

void RcceBench::receive(std::uint32_t message, bool blocking)
{
    const Sent& sent = messages.at(message);
    add(sent.to, {.kind = blocking ? Step::Kind::kRecv : Step::Kind::kIrecv, .peer = sent.from, .message = message});
}

bool RcceBench::right(std::uint32_t message)
{
    const Sent& sent = messages.at(message);
    std::vector<std::byte> bytes(sent.size + 2 * kAround);
    machine.processor(sent.to).peek(sent.target - kAround, bytes);
    for (std::uint32_t i = 0; i < bytes.size(); ++i) {
        const bool around = i < kAround || i >= kAround + sent.size;
        const std::byte expected = around ? kUntouched : workloads::pattern_byte(message, i - kAround);
        if (bytes[i] != expected) return false;
    }
    return true;
}

void RcceBench::run()
{
    for (unsigned core = 0; core < scripts.size(); ++core) machine.processor(core).run(run_script(core), "script");
    simulation.run();
    simulation.require_drained();
}

std::string RcceBench::stuck()
{
    try {
        run();
    } catch (const StuckError& error) {
        return error.what();
    }
    return {};
}

Task<> RcceBench::run_script(unsigned core)
{
    auto& own = *rcce[core];
    auto& asynchronous = *ircce[core];
    std::deque<workloads::rcce::SendRequest> sends;
    std::deque<workloads::rcce::RecvRequest> receives;
    workloads::rcce::WaitList list;
    asynchronous.init_wait_list(list);
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
            case Step::Kind::kPush:
                co_await asynchronous.isend_push();
                co_await asynchronous.irecv_push();
                break;
            case Step::Kind::kBarrier: co_await own.barrier(own.world()); break;
            case Step::Kind::kCompute: co_await machine.processor(core).compute(step.span); break;
        }
        ends[core].push_back(machine.processor(core).time());
    }
}

}  // namespace ringmesh::test
