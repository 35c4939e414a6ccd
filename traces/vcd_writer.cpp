// SPDX-License-Identifier: Apache-2.0
#include "traces/vcd_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numeric>
#include <utility>

namespace ringmesh {

namespace {

constexpr char kFirstIdentifier = '!';
constexpr std::uint32_t kIdentifierDigits = 94;  // the printable characters but the space

/// The identifier code, least significant digit first.
void append_identifier(std::string& line, std::uint32_t signal)
{
    do {
        line += static_cast<char>(kFirstIdentifier + static_cast<int>(signal % kIdentifierDigits));
        signal /= kIdentifierDigits;
    } while (signal != 0);
}

std::string without_special_characters(std::string name)
{
    for (char& c : name) {
        if (c == '[') c = '(';
        if (c == ']') c = ')';
        if (c <= ' ' || c > '~') c = '_';
    }
    return name;
}

std::vector<std::string_view> split(std::string_view name)
{
    std::vector<std::string_view> parts;
    for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
        parts.push_back(name.substr(0, dot));
    }
    parts.push_back(name);
    return parts;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits compare as numbers: node2 before node10.
bool naturally_less(std::string_view a, std::string_view b)
{
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const auto number = [](std::string_view text, std::size_t& at) {
                while (at + 1 < text.size() && text[at] == '0' && is_digit(text[at + 1])) ++at;
                const std::size_t first = at;
                while (at < text.size() && is_digit(text[at])) ++at;
                return text.substr(first, at - first);
            };
            const std::string_view m = number(a, i);
            const std::string_view n = number(b, j);
            if (m.size() != n.size()) return m.size() < n.size();
            if (m != n) return m < n;
        } else {
            if (a[i] != b[j]) return a[i] < b[j];
            ++i;
            ++j;
        }
    }
    if ((i < a.size()) != (j < b.size())) return j < b.size();
    return a < b;  // "node01" and "node1" are two
}

std::string_view type_name(SignalKind kind)
{
    switch (kind) {
        case SignalKind::kBit:
        case SignalKind::kVector: return "wire";
        case SignalKind::kUnsigned:
        case SignalKind::kSigned: return "integer";
        case SignalKind::kReal: return "real";
        case SignalKind::kWord: return "string";
        case SignalKind::kEvent: return "event";
    }
    return "wire";
}

}  // namespace

std::uint32_t VcdWriter::declare(WaveSignal signal)
{
    signal.name = without_special_characters(std::move(signal.name));
    signals_.push_back(std::move(signal));
    return static_cast<std::uint32_t>(signals_.size() - 1);
}

std::vector<std::uint32_t> VcdWriter::order() const
{
    // Scope by scope, a scope's own signals before those of the scopes within it
    std::vector<std::vector<std::string_view>> scopes;
    for (const WaveSignal& signal : signals_) {
        scopes.push_back(split(signal.name));
        scopes.back().pop_back();
    }
    std::vector<std::uint32_t> order(signals_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::lexicographical_compare(scopes[a].begin(), scopes[a].end(), scopes[b].begin(), scopes[b].end(),
                                            naturally_less);
    });
    return order;
}

void VcdWriter::write_header()
{
    file_.append(
        "$date\n    left out: the same run gives the same file\n$end\n"
        "$version\n    Ringmesh\n$end\n"
        "$timescale\n    1 ps\n$end\n");
    std::vector<std::string_view> open;
    for (const std::uint32_t number : order()) {
        const WaveSignal& signal = signals_[number];
        std::vector<std::string_view> scope = split(signal.name);
        const std::string_view own = scope.back();
        scope.pop_back();

        const auto common = static_cast<std::size_t>(
            std::mismatch(open.begin(), open.end(), scope.begin(), scope.end()).first - open.begin());
        for (std::size_t level = open.size(); level > common; --level) file_.append("$upscope $end\n");
        for (std::size_t level = common; level < scope.size(); ++level) {
            file_.append("$scope module " + std::string(scope[level]) + " $end\n");
        }
        open = std::move(scope);

        std::string line = "$var " + std::string(type_name(signal.kind)) + ' ' + std::to_string(signal.width) + ' ';
        append_identifier(line, number);
        line += ' ' + std::string(own);
        if (signal.kind == SignalKind::kVector) line += " [" + std::to_string(signal.width - 1) + ":0]";
        file_.append(line + " $end\n");
    }
    for (std::size_t level = open.size(); level > 0; --level) file_.append("$upscope $end\n");
    file_.append("$enddefinitions $end\n");
}

void VcdWriter::begin(Duration at)
{
    write_header();
    begun_ = true;
    time_ = at;
    write_stamp();
    file_.append("$dumpvars\n");
}

void VcdWriter::write_stamp()
{
    if (time_ == stamped_) return;
    std::array<char, 24> text{'#'};
    const auto end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, time_.ps()).ptr;
    *end = '\n';
    file_.append({text.data(), static_cast<std::size_t>(end + 1 - text.data())});
    stamped_ = time_;
}

void VcdWriter::end_of_initial_values()
{
    file_.append("$end\n");
    changed_.assign(signals_.size(), false);
}

void VcdWriter::append_change(std::uint32_t signal)
{
    if (!changed_.empty()) changed_[signal] = true;
    append_identifier(line_, signal);
    line_ += '\n';
    file_.append(line_);
}

void VcdWriter::change_number(std::uint32_t signal, std::uint64_t value)
{
    write_stamp();
    const WaveSignal& declared = signals_[signal];
    if (declared.kind == SignalKind::kBit) {
        line_ = value != 0 ? "1" : "0";
    } else {
        if (declared.width < 64) value &= (std::uint64_t{1} << declared.width) - 1;
        std::array<char, 64> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 2).ptr;
        line_ = 'b';
        line_.append(digits.data(), end);
        line_ += ' ';
    }
    append_change(signal);
}

void VcdWriter::change_real(std::uint32_t signal, double value)
{
    write_stamp();
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    line_ = 'r';
    line_.append(digits.data(), end);
    line_ += ' ';
    append_change(signal);
}

void VcdWriter::change_word(std::uint32_t signal, std::string_view word)
{
    write_stamp();
    line_ = 's';
    if (word.empty()) line_ += '-';
    for (const char c : word) line_ += c <= ' ' || c > '~' ? '_' : c;
    line_ += ' ';
    append_change(signal);
}

void VcdWriter::change_bits(std::uint32_t signal, std::string_view digits)
{
    write_stamp();
    if (signals_[signal].kind == SignalKind::kBit) {
        line_ = digits;
    } else {
        line_ = 'b';
        line_ += digits;
        line_ += ' ';
    }
    append_change(signal);
}

void VcdWriter::trigger(std::uint32_t signal)
{
    write_stamp();
    line_ = '1';
    append_change(signal);
}

void VcdWriter::comment(std::string_view text)
{
    std::string line = "$comment " + std::string(text) + " $end\n";
    std::replace(line.begin() + 9, line.end() - 5, '$', '_');
    file_.append(line);
}

void VcdWriter::finish(std::optional<Duration> end)
{
    if (!begun_) write_header();
    if (end && *end > stamped_) {
        time_ = *end;
        write_stamp();
    }
    file_.commit();
}

}  // namespace ringmesh
