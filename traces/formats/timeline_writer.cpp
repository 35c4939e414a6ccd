// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/timeline_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <utility>

namespace ringmesh {

// The numbers of fields are those of Perfetto's public schema; tests/traces/perfetto.proto has the ones that are used.

namespace {

constexpr std::size_t kLongestVarint = 10;

/// @return behind it
char* write_varint(char* to, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
    *to++ = static_cast<char>(value);
    return to;
}

/// A message of Protocol Buffers in the making.
class Message {
public:
    Message& number(std::uint32_t field, std::uint64_t value)
    {
        varint(std::uint64_t{field} << 3);
        varint(value);
        return *this;
    }
    Message& fixed(std::uint32_t field, std::uint64_t value)
    {
        varint(std::uint64_t{field} << 3 | 1);
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    Message& text(std::uint32_t field, std::string_view value)
    {
        varint(std::uint64_t{field} << 3 | 2);
        varint(value.size());
        bytes_ += value;
        return *this;
    }
    Message& message(std::uint32_t field, const Message& value) { return text(field, value.bytes_); }
    const std::string& bytes() const { return bytes_; }

private:
    void varint(std::uint64_t value)
    {
        std::array<char, kLongestVarint> bytes;
        bytes_.append(bytes.data(), write_varint(bytes.data(), value));
    }

    std::string bytes_;
};
static_assert(std::endian::native == std::endian::little);

namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8;
constexpr std::uint32_t kSequence = 10;
constexpr std::uint32_t kEvent = 11;
constexpr std::uint32_t kInterned = 12;
constexpr std::uint32_t kFlags = 13;
constexpr std::uint32_t kTrack = 60;
constexpr std::uint64_t kFirst = 1;       // flag: names begin anew
constexpr std::uint64_t kNeedsNames = 2;  // flag
}  // namespace packet
namespace track {
constexpr std::uint32_t kUuid = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kParent = 5;
constexpr std::uint32_t kCounter = 8;
}  // namespace track
namespace event {
constexpr std::uint32_t kAnnotation = 4;
constexpr std::uint32_t kType = 9;
constexpr std::uint32_t kName = 10;
constexpr std::uint32_t kTrack = 11;
constexpr std::uint32_t kCount = 30;
constexpr std::uint32_t kDouble = 44;
constexpr std::uint32_t kFlow = 47;
constexpr std::uint64_t kSliceBegin = 1;
constexpr std::uint64_t kSliceEnd = 2;
constexpr std::uint64_t kInstant = 3;
constexpr std::uint64_t kCounter = 4;
}  // namespace event
namespace interned {
constexpr std::uint32_t kEventName = 2;
constexpr std::uint32_t kAnnotationName = 3;
}  // namespace interned

// Numbers of the names of annotations
constexpr std::uint64_t kPacketNumber = 1;
constexpr std::uint64_t kSlices = 2;
constexpr std::uint64_t kBusy = 3;
/// Slices of a track that stand for many, before each stands for twice the time.
constexpr unsigned kSumsOfSpan = 64;
constexpr std::uint64_t kOnlySequence = 1;

/// A packet with an event, of which a file has millions. It is short, so each length in it is one byte.
class Event {
public:
    Event(Duration at, std::uint64_t type, std::uint64_t on)
    {
        open(trace::kPacket);
        number(packet::kTimestamp, static_cast<std::uint64_t>(at.ps()));
        number(packet::kSequence, kOnlySequence);
        event_ = open(packet::kEvent);
        number(event::kType, type);
        number(event::kTrack, on);
    }
    Event& number(std::uint32_t field, std::uint64_t value)
    {
        varint(std::uint64_t{field} << 3);
        varint(value);
        return *this;
    }
    Event& fixed(std::uint32_t field, std::uint64_t value)
    {
        varint(std::uint64_t{field} << 3 | 1);
        std::memcpy(bytes_.data() + size_, &value, sizeof value);
        size_ += sizeof value;
        return *this;
    }
    Event& of_packet(std::uint64_t value) { return fixed(event::kFlow, value).annotation(kPacketNumber, value); }
    Event& annotation(std::uint64_t name, std::uint64_t value)
    {
        const std::size_t begin = open(event::kAnnotation);
        number(1, name).number(3, value);
        close(begin);
        return *this;
    }
    /// @param names it refers to names
    std::string_view bytes(bool names)
    {
        close(event_);
        if (names) number(packet::kFlags, packet::kNeedsNames);
        close(kFirst);
        return {bytes_.data(), size_};
    }

private:
    static constexpr std::size_t kFirst = 2;

    void varint(std::uint64_t value)
    {
        size_ = static_cast<std::size_t>(write_varint(bytes_.data() + size_, value) - bytes_.data());
    }
    /// @return where the message begins
    std::size_t open(std::uint32_t field)
    {
        varint(std::uint64_t{field} << 3 | 2);
        return ++size_;
    }
    void close(std::size_t begin) { bytes_[begin - 1] = static_cast<char>(size_ - begin); }

