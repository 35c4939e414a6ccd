// SPDX-License-Identifier: Apache-2.0
#include "analytic/message_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

namespace ringmesh::analytic {
namespace {

struct Program {
    std::span<const MessageStep> left;  // steps that it has not made
    double time = 0;
    std::optional<MessageStep> buffered;  // what it has put
    double put_at = 0;
    double got_at = 0;  // the last that it had put
};

class Run {
public:
    explicit Run(const MessagePrograms& programs) : programs_(programs), all_(programs.steps.size())
    {
        for (std::size_t i = 0; i < all_.size(); ++i) all_[i].left = programs.steps[i];
    }
    std::vector<double> ends()
    {
        for (unsigned i = 0; i < all_.size(); ++i) to_look_at_.push_back(i);
        while (!to_look_at_.empty()) {
            const unsigned who = to_look_at_.back();
            to_look_at_.pop_back();
            Program& program = all_[who];
            while (!program.left.empty() && make(who, program)) program.left = program.left.subspan(1);
        }
        require_all_ended();
        std::vector<double> ends;
        for (const Program& program : all_) ends.push_back(program.time);
        return ends;
    }

private:
    /// @return false if the step is blocked; the program is looked at again after the peer's step that unblocks it
    bool make(unsigned who, Program& program)
    {
        const MessageStep& step = program.left.front();
        if (step.kind == MessageStepKind::kGet) return get(who, program);
        if (program.buffered) return false;
        program.time = std::max(program.time, program.got_at);
        if (step.kind == MessageStepKind::kDrain) return true;
        if (step.peer >= all_.size()) throw std::domain_error(describe(who, step) + ", which does not exist");
        program.time += step.cost;
        program.put_at = program.time;
        program.buffered = step;
        to_look_at_.push_back(step.peer);
        return true;
    }
    bool get(unsigned who, Program& program)
    {
        const MessageStep& step = program.left.front();
        if (step.peer >= all_.size()) throw std::domain_error(describe(who, step) + ", which does not exist");
        Program& sender = all_[step.peer];
        if (!sender.buffered || sender.buffered->peer != who) return false;
        if (sender.buffered->message != step.message) {
            throw std::domain_error(describe(who, step) + ", " + describe(step.peer, *sender.buffered));
        }
        program.time = std::max(program.time, sender.put_at) + step.cost;
        sender.got_at = program.time;
        sender.buffered.reset();
        programs_.got(step.peer, who, step.message);
        to_look_at_.push_back(step.peer);
        return true;
    }
    void require_all_ended() const
    {
        std::string waiting;
        for (unsigned i = 0; i < all_.size(); ++i) {
            if (all_[i].left.empty()) continue;
            waiting += (waiting.empty() ? "" : ", ") + describe(i, all_[i].left.front());
        }
        if (!waiting.empty()) throw std::domain_error("deadlock: " + waiting);
        for (unsigned i = 0; i < all_.size(); ++i) {
            if (all_[i].buffered) throw std::domain_error(describe(i, *all_[i].buffered) + ", which no program gets");
        }
    }
    static std::string describe(unsigned who, const MessageStep& step)
    {
        switch (step.kind) {
            case MessageStepKind::kPut: return fmt::format("{} puts {} for {}", who, step.message, step.peer);
            case MessageStepKind::kGet: return fmt::format("{} gets {} from {}", who, step.message, step.peer);
            case MessageStepKind::kDrain: return fmt::format("{} waits until its put has been got", who);
        }
        return {};
    }

    const MessagePrograms& programs_;
    std::vector<Program> all_;
    std::vector<unsigned> to_look_at_;
};

}  // namespace

std::vector<double> program_ends(const MessagePrograms& programs) { return Run(programs).ends(); }

}  // namespace ringmesh::analytic
