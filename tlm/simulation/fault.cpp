// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/fault.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tlm/parameters/names.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/quantity.h"

namespace ringmesh {
namespace {

constexpr std::string_view kForms =
    "write a time \"5 us\", from which on it holds, a window \"5us..9us\", a rate \"1e-4/packet\", \"1e-9/symbol\" or "
    "\"1e6/s\", or \"packet 17\"";

std::optional<double> positive_number(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value)) return {};
    return value;
}

Duration time_of(const std::string& key, std::string_view text, std::string_view cure)
{
    const auto parsed = parse_duration(text);
    constexpr Duration kMost = Duration::picoseconds(1'000'000'000'000'000'000);
    if (parsed.value && *parsed.value > kMost) {
        throw FaultProblem{key, fmt::format("'{}' is longer than any run", text), std::string(cure)};
    }
    if (parsed.value && *parsed.value >= Duration::zero()) return *parsed.value;
    throw FaultProblem{key, fmt::format("'{}' is no time", text), std::string(cure)};
}

}  // namespace

void FaultParams::visit(ParameterVisitor& visitor)
{
    visitor.text({"where", "blocks that suffer it, by name, with * for any characters: \"node3.lc2*\""}, where);
    visitor.text({"what", "`ringmesh list faults PLATFORM` has the words that blocks know"}, what);
    visitor.numbers({"when",
                     "from a time on, to the end, \"5 us\", in a window \"5us..9us\", at a rate \"1e-4/packet\", "
                     "\"1e-9/symbol\" or "
                     "\"1e6/s\", or at one packet of the block, \"packet 17\""},
                    when);
    visitor.numbers({"lasts", "how long it lasts each time, \"10 us\"; empty: one packet, or from a time on for ever"},
                    lasts);
    visitor.field({"seed", "of a rate, beside the run's"}, seed, {0, INT64_MAX});
}

void FaultTable::visit(ParameterVisitor& visitor)
{
    add_names(visitor, all, true, FaultParams{});
    for (auto& [name, fault] : all) visitor.group(name, "A fault of the hardware", fault);
}

FaultTimes::FaultTimes(const FaultParams& fault, Random random) : random_(random)
{
    const std::string_view when = fault.when;
    if (fault.seed != FaultParams{}.seed && when.find('/') == std::string_view::npos) {
        throw FaultProblem{"seed", fmt::format("'{}' is no rate, and nothing is drawn", when), "leave it out"};
    }
    if (!fault.lasts.empty()) {
        constexpr std::string_view kCure = "write such as \"10 us\", or leave it out";
        lasts_ = time_of("lasts", fault.lasts, kCure);
        if (*lasts_ == Duration::zero()) throw FaultProblem{"lasts", "no time at all", std::string(kCure)};
    }
    if (const auto dots = when.find(".."); dots != std::string_view::npos) {
        if (dots != 0) from_ = time_of("when", when.substr(0, dots), kForms);
        if (dots + 2 != when.size()) until_ = time_of("when", when.substr(dots + 2), kForms);
        if (until_ <= from_) throw FaultProblem{"when", "the window ends before it begins", std::string(kForms)};
        if (lasts_) throw FaultProblem{"lasts", "a window has its end already", "leave it out, or write a time"};
        return;
    }
    if (const auto slash = when.find('/'); slash != std::string_view::npos) {
        const auto rate = positive_number(when.substr(0, slash));
        const std::string_view unit = when.substr(slash + 1);
        if (!rate) throw FaultProblem{"when", fmt::format("'{}' has no rate above 0", when), std::string(kForms)};
        rate_ = *rate;
        kind_ = unit == "packet" ? Kind::kPerPacket : unit == "symbol" ? Kind::kPerSymbol : Kind::kPerSecond;
        if (unit != "packet" && unit != "symbol" && unit != "s") {
            throw FaultProblem{"when", fmt::format("no rate is counted by '{}'", unit), std::string(kForms)};
        }
        if (kind_ != Kind::kPerSecond && rate_ > 1) {
            throw FaultProblem{"when", fmt::format("{} of one {} is above 1", rate_, unit), std::string(kForms)};
        }
        constexpr double kSecond = 1e12;
        if (kind_ != Kind::kPerSecond) {
            rate_ = -std::log1p(-rate_);
            draw();
        }
        if (kind_ == Kind::kPerSecond) {
            constexpr double kLeast = 1e-5;  // a hundred times as long as any run
            constexpr double kMost = 1e9;    // shorter than any packet
            if (rate_ < kLeast || rate_ > kMost) {
                throw FaultProblem{"when", fmt::format("{}/s is not from {}/s to {}/s", rate_, kLeast, kMost),
                                   std::string(kForms)};
            }
            from_ = random_.exponential(Duration::picoseconds(std::llround(kSecond / rate_)));
        }
        return;
    }
    constexpr std::string_view kPacket = "packet";
    if (when.starts_with(kPacket)) {
        kind_ = Kind::kNumbered;
        std::string_view digits = when.substr(kPacket.size());
        if (digits.starts_with(' ') || digits.starts_with(':')) digits.remove_prefix(1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number_);
        if (error == std::errc{} && end == digits.data() + digits.size() && number_ > 0) return;
        throw FaultProblem{"when", fmt::format("'{}' names no packet; they are counted from 1", when),
                           std::string(kForms)};
    }
    from_ = time_of("when", when, kForms);
    if (lasts_) until_ = from_ + *lasts_;
}

