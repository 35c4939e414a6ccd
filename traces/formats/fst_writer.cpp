// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/fst_writer.h"

#include <lz4.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ringmesh {

// The format is GTKWave's: fstapi.c, and "Implementation of an Efficient Method for Digital Waveform Compression" in
// its manual. Numbers of fixed size are big-endian, others LEB128.

namespace {

enum Block : std::uint8_t { kHeader = 0, kGeometry = 3, kHierarchyLz4 = 6, kChanges = 8 };
enum Tag : std::uint8_t { kScope = 254, kUpscope = 255 };
enum VariableType : std::uint8_t { kEvent = 0, kInteger = 1, kReal = 3, kWire = 16, kString = 21 };

constexpr std::size_t kHeaderBytes = 329;
constexpr std::size_t kVersionBytes = 128;
constexpr std::size_t kDateBytes = 119;
constexpr std::uint32_t kVariableLength = 0xFFFFFFFF;
constexpr std::size_t kWorthPacking = 32;

void append_fixed(std::string& text, std::uint64_t value)
{
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(value >> shift & 0xff);
}

void append_varint(std::string& text, std::uint64_t value)
{
    while (value >= 0x80) {
        text += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    text += static_cast<char>(value);
}

/// Of a value that is not negative: one more bit, for the sign.
void append_signed_varint(std::string& text, std::uint64_t value)
{
    while (value >= 0x40) {
        text += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    text += static_cast<char>(value & 0x7f);
}

VariableType type_of(SignalKind kind)
{
    switch (kind) {
        case SignalKind::kBit:
        case SignalKind::kVector: return kWire;
        case SignalKind::kUnsigned:
        case SignalKind::kSigned: return kInteger;
        case SignalKind::kReal: return kReal;
        case SignalKind::kWord: return kString;
        case SignalKind::kEvent: return kEvent;
    }
    return kWire;
}

/// The number's lowest `size` bits, from the highest on.
void append_digits(std::string& text, std::uint64_t value, std::uint32_t size)
{
    for (std::uint32_t bit = size; bit-- > 0;) text += bit < 64 && (value >> bit & 1) != 0 ? '1' : '0';
}

/// Packed if that is shorter. @return the size before, as the format has it: 0 if not packed
std::size_t pack(const std::string& text, std::string& packed)
{
    if (text.size() > kWorthPacking) {
        packed.resize(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
        const int size = LZ4_compress_default(text.data(), packed.data(), static_cast<int>(text.size()),
                                              static_cast<int>(packed.size()));
        if (size > 0 && static_cast<std::size_t>(size) < text.size()) {
            packed.resize(static_cast<std::size_t>(size));
            return text.size();
        }
    }
    packed = text;
    return 0;
}

}  // namespace

void FstWriter::append_block(std::uint8_t type, const std::string& content)
{
    std::string head(1, static_cast<char>(type));
    append_fixed(head, content.size() + 8);
    file_.append(head);
    file_.append(content);
}

void FstWriter::begin(const SignalTable& signals, Duration at)
{
    file_.append(std::string(kHeaderBytes + 1, '\0'));
    begin_ = section_begin_ = time_ = at;
    chains_.resize(signals.size());
    places_.resize(signals.size());
    std::uint32_t place = 0;
    for (const std::uint32_t number : signals.order()) {
        places_[number] = place;
        Chain& chain = chains_[place++];
        chain.kind = signals[number].kind;
        chain.size = signals[number].width;
        if (chain.kind == SignalKind::kReal) chain.size = 8;
        if (chain.kind == SignalKind::kWord) chain.size = 0;
    }
    begun_ = true;
    start_section();
}

void FstWriter::append_frame(std::string& frame, const Chain& chain) const
{
    if (chain.kind == SignalKind::kReal) {
        frame.append(reinterpret_cast<const char*>(&chain.value), sizeof chain.value);
    } else if (chain.kind == SignalKind::kWord) {
        return;
    } else if (chain.other) {
        frame += chain.digits;
    } else {
        append_digits(frame, chain.value, chain.size);
    }
}

void FstWriter::start_section()
{
    frame_.clear();
    for (Chain& chain : chains_) {
        append_frame(frame_, chain);
        chain.changes.clear();
        chain.last_time = 0;
    }
    // The first time of a section is its beginning, whether something changes there or not
    times_.clear();
    append_varint(times_, static_cast<std::uint64_t>(time_.ps()));
    section_begin_ = stamped_ = time_;
    time_count_ = 1;
    section_bytes_ = 0;
    section_full_ = false;
}

std::uint32_t FstWriter::steps(Chain& chain)
{
    if (time_ != stamped_) {
        if (section_full_) {
            write_section();
            start_section();
        } else {
            append_varint(times_, static_cast<std::uint64_t>((time_ - stamped_).ps()));
            ++time_count_;
            stamped_ = time_;
        }
    }
    const std::uint32_t index = time_count_ - 1;
    const std::uint32_t since = index - chain.last_time;
    chain.last_time = index;
    return since;
}

void FstWriter::change_number(std::uint32_t signal, std::uint64_t value)
{
    Chain& chain = chains_[places_[signal]];
    const std::uint32_t since = steps(chain);
    if (chain.size < 64) value &= (std::uint64_t{1} << chain.size) - 1;
    chain.value = value;
    chain.other = false;
    if (chain.size == 1) {
        append_varint(chain.changes, std::uint64_t{since} << 2 | value << 1);
        added(2);
        return;
    }
    append_varint(chain.changes, std::uint64_t{since} << 1);
    const std::uint32_t bytes = (chain.size + 7) / 8;
    const std::uint64_t left = value << (64 - std::min(64U, chain.size));  // the first digit is the highest bit
    std::array<char, 8> content{};
    for (std::uint32_t byte = 0; byte < content.size(); ++byte)
        content[byte] = static_cast<char>(left >> (56 - 8 * byte));
    chain.changes.append(content.data(), bytes);
    added(bytes + 2);
}

void FstWriter::change_real(std::uint32_t signal, double value)
{
    Chain& chain = chains_[places_[signal]];
    append_varint(chain.changes, std::uint64_t{steps(chain)} << 1 | 1);
    chain.value = std::bit_cast<std::uint64_t>(value);
    chain.changes.append(reinterpret_cast<const char*>(&value), sizeof value);
    added(10);
}

void FstWriter::change_word(std::uint32_t signal, std::string_view word)
{
    Chain& chain = chains_[places_[signal]];
    append_varint(chain.changes, std::uint64_t{steps(chain)} << 1);
    append_varint(chain.changes, word.size());
    chain.changes += word;
    added(word.size() + 3);
}

void FstWriter::change_bits(std::uint32_t signal, std::string_view digits)
{
    Chain& chain = chains_[places_[signal]];
    const std::uint32_t since = steps(chain);
    if (chain.size == 1) {
        const char digit = digits.front();
        const std::uint64_t code = digit == 'x' ? 0 : 1;  // z
        append_varint(chain.changes, digit == '0' || digit == '1' ? std::uint64_t{since} << 2 | (digit == '1' ? 2U : 0U)
                                                                  : std::uint64_t{since} << 4 | code << 1 | 1);
        added(2);
    } else {
        // As in VCD, what is left out is like the first digit, but zeros before a one
        const char fill = digits.front() == '1' ? '0' : digits.front();
        append_varint(chain.changes, std::uint64_t{since} << 1 | 1);
        chain.changes.append(chain.size - std::min<std::size_t>(chain.size, digits.size()), fill);
        chain.changes += digits;
        added(chain.size + 2);
    }
    chain.other = true;
    chain.digits.assign(chain.size - std::min<std::size_t>(chain.size, digits.size()),
                        digits.front() == '1' ? '0' : digits.front());
    chain.digits += digits;
}

void FstWriter::write_section()
{
    std::string waves(1, '4');  // packed by LZ4
    std::string positions;
    std::string packed;
    std::size_t last_position = 0;
    std::size_t without = 0;  // changes, one after the other
    std::size_t memory = 0;
    for (const Chain& chain : chains_) {
        if (chain.changes.empty()) {
            ++without;
            continue;
        }
        if (without > 0) append_varint(positions, without << 1);
        without = 0;
        append_signed_varint(positions, (waves.size() - last_position) << 1 | 1);
        last_position = waves.size();
        append_varint(waves, pack(chain.changes, packed));
        waves += packed;
        memory += chain.changes.size();
    }
    if (without > 0) append_varint(positions, without << 1);

    std::string content;
    append_fixed(content, static_cast<std::uint64_t>(section_begin_.ps()));
    append_fixed(content, static_cast<std::uint64_t>(stamped_.ps()));
    append_fixed(content, memory);
    append_varint(content, frame_.size());
    append_varint(content, frame_.size());  // not packed
    append_varint(content, chains_.size());
    content += frame_;
    append_varint(content, chains_.size());
    std::string rest = positions;
    append_fixed(rest, positions.size());
    rest += times_;
    append_fixed(rest, times_.size());
    append_fixed(rest, times_.size());  // not packed
    append_fixed(rest, time_count_);

    std::string head(1, static_cast<char>(kChanges));
    append_fixed(head, content.size() + waves.size() + rest.size() + 8);
    file_.append(head);
    file_.append(content);
    file_.append(waves);
    file_.append(rest);
    ++sections_;
}

void FstWriter::write_geometry()
{
    std::string sizes;
    for (const Chain& chain : chains_) {
        append_varint(sizes, chain.kind == SignalKind::kReal ? 0 : chain.size == 0 ? kVariableLength : chain.size);
    }
    std::string content;
    append_fixed(content, sizes.size());
    append_fixed(content, chains_.size());
    append_block(kGeometry, content + sizes);
}

void FstWriter::write_hierarchy(const SignalTable& signals)
{
    std::string tree;
    signals.walk(
        [&](std::string_view scope) {
            tree += static_cast<char>(kScope);
            tree += '\0';  // a module
            tree += scope;
            tree += '\0';
            tree += '\0';  // of no component
        },
        [&] { tree += static_cast<char>(kUpscope); },
        [&](std::uint32_t number, std::string_view own) {
            const WaveSignal& signal = signals[number];
            tree += static_cast<char>(type_of(signal.kind));
            tree += '\0';  // without direction
            tree += own;
            if (signal.kind == SignalKind::kVector) tree += " [" + std::to_string(signal.width - 1) + ":0]";
            tree += '\0';
            append_varint(tree, chains_[places_[number]].size);
            append_varint(tree, 0);  // no alias: the next chain is its own
        });
    std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(tree.size()))), '\0');
    packed.resize(static_cast<std::size_t>(LZ4_compress_default(
        tree.data(), packed.data(), static_cast<int>(tree.size()), static_cast<int>(packed.size()))));
    std::string content;
    append_fixed(content, tree.size());
    append_block(kHierarchyLz4, content + packed);
}

