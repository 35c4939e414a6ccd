// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/sources/lengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tlm/error.h"
#include "tlm/files/csv_lines.h"
#include "tlm/units/quantity.h"
#include "workloads/traffic/sources/shares.h"

namespace ringmesh::workloads {
namespace {

constexpr std::int64_t kLongest = 1'000'000'000;
constexpr std::string_view kUniform = "uniform:";
constexpr std::string_view kExponential = "exponential:";

[[noreturn]] void refuse_lengths(std::string_view option, std::string_view text, std::string_view why)
{
    throw UserError(
        fmt::format("{0} = {1}: {2}; write {0}=5, {0}=1:0.8,5:0.2, {0}=uniform:1..8 or {0}=exponential:5:1..64", option,
                    text, why));
}

/// Mean of 0 .. count-1 where each is exp(log_ratio) times as likely as the one before.
double mean_of_decay(double log_ratio, double count)
{
    if (std::abs(log_ratio) * count < 1e-6) return (count - 1) / 2 + log_ratio * (count * count - 1) / 12;
    return 1 / std::expm1(-log_ratio) - count / std::expm1(-log_ratio * count);
}

}  // namespace

std::optional<Lengths> Lengths::parse(std::string_view option, const std::string& text)
{
    if (text.starts_with(kUniform)) return of_range(option, text, std::string_view(text).substr(kUniform.size()));
    if (text.starts_with(kExponential)) {
        const std::string_view rest = std::string_view(text).substr(kExponential.size());
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        double mean = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + colon, mean);
        if (error != std::errc{} || end != rest.data() + colon || colon == rest.size()) {
            refuse_lengths(option, text, "has no mean and bounds");
        }
        Lengths lengths = of_range(option, text, rest.substr(colon + 1));
        // At the middle all lengths of the range are as likely
        if (!(mean > static_cast<double>(lengths.least_) && mean < lengths.mean_)) {
            refuse_lengths(option, text,
                           fmt::format("the mean is not above {} and below {}, the middle of the range", lengths.least_,
                                       lengths.mean_));
        }
        lengths.decay_to(mean);
        lengths.text_ = fmt::format("{}{}:{}..{}", kExponential, mean, lengths.least_, lengths.most_);
        return lengths;
    }
    if (text.find(':') == std::string::npos) return std::nullopt;
    std::vector<std::pair<std::int64_t, double>> shares;
    for (const Share& each : parse_shares(text, {option, "length", 1, kLongest, true})) {
        shares.emplace_back(each.value, each.share);
    }
    return of_shares(std::move(shares), one_form(text));
}

Lengths Lengths::read(const std::string& file)
{
    constexpr double kMost = 1e15;
    CsvLines lines(file);
    std::vector<std::pair<std::int64_t, double>> counts;
    double sum = 0;
    while (lines.next()) {
        if (lines.is_head({"length", "count"}) && counts.empty()) continue;
        const std::int64_t length = lines.whole(0, "length", 1, kLongest);
        const auto known = [length](const auto& each) { return each.first == length; };
        if (std::any_of(counts.begin(), counts.end(), known)) {
            throw lines.problem(0, fmt::format("length {} for the second time; write it once", length));
        }
        counts.emplace_back(length, lines.number(1, "count", 0, kMost));
        sum += counts.back().second;
    }
    if (!(sum > 0))
        throw UserError(fmt::format("{}: no length with a count; write lines length,count such as 5,120", file));
    std::erase_if(counts, [](const auto& each) { return each.second == 0; });
    for (auto& [length, count] : counts) count /= sum;
    return of_shares(std::move(counts), file);
}

Lengths Lengths::of_shares(std::vector<std::pair<std::int64_t, double>> shares, std::string text)
{
    Lengths lengths;
    lengths.text_ = std::move(text);
    lengths.least_ = kLongest;
    double sum = 0;
    for (auto& [length, share] : shares) {
        lengths.least_ = std::min(lengths.least_, length);
        lengths.most_ = std::max(lengths.most_, length);
        lengths.mean_ += static_cast<double>(length) * share;
        share = sum += share;
    }
    lengths.up_to_ = std::move(shares);
    return lengths;
}

Lengths Lengths::of_range(std::string_view option, const std::string& text, std::string_view range)
{
    Lengths lengths;
    const char* const end = range.data() + range.size();
    const auto low = std::from_chars(range.data(), end, lengths.least_);
    const bool has_dots = low.ec == std::errc{} && std::string_view(low.ptr, end).starts_with("..");
    const auto high = std::from_chars(has_dots ? low.ptr + 2 : end, end, lengths.most_);
    if (!has_dots || high.ec != std::errc{} || high.ptr != end || lengths.least_ < 1 || lengths.most_ > kLongest ||
        lengths.least_ >= lengths.most_) {
        refuse_lengths(option, text, fmt::format("'{}' is no range of lengths from 1 to {}", range, kLongest));
    }
    lengths.mean_ = static_cast<double>(lengths.least_ + lengths.most_) / 2;
    lengths.text_ = fmt::format("{}{}..{}", kUniform, lengths.least_, lengths.most_);
    return lengths;
}

/// By bisection: the mean falls with the ratio.
void Lengths::decay_to(double mean)
{
    const auto count = static_cast<double>(most_ - least_ + 1);
    double low = -50;
    double high = 0;
    for (int i = 0; i < 200; ++i) {
        const double middle = (low + high) / 2;
        (mean_of_decay(middle, count) < mean - static_cast<double>(least_) ? low : high) = middle;
    }
    log_ratio_ = low;
    mean_ = mean;
}

std::int64_t Lengths::draw(Random& random) const
{
    const double drawn = random.unit();
    if (!up_to_.empty()) {
        return std::upper_bound(up_to_.begin(), up_to_.end() - 1, drawn,
                                [](double value, const auto& each) { return value < each.second; })
            ->first;
    }
    const auto count = static_cast<double>(most_ - least_ + 1);
    const double above =
        log_ratio_ == 0 ? drawn * count : std::log1p(drawn * std::expm1(log_ratio_ * count)) / log_ratio_;
    return std::min(most_, least_ + static_cast<std::int64_t>(above));
}

}  // namespace ringmesh::workloads