/// The next one that is struck: geometrically distributed.
void FaultTimes::draw()
{
    const double next = std::ceil(-std::log1p(-random_.unit()) / rate_);
    left_ = static_cast<std::int64_t>(std::clamp(next, 1.0, static_cast<double>(FaultCalm::kEndless)));
}

FaultCalm FaultTimes::calm(Duration at) const
{
    if (at < struck_until_) return FaultCalm::none();
    FaultCalm calm;
    switch (kind_) {
        case Kind::kTime:
            if (at < from_)
                calm.until = from_;
            else if (at < until_)
                return FaultCalm::none();
            break;
        case Kind::kPerPacket: calm.packets = left_ - 1; break;
        case Kind::kPerSymbol: calm.symbols = left_ - 1; break;
        case Kind::kPerSecond: calm.until = from_; break;
        case Kind::kNumbered:
            if (seen_ < number_) calm.packets = static_cast<std::int64_t>(number_ - seen_ - 1);
            break;
    }
    return calm;
}

/// Strikes, as far as it is not of a rate that has only been counted down.
bool FaultTimes::strike_now(Duration at)
{
    bool struck = false;
    switch (kind_) {
        case Kind::kTime: return at >= from_ && at < until_;
        case Kind::kPerPacket:
        case Kind::kPerSymbol:
            struck = left_ <= 0;
            if (struck) draw();
            break;
        case Kind::kPerSecond:
            while (from_ <= at) {
                constexpr double kSecond = 1e12;
                struck = true;
                from_ = from_ + random_.exponential(Duration::picoseconds(std::llround(kSecond / rate_)));
            }
            break;
        case Kind::kNumbered: struck = ++seen_ == number_; break;
    }
    if (struck && lasts_) struck_until_ = at + *lasts_;
    return struck || at < struck_until_;
}

void FaultPlan::set(const NamedValues<FaultParams>& faults, std::uint64_t seed)
{
    seed_ = seed;
    faults_.clear();
    for (const auto& [name, params] : faults) {
        try {
            const auto require = [](const std::string& text, const char* key, const char* cure) {
                if (text.empty()) throw FaultProblem{key, "nothing is written", cure};
            };
            require(params.where, "where", "write names of blocks, such as \"node3.lc2*\"");
            require(params.what, "what", "write a word of `ringmesh list faults PLATFORM`");
            require(params.when, "when", std::string(kForms).c_str());
            FaultTimes(params, Random(0));
        } catch (FaultProblem& wrong) {
            throw FaultProblem{name + "." + wrong.key, wrong.what, wrong.cure};
        }
        faults_.push_back({name, params});
    }
}

