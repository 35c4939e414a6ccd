// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/vcd_writer.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string>

namespace ringmesh {

namespace {

constexpr char kFirstIdentifier = '!';
constexpr std::uint32_t kIdentifierDigits = 94;  // the printable characters but the space

/// The identifier code, least significant digit first.
std::string identifier(std::uint32_t signal)
{
    std::string code;
    do {
        code += static_cast<char>(kFirstIdentifier + static_cast<int>(signal % kIdentifierDigits));
        signal /= kIdentifierDigits;
    } while (signal != 0);
    return code;
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

/// The digits of each byte.
constexpr auto kBinaryBytes = [] {
    std::array<std::array<char, 8>, 256> all{};
    for (unsigned byte = 0; byte < all.size(); ++byte) {
        for (unsigned bit = 0; bit < 8; ++bit) all[byte][bit] = (byte >> (7 - bit) & 1) != 0 ? '1' : '0';
    }
    return all;
}();

using BinaryDigits = std::array<char, 64>;

/// Without leading zeros.
std::string_view binary(std::uint64_t value, BinaryDigits& digits)
{
    const unsigned count = value == 0 ? 1 : static_cast<unsigned>(std::bit_width(value));
    for (unsigned byte = 0; byte < (count + 7) / 8; ++byte) {
        std::memcpy(digits.data() + 56 - 8 * byte, kBinaryBytes[value >> (8 * byte) & 0xff].data(), 8);
    }
    return {digits.data() + 64 - count, count};
}

}  // namespace

void VcdWriter::write_header(const SignalTable& signals)
{
    file_.append(
        "$date\n    left out: the same run gives the same file\n$end\n"
        "$version\n    Ringmesh\n$end\n"
        "$timescale\n    1 ps\n$end\n");
    signals.walk([this](std::string_view scope) { file_.append("$scope module " + std::string(scope) + " $end\n"); },
                 [this] { file_.append("$upscope $end\n"); },
                 [&](std::uint32_t number, std::string_view own) {
                     const WaveSignal& signal = signals[number];
                     std::string line = "$var " + std::string(type_name(signal.kind)) + ' ' +
                                        std::to_string(signal.width) + ' ' + identifier(number) + ' ' +
                                        std::string(own);
                     if (signal.kind == SignalKind::kVector) line += " [" + std::to_string(signal.width - 1) + ":0]";
                     file_.append(line + " $end\n");
                 });
    file_.append("$enddefinitions $end\n");
}

void VcdWriter::begin(const SignalTable& signals, Duration at)
{
    write_header(signals);
    for (std::uint32_t number = 0; number < signals.size(); ++number) {
        Ending ending;
        const std::string text = identifier(number) + '\n';
        ending.size = static_cast<std::uint8_t>(text.copy(ending.text.data(), ending.text.size()));
        ending.kind = signals[number].kind;
        ending.width = static_cast<std::uint8_t>(std::min(64U, signals[number].width));
        endings_.push_back(ending);
    }
    begun_ = true;
    time_ = at;
    write_stamp();
    file_.append("$dumpvars\n");
}

void VcdWriter::end_of_initial_values() { file_.append("$end\n"); }

void VcdWriter::write_stamp()
{
    if (time_ == stamped_) return;
    std::array<char, 24> text{'#'};
    const auto end = std::to_chars(text.data() + 1, text.data() + text.size() - 1, time_.ps()).ptr;
    *end = '\n';
    file_.append({text.data(), static_cast<std::size_t>(end + 1 - text.data())});
    stamped_ = time_;
}

void VcdWriter::append_change(char first, std::string_view value, bool space, std::uint32_t signal)
{
    write_stamp();
    const Ending& ending = endings_[signal];
    std::array<char, 128> line;  // NOLINT(cppcoreguidelines-pro-type-member-init): a line for each of many changes
    const std::size_t longest = line.size() - ending.text.size() - 2;
    if (value.size() > longest) {
        file_.append({&first, 1});
        file_.append(value);
        file_.append(space ? " " : "");
        file_.append({ending.text.data(), ending.size});
        return;
    }
    char* at = line.data();
    if (first != '\0') *at++ = first;
    at += value.copy(at, value.size());
    if (space) *at++ = ' ';
    std::memcpy(at, ending.text.data(), ending.text.size());
    at += ending.size;
    file_.append({line.data(), static_cast<std::size_t>(at - line.data())});
}

void VcdWriter::change_number(std::uint32_t signal, std::uint64_t value)
{
    const Ending& ending = endings_[signal];
    if (ending.kind == SignalKind::kBit) {
        append_change('\0', value != 0 ? "1" : "0", false, signal);
        return;
    }
    if (ending.width < 64) value &= (std::uint64_t{1} << ending.width) - 1;
    BinaryDigits digits;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    append_change('b', binary(value, digits), true, signal);
}

void VcdWriter::change_real(std::uint32_t signal, double value)
{
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    append_change('r', {digits.data(), static_cast<std::size_t>(end - digits.data())}, true, signal);
}

void VcdWriter::change_word(std::uint32_t signal, std::string_view word) { append_change('s', word, true, signal); }

void VcdWriter::change_bits(std::uint32_t signal, std::string_view digits)
{
    const bool bit = endings_[signal].kind == SignalKind::kBit;
    append_change(bit ? '\0' : 'b', digits, !bit, signal);
}

void VcdWriter::trigger(std::uint32_t signal) { append_change('\0', "1", false, signal); }

void VcdWriter::comment(std::string_view text)
{
    std::string line = "$comment " + std::string(text) + " $end\n";
    std::replace(line.begin() + 9, line.end() - 5, '$', '_');
    file_.append(line);
}

void VcdWriter::finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped)
{
    if (!begun_) write_header(signals);
    if (end && *end > stamped_) {
        time_ = *end;
        write_stamp();
    }
    if (!stopped.empty()) comment(stopped);
    file_.commit();
}

}  // namespace ringmesh
