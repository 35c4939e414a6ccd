// SPDX-License-Identifier: Apache-2.0
#include "tlm/division/division.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "tlm/simulation/fault.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {
namespace {

enum class FailureKind : std::uint8_t { kNone, kUser, kFault, kStuck, kModel, kOther };

FailureKind failure_kind(const std::exception_ptr& error, std::string& text)
{
    const auto told = [&text](const std::exception& what, FailureKind kind) {
        text = what.what();
        return kind;
    };
    try {
        std::rethrow_exception(error);
    } catch (const UserError& what) {
        return told(what, FailureKind::kUser);
    } catch (const FaultError& what) {
        return told(what, FailureKind::kFault);
    } catch (const StuckError& what) {
        return told(what, FailureKind::kStuck);
    } catch (const ModelError& what) {
        return told(what, FailureKind::kModel);
    } catch (const std::exception& what) {
        return told(what, FailureKind::kOther);
    } catch (...) {
        return FailureKind::kOther;
    }
}

[[noreturn]] void throw_of_kind(FailureKind kind, const std::string& text)
{
    switch (kind) {
        case FailureKind::kUser: throw UserError(text);
        case FailureKind::kFault: throw FaultError(text);
        case FailureKind::kStuck: throw StuckError(text);
        case FailureKind::kNone:
        case FailureKind::kModel: break;
        case FailureKind::kOther: throw UserError("another process of this simulation has ended: " + text);
    }
    throw ModelError(text);
}

constexpr Observations::Moment kEndOfRun{Duration::never(), {UINT32_MAX, UINT32_MAX}, UINT64_MAX};

}  // namespace

Duration lookahead(const PlaceGraph& graph, const std::vector<unsigned>& owners)
{
    Duration least = Duration::never();
    for (const PlaceGraph::Link& link : graph.links) {
        if (owners[link.from] != owners[link.to]) least = std::min(least, link.least);
    }
    return least;
}

/// Of one process, at a time.
struct Division::Failure {
    FailureKind kind = FailureKind::kNone;
    Observations::Moment at;
    unsigned process = 0;
    std::string text;

    static Failure of(const std::exception_ptr& error, const Division& division)
    {
        Failure failure;
        if (!error) return failure;
        failure.kind = failure_kind(error, failure.text);
        failure.at = division.observations_.moment();
        return failure;
    }
    void put_into(Parcel& parcel) const
    {
        parcel.put(kind);
        if (kind == FailureKind::kNone) return;
        parcel.put(at);
        parcel.put(text);
    }
    static Failure out_of(Parcel& parcel)
    {
        Failure failure;
        failure.kind = parcel.take<FailureKind>();
        if (failure.kind == FailureKind::kNone) return failure;
        failure.at = parcel.take<Observations::Moment>();
        failure.text = parcel.take_text();
        return failure;
    }
};

void begin_with_part_0(std::vector<unsigned>& owners, const PlaceGraph& graph)
{
    const auto first = std::find_if(graph.weights.begin(), graph.weights.end(), [](auto weight) { return weight > 0; });
    if (first == graph.weights.end()) return;
    const unsigned part = owners.at(static_cast<std::size_t>(first - graph.weights.begin()));
    for (unsigned& owner : owners) {
        if (owner == part) {
            owner = 0;
        } else if (owner == 0) {
            owner = part;
        }
    }
}

void require_places(const PlaceGraph& graph, unsigned count)
{
    const auto places =
        std::count_if(graph.weights.begin(), graph.weights.end(), [](auto weight) { return weight > 0; });
    if (count <= places) return;
    const std::string begin = "--processes " + std::to_string(count) + ": this machine has ";
    if (places <= 1) throw UserError(begin + "one place, which cannot be divided; leave it out");
    throw UserError(begin + std::to_string(places) + " places to divide; write " + std::to_string(places) + " or less");
}

void Division::cut(const PlaceGraph& graph)
{
    require_places(graph, count());
    together([&] {
        if (own() != 0) return;
        owners_ = processes_.cut(graph);
        begin_with_part_0(owners_, graph);
    });
    std::vector<Parcel> sent = parcels();
    if (own() == 0) {
        for (Parcel& parcel : sent) {
            for (const unsigned owner : owners_) parcel.put(owner);
        }
    }
    Parcel from_first = std::move(processes_.exchange(sent).front());
    owners_.clear();
    while (owners_.size() < graph.weights.size()) owners_.push_back(from_first.take<unsigned>());
    lookahead_ = lookahead(graph, owners_);
}