namespace {

void require_span(const std::string& name, const FaultWord& word, const FaultTimes& times)
{
    if (word.span == FaultSpan::kTime && !times.is_state()) {
        throw FaultProblem{name + ".lasts", fmt::format("'{}' holds for a time, and this is one packet", word.word),
                           "write lasts = \"10 us\", or a time or a window for `when`"};
    }
    if (word.span == FaultSpan::kForEver && !times.is_for_ever()) {
        throw FaultProblem{name + ".when", fmt::format("'{}' has no end", word.word),
                           "write a time alone, \"5 us\", and no `lasts`"};
    }
}

}  // namespace

std::unique_ptr<BlockFaults> FaultPlan::of(std::string_view name, std::span<const FaultWord> known)
{
    if (faults_.empty()) return nullptr;
    blocks_.emplace_back(name);
    std::vector<BlockFaults::One> own;
    for (Planned& fault : faults_) {
        if (fnmatch(fault.params.where.c_str(), std::string(name).c_str(), 0) != 0) continue;
        const auto word = std::find_if(known.begin(), known.end(),
                                       [&fault](const FaultWord& each) { return each.word == fault.params.what; });
        if (word == known.end()) {
            if (!fault.block.empty()) continue;
            fault.block = name;
            for (const FaultWord& each : known) fault.known.emplace_back(each.word);
            continue;
        }
        fault.found = true;
        fault.takes = fault.takes || word->takes;
        const auto index = static_cast<std::size_t>(word - known.begin());
        const std::string source = fmt::format("fault.{}.{}.{}", fault.name, fault.params.seed, name);
        BlockFaults::One one{index, FaultTimes(fault.params, Random(seed_for(seed_, source))),
                             observations_ == nullptr ? &fault.struck : &fault.struck_here,
                             static_cast<std::uint32_t>(&fault - faults_.data())};
        require_span(fault.name, *word, one.times);
        own.push_back(one);
    }
    if (own.empty()) return nullptr;
    auto faults = std::make_unique<BlockFaults>(std::move(own));
    faults->plan_ = this;
    faults->struck_by_.resize(faults_.size());
    faults->name_ = name;
    faults->known_ = known;
    suffering_.push_back(faults.get());
    return faults;
}

void FaultPlan::divide(Observations& observations)
{
    observations_ = &observations;
    watcher_ = observations.add(*this);
}

void BlockFaults::count_in_plan(const One& fault)
{
    if (plan_->observations_ == nullptr) {
        struck_by_[fault.number] = true;
        return;
    }
    const auto& all = plan_->suffering_;
    Parcel& parcel = plan_->observations_->tell(plan_->watcher_);
    parcel.put(static_cast<std::uint32_t>(std::find(all.begin(), all.end(), this) - all.begin()));
    parcel.put(fault.number);
}

void FaultPlan::hear(Parcel& told)
{
    BlockFaults* const block = suffering_.at(told.take<std::uint32_t>());
    const auto number = told.take<std::uint32_t>();
    ++faults_.at(number).struck;
    block->struck_by_.at(number) = true;
}

void FaultPlan::trace(sc_core::sc_trace_file* file)
{
    for (BlockFaults* faults : suffering_) faults->trace(file);
}

BlockFaults::~BlockFaults()
{
    if (plan_ != nullptr) std::erase(plan_->suffering_, this);
}

void BlockFaults::trace(sc_core::sc_trace_file* file)
{
    for (std::size_t word = 0; word < known_.size(); ++word) {
        if ((words_ >> word & 1U) == 0) continue;
        Shown& shown = shown_.emplace_back();
        shown.word = word;
        const std::string number = shown_.size() == 1 ? "" : std::to_string(shown_.size());
        trace_signal(file, shown.signal, name_ + ".fault" + number,
                     {"a fault of the block: while it holds, or for a nanosecond where it strikes", "its word",
                      SignalPlace::kNetwork});
        for (const One& fault : faults_) {
            if (fault.word == word && fault.times.begins() != Duration::never()) {
                show(shown, fault.times.begins(), fault.times.until(fault.times.begins()), 0);
            }
        }
    }
}

