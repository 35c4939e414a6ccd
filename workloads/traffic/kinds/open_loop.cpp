// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/kinds/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tlm/error.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"

namespace ringmesh::workloads {
namespace {

std::string short_time(MeanTime time)
{
    return time < MeanTime(1_us) ? fmt::format("{:.3f} ns", time.ns()) : fmt::format("{:.3f} us", time.us());
}

constexpr std::size_t kSamples = 500;        ///< of the backlog
constexpr double kRoundingDown = 1 - 1e-12;  ///< a gap as long as the least may be computed this much shorter

/// Rounded down, so that the proposed value is accepted.
std::string rounded_down(double value, int decimals)
{
    const double scale = std::pow(10, decimals);
    return fmt::format("{:.{}f}", std::floor(value * scale) / scale, decimals);
}

}  // namespace

OpenLoop::OpenLoop(TrafficMachine& machine, const TrafficOptions& options, const PacketForm& packets,
                   std::unique_ptr<Pattern> pattern, std::string beside)
    : machine_(machine),
      options_(options),
      packets_(packets),
      beside_(std::move(beside)),
      pattern_(std::move(pattern)),
      accounts_(machine.nodes()),
      use_(machine),
      window_(wakes<&OpenLoop::look>(machine.simulation().calendar(), *this))
{
    const auto expected = machine.expected_load(packets);
    pattern_->expect(*expected);
    require_senders(*expected, *options_.pattern);
    senders_ = expected->senders();
    const auto rate = options_.rate_value();
    const Clock clock = machine.clock();
    const double full_ns = expected->gap_at_full_load().ns();
    const double gap_ns = rate ? packets_.bytes / *rate * 1e3 : full_ns / options_.load_value().value();
    // A clock of whole picoseconds has always had whole ones here: kept, as results hang on them
    gap_ = clock.is_whole() ? MeanTime(nanoseconds(gap_ns)) : MeanTime::picoseconds(gap_ns * 1e3);
    load_ = full_ns / gap_.ns();
    if (const auto [least, resource] = expected->source_limit(); gap_.ps() < least.ps() * kRoundingDown) {
        throw TooMuchOffered(fmt::format(
            "traffic: {}: each source would offer a packet every {}, and its {} needs {} to send one; "
            "write {} or less",
            rate ? "rate = " + options_.rate : "load = " + options_.load, short_time(gap_), resource, short_time(least),
            rate ? "rate=" + rounded_down(packets_.bytes / least.us(), 3)
                 : "load=" + rounded_down(full_ns / least.ns(), 3)));
    }
    warm_up_ = options_.warm_up_value(clock).value_or(expected->warm_up());
    if (options_.packets == 0 && beside_.empty()) {
        const Duration duration = options_.duration_value(clock);
        const auto of_all = MeanTime::picoseconds(gap_.ps() / senders_);
        if (MeanTime(duration) < of_all) {
            throw UserError(
                fmt::format("traffic: the {} sources together offer a packet every {}, and the duration is {}; "
                            "raise duration, or offer more",
                            senders_, short_time(of_all), to_string(duration)));
        }
        window_end_ = warm_up_ + duration;
        next_sample_ =
            Duration::picoseconds(std::max<std::int64_t>(1, window_end_.ps() / static_cast<std::int64_t>(kSamples)));
        backlog_ = {.interval = next_sample_, .packets = {}};
    }
    const auto add_arrivals = [&](MeanTime gap) {
        arrivals_.emplace_back(options_.arrivals_value(), gap, clock, options_.bursts);
    };
    bool all_alike = true;
    for (unsigned node = 0; node < machine.nodes(); ++node) all_alike = all_alike && pattern_->weight(node) == 1;
    if (all_alike) add_arrivals(gap_);
    for (unsigned node = 0; !all_alike && node < machine.nodes(); ++node) {
        const double weight = pattern_->weight(node);
        add_arrivals(weight > 0 ? MeanTime::picoseconds(gap_.ps() / weight) : gap_);
    }
    if (options_.show != Show::kSummary) table_ = std::make_unique<LatencyTable>(options_.show, machine, packets);
    std::string random(machine.traffic_defaults(packets).random);
    if (!beside_.empty()) random = fmt::format("{}.{}", beside_, random);
    if (Division* const division = machine.simulation().division(); division != nullptr) {
        log_ = std::make_unique<DeliveryLog>([this](const OfferedPacket& packet, Duration at) { measure(packet, at); });
        division->add(*log_);
    }
    sources_.reserve(machine.nodes());
    for (unsigned node = 0; node < machine.nodes(); ++node) {
        sources_.push_back({.random = machine.simulation().random_for(fmt::format("{}.{}", random, node))});
    }
}

void OpenLoop::start(TrafficModel& seen)
{
    if (beside_.empty()) machine_.simulation().count_losses();
    stream_ = machine_.start_traffic(seen, packets_);
    window_.at(warm_up_);
}

void OpenLoop::stop()
{
    stopped_ = true;
    window_end_ = std::min(window_end_, now());
    look();
    for (unsigned node = 0; node < machine_.nodes(); ++node) machine_.resume_traffic(node, stream_);
}

bool OpenLoop::finished() const
{
    return ended_ == sources_.size() && under_way_ <= static_cast<std::int64_t>(machine_.simulation().losses());
}

/// Only what the end of the workload has made needless.
bool OpenLoop::takes_back(unsigned node, const Injection&)
{
    if (!stopped_) return false;
    Source& source = sources_[node];
    accounts_.taken_back(node, source.births.last);
    source.births.started = false;
    return true;
}

Injection OpenLoop::next(unsigned node)
{
    sample_backlog(now());
    Source& source = sources_[node];
    if (source.births.started) {
        ++under_way_;
        if (in_window(source.births.last)) ++in_window_.born;
    }
    if (stopped_) return {};
    const auto to = pattern_->next(node, source.random);
    if (!to) {
        ++ended_;
        return {};
    }
    const Duration birth = arrivals_[arrivals_.size() == 1 ? 0 : node].next(source.births, source.random);
    if (is_over(source, birth)) {
        // With a number of packets the first source to stop ends the window of constant load
        window_end_ = std::min(window_end_, birth);
        if (use_.began()) window_.at(window_end_);
        ++ended_;
        return {};
    }
    accounts_.offered(node, birth);
    if (birth >= warm_up_) ++source.measured;
    if (node == 0 && backlog_) machine_.simulation().report_progress(birth / window_end_);
    const auto& varying = options_.varying;
    const auto size = varying ? static_cast<std::uint32_t>(varying->draw(source.random)) : packets_.size;
    return {.at = birth, .to = *to, .size = size, .kind = kind_of(packets_, source.random)};
}

bool OpenLoop::is_over(const Source& source, Duration birth) const
{
    return options_.packets > 0 ? source.measured == options_.packets : birth >= window_end_;
}

/// Samples links and buses at the begin and the end of the window, before anything else happens then.
void OpenLoop::look()
{
    const Duration present = now();
    window_.cancel();
    if (present >= warm_up_ && !use_.began()) use_.begin(present);
    if (use_.began() && present >= window_end_) {
        if (!use_.ended()) use_.end(present);
    } else if (!stopped_) {
        window_.at(window_end_);
    }
}

void OpenLoop::sample_backlog(Duration until)
{
    while (next_sample_ <= until) {
        backlog_->packets.push_back(under_way_);
        next_sample_ = backlog_->packets.size() == kSamples ? Duration::never() : next_sample_ + backlog_->interval;
    }
}

void OpenLoop::dropped(unsigned source, Duration born)
{
    --under_way_;
    accounts_.dropped(source, born);
}

void OpenLoop::delivered(const OfferedPacket& packet, Duration at)
{
    sample_backlog(now());
    --under_way_;
    accounts_.delivered(packet.source, packet.born);
    if (in_window(at)) {
        ++in_window_.delivered;
        size_in_window_ += packet.size;
    }
    if (packet.born < warm_up_) return;
    if (log_ == nullptr) {
        measure(packet, at);
    } else {
        log_->add(packet, at);
    }
}

void OpenLoop::measure(const OfferedPacket& packet, Duration at)
{
    latency_.add(at - packet.born, packet.target, at);
    const unsigned hops = machine_.hops(packet.source, packet.target);
    if (hops >= hops_.size()) hops_.resize(hops + 1);
    ++hops_[hops].packets;
    hops_[hops].size += packet.size;
    if (table_) table_->add(packet.source, packet.target, hops, at - packet.born);
}

void OpenLoop::answered(const OfferedPacket& packet, Duration at)
{
    accounts_.answered(packet.source, packet.born);
    if (packet.born >= warm_up_) transaction_.add(at - packet.born);
}

void OpenLoop::add_up(Totals& totals)
{
    if (backlog_) {  // it has changed no more
        backlog_->packets.resize(kSamples, under_way_);
        totals.sum_each(backlog_->packets);
    }
    accounts_.add_up(totals);
    use_.add_up(totals);
    transaction_.add_up(totals);
    totals.sum(in_window_.born);
    totals.sum(in_window_.delivered);
    totals.sum(size_in_window_);
    totals.sum(under_way_);
    totals.sum(ended_);
    // Of the machine's parts in other processes
    const auto add = [&totals](std::uint64_t own, std::uint64_t& elsewhere) {
        std::uint64_t all = own;
        totals.sum(all);
        elsewhere += all - own;
    };
    add(machine_.link_crossings(), crossings_elsewhere_);
    add(machine_.retries(), retries_elsewhere_);
}

/// Delivered in the window.
double OpenLoop::mb_per_s() const
{
    const double packets = options_.varying ? static_cast<double>(size_in_window_) / packets_.mean_size()
                                            : static_cast<double>(in_window_.delivered);
    return packets * packets_.bytes / (window_end_ - warm_up_).us();
}

/// Unloaded, of the measured packets over so many links: it rises evenly with the size.
std::optional<double> OpenLoop::latency_alone_ns(unsigned hops) const
{
    PacketForm form = packets_;
    if (!options_.varying) {
        const auto latency = machine_.unloaded_latency(hops, form);
        return latency ? std::optional(latency->ns()) : std::nullopt;
    }
    const double mean = static_cast<double>(hops_[hops].size) / static_cast<double>(hops_[hops].packets);
    form.size = static_cast<std::uint32_t>(mean);
    const auto shorter = machine_.unloaded_latency(hops, form);
    const double rest = mean - form.size++;
    const auto longer = machine_.unloaded_latency(hops, form);
    if (!shorter || !longer) return std::nullopt;
    return shorter->ns() + rest * (longer->ns() - shorter->ns());
}

/// Mean number of links, and the unloaded latency of the same packets.
void OpenLoop::add_distances(std::vector<Cell>& row) const
{
    double links = 0;
    std::optional<double> alone_ns = 0;
    for (unsigned hops = 0; hops < hops_.size(); ++hops) {
        if (hops_[hops].packets == 0) continue;
        const auto packets = static_cast<double>(hops_[hops].packets);
        links += packets * hops;
        const auto latency = latency_alone_ns(hops);
        alone_ns = latency && alone_ns ? std::optional(*alone_ns + packets * *latency) : std::nullopt;
    }
    const auto measured = static_cast<double>(latency_.count());
    row.push_back(measured > 0 ? Cell(links / measured) : Cell(std::monostate()));
    row.push_back(measured > 0 && alone_ns ? Cell(*alone_ns / measured) : Cell(std::monostate()));
}

Results OpenLoop::results() const
{
    ResourceUse use = use_;
    if (use.began() && !use.ended()) use.end(std::max(now(), window_end_));  // no packet after the window
    Results results;
    results.columns = {{"pattern", ""},
                       {"offered_load", std::string(machine_.load_unit())},
                       {"accepted_load", std::string(machine_.load_unit())},
                       {"senders", ""},
                       {"offered_mb_per_s", "MB/s"},
                       {"accepted_mb_per_s", "MB/s"},
                       {"offered_total_mb_per_s", "MB/s"},
                       {"accepted_total_mb_per_s", "MB/s"},
                       {"accepted_part", ""},
                       {"hops_mean", ""},
                       {"zero_load_mean_ns", "ns"}};
    LatencySeries::add_columns(results);
    results.columns.push_back({"latency_mean_cycles", "cycles"});
    results.columns.push_back({"latency_ci95_cycles", "cycles"});
    results.columns.push_back({"transaction_mean_ns", "ns"});
    use.add_columns(results);
    for (const auto* column : {"delivered", "answered", "dropped", "retries", "link_crossings"}) {
        results.columns.push_back({column, ""});
    }
    const double offered = packets_.bytes / gap_.us();
    const double accepted = mb_per_s() / senders_;
    const auto part =
        static_cast<double>(in_window_.delivered) / static_cast<double>(std::max<std::uint64_t>(1, in_window_.born));
    auto& row = results.rows.emplace_back();
    row = {std::string(options_.pattern->name),
           options_.load_value().value_or(load_),
           load_ * accepted / offered,
           std::int64_t{senders_},
           offered,
           accepted,
           offered * senders_,
           accepted * senders_,
           part};
    add_distances(row);
    latency_.add_cells(row);
    const double cycle_ns = machine_.clock().period_ns();
    row.push_back(latency_.count() == 0 ? Cell(std::monostate()) : Cell(latency_.mean_ns() / cycle_ns));
    const auto half_width_ns = latency_.half_width_95_ns();
    row.push_back(half_width_ns ? Cell(*half_width_ns / cycle_ns) : Cell(std::monostate()));
    row.push_back(transaction_.count() == 0 ? Cell(std::monostate()) : Cell(transaction_.mean_ns()));
    use.add_cells(row);
    row.insert(row.end(), {static_cast<std::int64_t>(latency_.count()), static_cast<std::int64_t>(transaction_.count()),
                           accounts_.dropped(), static_cast<std::int64_t>(machine_.retries() + retries_elsewhere_),
                           static_cast<std::int64_t>(machine_.link_crossings() + crossings_elsewhere_)});
    if (!machine_.simulation().faults().empty()) {
        results.columns.push_back({"lost", ""});
        row.push_back(static_cast<std::int64_t>(machine_.simulation().losses()));
    }
    results.backlog = backlog_;
    if (results.backlog) results.backlog->packets.resize(kSamples, under_way_);  // it has drained before the end
    add_notes(results);
    if (table_) table_->put_into(results);
    return results;
}

void OpenLoop::add_notes(Results& results) const
{
    auto& notes = results.notes;
    const Clock clock = machine_.clock();
    notes.push_back(fmt::format(
        "{} of {} nodes send, each a packet every {} ({:.1f} cycles of {}) on average; MB/s are 10^6 bytes a "
        "second, of one sender and of all",
        senders_, machine_.nodes(), short_time(gap_), gap_.ps() / clock.period_ps(), period_text(clock)));
    notes.push_back(fmt::format("{}{}", kLoadNote, machine_.load_meaning()));
    notes.push_back("accepted part: packets delivered by packets born, both in the window");
    notes.push_back(fmt::format(
        "window: {} from {} on, after the warm-up; use, offered and accepted: in the window; dropped, retries and link "
        "crossings: of the whole run",
        to_string(window_end_ - warm_up_), to_string(warm_up_)));
    notes.push_back(
        "latency: from birth to delivery whole, the wait at the source included; ci95: half the 95 % confidence "
        "interval of its mean, by batch means; zero load: what the same packets would take alone; transaction: to the "
        "response");
    notes.emplace_back(latency_.percentiles_note());
    if (!machine_.simulation().faults().empty()) {
        notes.push_back(
            "lost: packets, responses included, given up after their last try or never sent again; in the whole run");
    }
    add_doubts(results, latency_, warm_up_, in_window_);
}

}  // namespace ringmesh::workloads