void FstWriter::write_header(const SignalTable& signals, Duration end, std::string_view stopped)
{
    std::size_t scopes = 0;
    signals.walk([&](std::string_view) { ++scopes; }, [] {}, [](std::uint32_t, std::string_view) {});
    std::string content;
    append_fixed(content, static_cast<std::uint64_t>(begin_.ps()));
    append_fixed(content, static_cast<std::uint64_t>(end.ps()));
    const double byte_order = 2.7182818284590452354;
    content.append(reinterpret_cast<const char*>(&byte_order), sizeof byte_order);
    append_fixed(content, 0);  // memory of the writer
    append_fixed(content, scopes);
    append_fixed(content, signals.size());
    append_fixed(content, signals.size());
    append_fixed(content, sections_);
    content += static_cast<char>(-12);  // picoseconds
    std::string version = "Ringmesh";
    version.resize(kVersionBytes);
    std::string date(stopped.empty() ? "left out: the same run gives the same file" : stopped);
    date.resize(kDateBytes - 1);  // a longer one would not end
    date += '\0';
    content += version + date;
    content += '\0';           // Verilog
    append_fixed(content, 0);  // time of zero
    std::string head(1, static_cast<char>(kHeader));
    append_fixed(head, kHeaderBytes);
    file_.overwrite(0, head + content);
}

void FstWriter::finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped)
{
    if (!begun_) begin(signals, Duration::zero());
    if (end && *end > stamped_) {
        append_varint(times_, static_cast<std::uint64_t>((*end - stamped_).ps()));
        ++time_count_;
        stamped_ = *end;
    }
    write_section();
    write_geometry();
    write_hierarchy(signals);
    write_header(signals, stamped_, stopped);
    file_.commit();
}

}  // namespace ringmesh