void Division::run(Duration first, const RunUntil& run)
{
    const Duration instant = Duration::picoseconds(1);
    Duration next = first;
    Duration end = Duration::zero();
    std::exception_ptr error;
    // What fails in one process is told to all in the next exchange
    const auto guarded = [&error](const auto& work) {
        try {
            work();
        } catch (...) {
            if (!error) error = std::current_exception();
        }
    };
    while (true) {
        std::vector<Parcel> given = parcels();
        if (!error) {
            guarded([&] {
                for (Crossing* const crossing : crossings_) next = std::min(next, crossing->give(given));
            });
        }
        const Failure failure = Failure::of(error, *this);
        std::vector<Parcel> sent = parcels();
        for (unsigned to = 0; to < count(); ++to) {
            failure.put_into(sent[to]);
            sent[to].put(next);
            if (to == 0) observations_.give(sent[to]);
            auto& bytes = sent[to].bytes();
            bytes.insert(bytes.end(), given[to].bytes().begin(), given[to].bytes().end());
        }
        std::vector<Parcel> got = processes_.exchange(sent);
        const Failure first_failure = earliest(got);
        next = Duration::never();
        for (Parcel& parcel : got) {
            next = std::min(next, parcel.take<Duration>());
            if (own() == 0) observations_.take(parcel);
        }
        if (first_failure.kind != FailureKind::kNone) {
            hear_rest(first_failure.at);  // what led there is worth to be seen
            throw_as(first_failure, error);
        }
        const bool goes_on = next != Duration::never();
        guarded([this] { observations_.play(kEndOfRun); });
        // All processes take, as they may exchange more meanwhile
        guarded([&] {
            for (Crossing* const crossing : crossings_) {
                for (Parcel& parcel : got) crossing->take(parcel);
            }
            for (Crossing* const crossing : crossings_) crossing->taken(end);
        });
        if (goes_on && !error) {
            guarded([&] {
                end = lookahead_ == Duration::never() ? lookahead_ : next + lookahead_ - instant;
                next = run(end);
            });
        }
        if (goes_on) continue;
        if (const std::exception_ptr other = hear_rest(kEndOfRun); !error) error = other;
        together([&error] {
            if (error) std::rethrow_exception(error);
        });
        return;
    }
}

/// Those who watch hear what is left. @return what went wrong
std::exception_ptr Division::hear_rest(const Observations::Moment& end)
{
    std::exception_ptr error;
    try {
        observations_.tell_rest();
    } catch (...) {
        error = std::current_exception();
    }
    Parcel own_part;
    observations_.give(own_part);
    std::vector<Parcel> sent = parcels();
    sent[0] = std::move(own_part);
    std::vector<Parcel> got = processes_.exchange(sent);
    if (own() != 0) return error;
    try {
        for (Parcel& parcel : got) observations_.take(parcel);
        observations_.play(end);
    } catch (...) {
        if (!error) error = std::current_exception();
    }
    return error;
}

/// @param got each begins with a Failure
Division::Failure Division::earliest(std::vector<Parcel>& got) const
{
    Failure first;
    for (unsigned from = 0; from < count(); ++from) {
        Failure other = Failure::out_of(got[from]);
        if (other.kind == FailureKind::kNone) continue;
        if (first.kind != FailureKind::kNone && other.at >= first.at) continue;
        first = std::move(other);
        first.process = from;
    }
    return first;
}

void Division::throw_as(const Failure& failure, const std::exception_ptr& own_error)
{
    all_have_failed_ = true;
    failed_at_ = failure.at.time;
    // If all were interrupted, each reports its own interruption
    if (own_error && (failure.process == own() || failure.kind == FailureKind::kOther)) {
        std::rethrow_exception(own_error);
    }
    throw_of_kind(failure.kind, failure.text);
}

void Division::together(const std::function<void()>& work)
{
    std::exception_ptr error;
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    const Failure failure = Failure::of(error, *this);
    std::vector<Parcel> sent = parcels();
    for (Parcel& parcel : sent) failure.put_into(parcel);
    std::vector<Parcel> got = processes_.exchange(sent);
    const Failure first_failure = earliest(got);
    if (first_failure.kind != FailureKind::kNone) throw_as(first_failure, error);
}

Duration Division::longest(Duration own)
{
    std::vector<Parcel> sent = parcels();
    for (Parcel& parcel : sent) parcel.put(own);
    for (Parcel& parcel : processes_.exchange(sent)) own = std::max(own, parcel.take<Duration>());
    return own;
}

CutCables::CutCables(Division& division) : division_(division), sent_(division.count()) { division.add(*this); }

std::uint32_t CutCables::add(Cable& cable, std::size_t place)
{
    cables_.emplace_back(&cable, place);
    return static_cast<std::uint32_t>(cables_.size() - 1);
}

Parcel& CutCables::send(std::uint32_t cable, Duration at)
{
    first_ = std::min(first_, at);
    Parcel& parcel = sent_[division_.owner(cables_[cable].second)];
    parcel.put(cable);
    parcel.put(at);
    return parcel;
}

Duration CutCables::give(std::vector<Parcel>& to)
{
    for (std::size_t process = 0; process < to.size(); ++process) {
        to[process].put_bytes(sent_[process].bytes());
        to[process].put(kNoMore);
        sent_[process].bytes().clear();
    }
    return std::exchange(first_, Duration::never());
}

void CutCables::take(Parcel& parcel)
{
    for (auto cable = parcel.take<std::uint32_t>(); cable != kNoMore; cable = parcel.take<std::uint32_t>()) {
        const auto at = parcel.take<Duration>();
        cables_.at(cable).first->arrives(parcel, at);
    }
}

void Division::add_up(const std::function<void(Totals&)>& visit)
{
    Parcel own_part;
    if (own() != 0) {
        Totals giving = Totals::giving(own_part);
        visit(giving);
    }
    for (Parcel& parcel : gather(own_part)) {
        Totals adding = Totals::adding(parcel);
        visit(adding);
    }
}

std::vector<Parcel> Division::gather(const Parcel& own_part)
{
    std::vector<Parcel> sent = parcels();
    if (own() != 0) sent[0] = own_part;
    std::vector<Parcel> got = processes_.exchange(sent);
    if (own() != 0) return {};
    got.erase(got.begin());
    return got;
}

}  // namespace ringmesh
