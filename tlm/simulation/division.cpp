// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/division.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "tlm/simulation/fault.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {
namespace {

enum class Kind : std::uint8_t { kNone, kUser, kFault, kStuck, kModel, kOther };

Kind kind_of(const std::exception_ptr& error, std::string& text)
{
    const auto told = [&text](const std::exception& what, Kind kind) {
        text = what.what();
        return kind;
    };
    try {
        std::rethrow_exception(error);
    } catch (const UserError& what) {
        return told(what, Kind::kUser);
    } catch (const FaultError& what) {
        return told(what, Kind::kFault);
    } catch (const StuckError& what) {
        return told(what, Kind::kStuck);
    } catch (const ModelError& what) {
        return told(what, Kind::kModel);
    } catch (const std::exception& what) {
        return told(what, Kind::kOther);
    } catch (...) {
        return Kind::kOther;
    }
}

[[noreturn]] void throw_as(Kind kind, const std::string& text)
{
    switch (kind) {
        case Kind::kUser: throw UserError(text);
        case Kind::kFault: throw FaultError(text);
        case Kind::kStuck: throw StuckError(text);
        case Kind::kNone:
        case Kind::kModel: break;
        case Kind::kOther: throw UserError("another process of this simulation has ended: " + text);
    }
    throw ModelError(text);
}

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
    Kind kind = Kind::kNone;
    Duration at;
    std::string text;

    static Failure of(const std::exception_ptr& error)
    {
        Failure failure;
        if (!error) return failure;
        failure.kind = kind_of(error, failure.text);
        failure.at = now();
        return failure;
    }
    void put_into(Parcel& parcel) const
    {
        parcel.put(kind);
        if (kind == Kind::kNone) return;
        parcel.put(at);
        parcel.put(text);
    }
    static Failure out_of(Parcel& parcel)
    {
        Failure failure{.kind = parcel.take<Kind>(), .at = {}, .text = {}};
        if (failure.kind == Kind::kNone) return failure;
        failure.at = parcel.take<Duration>();
        failure.text = parcel.take_text();
        return failure;
    }
};

void Division::cut(const PlaceGraph& graph)
{
    owners_ = processes_.cut(graph, count());
    const unsigned first = owners_.at(0);
    for (unsigned& owner : owners_) {
        if (owner == first) {
            owner = 0;
        } else if (owner == 0) {
            owner = first;
        }
    }
    lookahead_ = lookahead(graph, owners_);
}

void Division::run(Duration first, const RunUntil& run)
{
    const Duration instant = Duration::picoseconds(1);
    Duration next = first;
    Duration end = Duration::zero();
    std::exception_ptr error;
    while (true) {
        const Failure failure = Failure::of(error);
        std::vector<Parcel> given = parcels();
        if (!error) {
            for (Crossing* const crossing : crossings_) next = std::min(next, crossing->give(given));
        }
        std::vector<Parcel> sent = parcels();
        for (unsigned to = 0; to < count(); ++to) {
            failure.put_into(sent[to]);
            sent[to].put(next);
            auto& bytes = sent[to].bytes();
            bytes.insert(bytes.end(), given[to].bytes().begin(), given[to].bytes().end());
        }
        std::vector<Parcel> got = processes_.exchange(sent);
        throw_earliest(error, got);
        next = Duration::never();
        for (Parcel& parcel : got) next = std::min(next, parcel.take<Duration>());
        for (Crossing* const crossing : crossings_) {
            for (unsigned from = 0; from < count(); ++from) crossing->take(from, got[from], end);
        }
        for (Crossing* const crossing : crossings_) crossing->taken();
        if (next == Duration::never()) return;
        end = lookahead_ == Duration::never() ? lookahead_ : next + lookahead_ - instant;
        try {
            next = run(end);
        } catch (...) {
            error = std::current_exception();
            next = Duration::never();
        }
    }
}

/// What is first in these parcels may be an error.
void Division::throw_earliest(const std::exception_ptr& own_error, std::vector<Parcel>& got)
{
    Failure earliest;
    unsigned failed = 0;
    for (unsigned from = 0; from < count(); ++from) {
        Failure other = Failure::out_of(got[from]);
        if (other.kind == Kind::kNone) continue;
        if (earliest.kind != Kind::kNone && other.at >= earliest.at) continue;
        earliest = std::move(other);
        failed = from;
    }
    if (earliest.kind == Kind::kNone) return;
    // A signal comes to all
    if (own_error && (failed == own() || earliest.kind == Kind::kOther)) std::rethrow_exception(own_error);
    throw_as(earliest.kind, earliest.text);
}

void Division::together(const std::function<void()>& work)
{
    std::exception_ptr error;
    try {
        work();
    } catch (...) {
        error = std::current_exception();
    }
    const Failure failure = Failure::of(error);
    std::vector<Parcel> sent = parcels();
    for (Parcel& parcel : sent) failure.put_into(parcel);
    std::vector<Parcel> got = processes_.exchange(sent);
    throw_earliest(error, got);
}

Duration Division::latest(Duration own)
{
    std::vector<Parcel> sent = parcels();
    for (Parcel& parcel : sent) parcel.put(own);
    for (Parcel& parcel : processes_.exchange(sent)) own = std::max(own, parcel.take<Duration>());
    return own;
}

void Division::add_up(const std::function<void(Totals&)>& visit)
{
    std::vector<Parcel> sent = parcels();
    if (own() != 0) {
        Totals giving = Totals::giving(sent[0]);
        visit(giving);
    }
    std::vector<Parcel> got = processes_.exchange(sent);
    if (own() != 0) return;
    for (unsigned from = 1; from < count(); ++from) {
        Totals adding = Totals::adding(got[from]);
        visit(adding);
    }
}

}  // namespace ringmesh