/// Waveforms and journeys hear of a strike, or of a state that something meets.
void BlockFaults::tell_watchers(std::size_t word, Duration at, FaultVictim victim)
{
    if (victim.packet != 0 && plan_->journey() != nullptr) {
        plan_->journey()->struck({name_, known_[word].word, victim.packet, victim.leg, at});
    }
    for (Shown& shown : shown_) {
        if (shown.word != word) continue;
        const Duration end = until(word, at);
        constexpr Duration kInstant = Duration::picoseconds(1000);
        const bool instant = end <= at + kInstant;
        show(shown, at, instant ? at + kInstant : end, instant ? victim.packet : 0);
    }
}

/// As much of a period as no other one of the word shows already.
void BlockFaults::show(Shown& shown, Duration from, Duration to, std::uint64_t packet) const
{
    if (!shown.signal.observed()) return;
    from = std::max(from, now());
    auto next = shown.periods.upper_bound(from);
    if (next != shown.periods.begin()) from = std::max(from, std::prev(next)->second);
    if (next != shown.periods.end()) to = std::min(to, next->first);
    if (from >= to) return;
    shown.periods.emplace(from, to);
    shown.signal.busy(from, to, known_[shown.word].word, packet);
}

void FaultPlan::require_found() const
{
    for (const Planned& fault : faults_) {
        if (fault.found) continue;
        if (!fault.block.empty()) {
            throw FaultProblem{fault.name + ".what",
                               fmt::format("{} does not know '{}'", fault.block, fault.params.what),
                               fmt::format("write one of {}{}", fmt::join(fault.known, ", "),
                                           nearest_hint(fault.params.what, fault.known))};
        }
        constexpr std::size_t kMostNamed = 8;
        const std::span first(blocks_.data(), std::min(blocks_.size(), kMostNamed));
        throw FaultProblem{
            fault.name + ".where", fmt::format("no block that can suffer faults matches '{}'", fault.params.where),
            blocks_.empty()
                ? "this machine has none with such nodes"
                : fmt::format("there are {}{}{}", fmt::join(first, ", "), first.size() < blocks_.size() ? ", ..." : "",
                              nearest_hint(fault.params.where, blocks_))};
    }
}

bool FaultPlan::took() const
{
    return std::any_of(faults_.begin(), faults_.end(),
                       [](const Planned& fault) { return fault.takes && fault.struck > 0; });
}

bool FaultPlan::struck_at(std::string_view block) const
{
    return std::any_of(suffering_.begin(), suffering_.end(),
                       [block](const BlockFaults* each) { return each->name_ == block && each->struck_.count() > 0; });
}

std::string FaultPlan::without_strikes() const
{
    std::string text;
    for (const Planned& fault : faults_) {
        if (fault.struck == 0)
            text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", fault.name, fault.params.what);
    }
    return text;
}

/// " at node1.lc2", for as many blocks as a sentence bears.
std::string FaultPlan::places_of(const Planned& fault) const
{
    constexpr std::size_t kMostNamed = 3;
    std::vector<std::string_view> names;
    for (const BlockFaults* block : suffering_) {
        if (block->struck_by_[static_cast<std::size_t>(&fault - faults_.data())]) names.push_back(block->name_);
    }
    if (names.empty()) return "";
    const std::span first(names.data(), std::min(names.size(), kMostNamed));
    const std::size_t more = names.size() - first.size();
    return fmt::format(" at {}{}", fmt::join(first, " and "), more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string FaultPlan::text_of(std::uint64_t least) const
{
    std::string text;
    for (const Planned& fault : faults_) {
        if (fault.struck < least) continue;
        const std::string& when = fault.params.when;
        const bool is_time = fault.params.lasts.empty() && when.find_first_of("./") == std::string::npos;
        text += fmt::format("{}{} ({}) struck {} time{}{}{}", text.empty() ? "" : ", ", fault.name, fault.params.what,
                            fault.struck, fault.struck == 1 ? "" : "s", places_of(fault),
                            is_time && !when.starts_with('p') ? fmt::format(" from {} on", when) : "");
    }
    return text;
}

}  // namespace ringmesh