    std::array<char, 120> bytes_;
    std::size_t size_ = 0;
    std::size_t event_ = 0;
};

bool is_rest(std::string_view word) { return word == "idle" || word == "empty" || word == "-"; }

}  // namespace

TimelineWriter::Track TimelineWriter::add_track(Track parent, const std::string& name, bool counter)
{
    const Track uuid = ++tracks_;
    Message about;
    about.number(track::kUuid, uuid).text(track::kName, name);
    if (parent != 0) about.number(track::kParent, parent);
    if (counter) about.message(track::kCounter, {});
    Message whole;
    whole.number(packet::kSequence, kOnlySequence).message(packet::kTrack, about);
    file_.append(Message().message(trace::kPacket, whole).bytes());
    return uuid;
}

TimelineWriter::Track TimelineWriter::block(std::string_view name)
{
    const auto known = blocks_.find(name);
    if (known != blocks_.end()) return known->second;
    const std::size_t dot = name.rfind('.');
    const Track parent = dot == std::string_view::npos ? 0 : block(name.substr(0, dot));
    const std::string own(dot == std::string_view::npos ? name : name.substr(dot + 1));
    const Track track = add_track(parent, own + std::string(kUnit));
    blocks_.emplace(name, track);
    return track;
}

std::uint64_t TimelineWriter::name_of(std::string_view text)
{
    const auto known = names_.find(text);
    if (known != names_.end()) return known->second;
    const std::uint64_t number = names_.size() + 1;
    names_.emplace(text, number);
    Message names;
    names.message(interned::kEventName, Message().number(1, number).text(2, text));
    Message whole;
    whole.number(packet::kSequence, kOnlySequence)
        .message(packet::kInterned, names)
        .number(packet::kFlags, packet::kNeedsNames);
    file_.append(Message().message(trace::kPacket, whole).bytes());
    return number;
}

void TimelineWriter::begin(const SignalTable& signals, Duration at)
{
    Message names;
    names.message(interned::kAnnotationName, Message().number(1, kPacketNumber).text(2, "packet"))
        .message(interned::kAnnotationName, Message().number(1, kSlices).text(2, "slices"))
        .message(interned::kAnnotationName, Message().number(1, kBusy).text(2, "busy"))
        .message(interned::kEventName, Message().number(1, 1).text(2, kUnit));  // the mark, if there is no track
    names_.emplace(kUnit, 1);
    Message first;
    first.number(packet::kSequence, kOnlySequence)
        .message(packet::kInterned, names)
        .number(packet::kFlags, packet::kFirst | packet::kNeedsNames);
    file_.append(Message().message(trace::kPacket, first).bytes());

    lines_.resize(signals.size());
    std::set<std::string_view> words;
    for (const WaveSignal& signal : signals) {
        if (signal.kind == SignalKind::kWord) words.insert(signal.name);
    }
    for (const std::uint32_t number : signals.order()) {
        const WaveSignal& signal = signals[number];
        // The number of a packet stands at its slices
        if (signal.name.ends_with("_id") && words.contains(signal.name.substr(0, signal.name.size() - 3))) continue;
        const std::size_t dot = signal.name.rfind('.');
        Line& line = lines_[number];
        line.kind = signal.kind;
        line.width = signal.width;
        const bool slices = signal.kind == SignalKind::kWord || signal.kind == SignalKind::kEvent;
        const std::string own = signal.name.substr(dot + 1) + std::string(kUnit);
        line.track =
            add_track(dot == std::string::npos ? 0 : block(std::string_view(signal.name).substr(0, dot)), own, !slices);
    }
    time_ = at;
    begun_ = true;
}

bool TimelineWriter::is_single()
{
    if (singles_left_ == 0) {
        if (!singles_until_) singles_until_ = time_;
        return false;
    }
    --singles_left_;
    return true;
}

TimelineWriter::Sum& TimelineWriter::next_span(Sum& sum) const
{
    if (sum.span == Duration::zero()) {
        sum.span = std::max(Duration::picoseconds(1), *singles_until_ / std::int64_t{kSumsOfSpan});
    } else if (++sum.written == kSumsOfSpan) {
        sum.written = 0;
        sum.span = sum.span * 2;
    }
    return sum;
}

void TimelineWriter::add(Track track, Sum& sum, Duration from, Duration to)
{
    if (sum.slices > 0 && from - sum.from >= sum.span) {
        sum.to = std::min(sum.to, from);  // what lasts longer does not put off the next
        write(track, sum);
    }
    if (sum.slices == 0) {
        if (sum.span == Duration::zero()) next_span(sum);
        sum.from = std::max(from, sum.to);
        sum.busy = Duration::zero();
    }
    ++sum.slices;
    sum.busy += to - from;
    sum.to = std::max(sum.to, to);
}

void TimelineWriter::write(Track track, Sum& sum)
{
    if (sum.slices == 0) return;
    sum.to = std::max(sum.to, sum.from + Duration::picoseconds(1));
    Event begin(sum.from, event::kSliceBegin, track);
    begin.number(event::kName, name_of("many"))
        .annotation(kSlices, sum.slices)
        .annotation(kBusy, static_cast<std::uint64_t>(sum.busy.ps()));
    file_.append(begin.bytes(true));
    file_.append(Event(sum.to, event::kSliceEnd, track).bytes(false));
    next_span(sum).slices = 0;
}

void TimelineWriter::slice(Track track, Sum& sum, std::uint64_t name, std::uint64_t number, Duration from, Duration to)
{
    if (!is_single()) return add(track, sum, from, to);
    sum.to = to;
    Event begin(from, event::kSliceBegin, track);
    begin.number(event::kName, name);
    if (number != 0) begin.of_packet(number);
    file_.append(begin.bytes(true));
    file_.append(Event(to, event::kSliceEnd, track).bytes(false));
}

void TimelineWriter::close(Line& line, Duration end)
{
    if (line.name != 0) slice(line.track, line.sum, line.name, line.packet, line.since, end);
    line.name = 0;
}

/// Of many changes the first and the last of each span are written.
template <class Write>
void TimelineWriter::change_counter(Line& line, Write write)
{
    Event event(time_, event::kCounter, line.track);
    write(event);
    if (!is_single()) {
        if (time_ - line.sum.from < line.sum.span) {
            line.last = event.bytes(false);
            return;
        }
        line.sum.from = time_;
        next_span(line.sum);
    }
    file_.append(line.last);  // what it was until now
    line.last.clear();
    file_.append(event.bytes(false));
}

void TimelineWriter::change_number(std::uint32_t signal, std::uint64_t value)
{
    Line& line = lines_[signal];
    if (line.width < 64) {
        value &= (std::uint64_t{1} << line.width) - 1;
        const bool negative = line.kind == SignalKind::kSigned && (value >> (line.width - 1) & 1) != 0;
        if (negative) value |= ~std::uint64_t{0} << line.width;
    }
    change_counter(line, [value](Event& event) { event.number(event::kCount, value); });
}

void TimelineWriter::change_real(std::uint32_t signal, double value)
{
    change_counter(lines_[signal],
                   [value](Event& event) { event.fixed(event::kDouble, std::bit_cast<std::uint64_t>(value)); });
}

void TimelineWriter::change_word(std::uint32_t signal, std::string_view word)
{
    Line& line = lines_[signal];
    close(line, time_);
    if (is_rest(word)) return;
    line.name = name_of_single(word);
    line.packet = 0;
    line.since = time_;
}

void TimelineWriter::change_bits(std::uint32_t signal, std::string_view digits)
{
    // What is unknown in part, or longer than a number, has no counter
    if (digits.size() > 64 || digits.find_first_not_of("01") != std::string_view::npos) return;
    std::uint64_t value = 0;
    for (const char digit : digits) value = value << 1 | (digit == '1' ? 1U : 0U);
    change_number(signal, value);
}

void TimelineWriter::trigger(std::uint32_t signal)
{
    Line& line = lines_[signal];
    if (is_single()) {
        instant(time_, line.track, "event");
    } else {
        add(line.track, line.sum, time_, time_);
    }
}

void TimelineWriter::instant(Duration at, Track track, std::string_view name)
{
    file_.append(Event(at, event::kInstant, track).number(event::kName, name_of(name)).bytes(true));
}

void TimelineWriter::change_activity(const ActivitySignals& signals, std::string_view word, bool idle, std::uint64_t id)
{
    Line& line = lines_[signals.word];
    close(line, time_);
    if (idle) return;
    line.name = name_of_single(word);
    line.packet = id;
    line.since = time_;
}

void TimelineWriter::stage(const StageOfPlace& stage)
{
    const bool is_call = stage.kind == StageKind::kCall;
    auto& known = is_call ? calls_ : stages_;
    auto found = known.find(stage.where);
    if (found == known.end()) found = known.emplace(stage.where, 0).first;
    std::vector<Lane>& lanes = found->second;
    // Slices of a track may not overlap, and stand in the file in order of time
    auto lane = std::ranges::find_if(lanes, [this, &stage](const Lane& each) {
        return singles_left_ == 0 || each.sum.to <= stage.from;  // one that stands for many has them all
    });
    if (lane == lanes.end()) {
        std::string name = is_call ? "calls" : "stages";
        if (!lanes.empty()) name += ' ' + std::to_string(lanes.size() + 1);
        lanes.push_back({add_track(block(stage.where), name + std::string(kUnit))});
        lane = lanes.end() - 1;
    }
    slice(lane->track, lane->sum, name_of_single(stage.what), stage.packet, stage.from, stage.to);
}

void TimelineWriter::finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped)
{
    if (!begun_) begin(signals, Duration::zero());
    for (Line& line : lines_) {
        close(line, std::max(end.value_or(time_), line.since));
        write(line.track, line.sum);
        file_.append(line.last);
    }
    for (auto* const each : {&stages_, &calls_}) {
        for (auto& [where, lanes] : *each) {
            for (Lane& lane : lanes) write(lane.track, lane.sum);
        }
    }
    if (singles_until_) instant(*singles_until_, add_track(0, "level of detail" + std::string(kUnit)), "many begin");
    if (!stopped.empty()) instant(end.value_or(time_), add_track(0, "the run"), stopped);
    file_.commit();
}

}  // namespace ringmesh
