// SPDX-License-Identifier: Apache-2.0
#include "traces/playback/window_finder.h"

#include <algorithm>

#include "tlm/parameters/names.h"
#include "tlm/simulation/journey.h"
#include "traces/changes/record_reader.h"

namespace ringmesh {

namespace {

constexpr Duration kAround = Duration::picoseconds(1'000'000);

std::string with_blanks(std::string_view word)
{
    std::string text(word);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
    return text;
}

Window widened(Window window, Duration by)
{
    return {std::max(Duration::zero(), window.from - by), std::min(window.to, Duration::never() - by) + by};
}

}  // namespace

void WindowFinder::read(RecordBlock block) { read_records(block, *this); }

void WindowFinder::new_word(std::string_view text)
{
    if (second_) return;
    words_.push_back(with_blanks(text));
    shown_.push_back(0);
    if (words_.back() == request_.word) wanted_ = static_cast<std::uint32_t>(words_.size() - 1);
}

void WindowFinder::seen(std::uint64_t packet, Duration from, Duration to)
{
    if (packet == 0 || request_.kind == WindowRequest::Kind::kCall) return;
    if (packet < request_.number) below_ = std::max(below_, packet);
    if (packet > request_.number) above_ = std::min(above_, packet);
    if (request_.kind == WindowRequest::Kind::kPacket && packet != request_.number) return;
    if (request_.kind == WindowRequest::Kind::kFirst && (!second_ || packet != first_packet_)) return;
    const auto [at, is_new] = packets_.try_emplace(packet, Window{from, to});
    if (is_new) return;
    at->second.from = std::min(at->second.from, from);
    at->second.to = std::max(at->second.to, to);
}

void WindowFinder::seen_word(std::uint32_t word, Duration from, std::uint64_t packet)
{
    shown_[word] = 1;
    if (second_ || word != wanted_ || (first_ && *first_ <= from)) return;
    first_ = from;
    first_packet_ = packet;
}

void WindowFinder::word(std::uint32_t, std::uint32_t word) { seen_word(word, time_, 0); }

void WindowFinder::busy(std::uint32_t, Duration from, Duration to, std::uint32_t word, std::uint64_t id)
{
    seen_word(word, from, id);
    seen(id, from, to);
}

void WindowFinder::stage(std::uint32_t, std::uint32_t kind, std::uint32_t word, std::uint64_t packet, Duration from,
                         Duration to)
{
    const bool call = (kind & ~kNotShown) == static_cast<std::uint32_t>(StageKind::kCall);
    // Of a call that takes no time, there is nothing to show
    if (call && request_.kind == WindowRequest::Kind::kCall && to > from) calls_.push_back({from, to});
    seen_word(word, from, packet);
    seen(packet, from, to);
}

bool WindowFinder::again()
{
    std::stable_sort(calls_.begin(), calls_.end(), [](const Window& a, const Window& b) { return a.from < b.from; });
    if (request_.kind != WindowRequest::Kind::kFirst || second_ || first_packet_ == 0) return false;
    second_ = true;
    return true;
}

std::uint64_t WindowFinder::packet() const
{
    const auto longest = std::max_element(packets_.begin(), packets_.end(), [](const auto& a, const auto& b) {
        const Duration of_a = a.second.to - a.second.from;
        const Duration of_b = b.second.to - b.second.from;
        return of_a != of_b ? of_a < of_b : a.first > b.first;  // of equal ones the first
    });
    return longest == packets_.end() ? 0 : longest->first;
}

std::optional<Window> WindowFinder::found() const
{
    if (request_.kind == WindowRequest::Kind::kFirst && first_ && first_packet_ == 0) {
        return widened({*first_, *first_}, kAround);
    }
    const bool call = request_.kind == WindowRequest::Kind::kCall;
    if (call ? calls_.size() < request_.number : packets_.empty()) return std::nullopt;
    const Window window = call ? calls_[request_.number - 1] : packets_.at(packet());
    return widened(window, Duration::picoseconds((window.to - window.from).ps() / 20 + 1));
}

std::string WindowFinder::what_there_is() const
{
    if (request_.kind == WindowRequest::Kind::kFirst) {
        std::vector<std::string> words;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            if (shown_[word] == 0) continue;
            words.push_back(words_[word]);
            std::replace(words.back().begin(), words.back().end(), ' ', '-');
        }
        std::sort(words.begin(), words.end());
        std::string asked = request_.word;
        std::replace(asked.begin(), asked.end(), ' ', '-');
        if (const std::string near = nearest_name(asked, words); !near.empty()) {
            return "no signal or stage shows this word; did you mean first:" + near + "?";
        }
        std::string text = "no signal or stage shows this word; there are: ";
        for (const std::string& word : words) text += (&word == &words.front() ? "" : ", ") + word;
        return words.empty() ? "the selected signals show no words" : text;
    }
    if (request_.kind == WindowRequest::Kind::kCall) {
        if (calls_.empty()) return "the run has no calls of a library";
        return "no such call; there are 1 to " + std::to_string(calls_.size());
    }
    const bool is_below = below_ != 0, is_above = above_ != UINT64_MAX;
    if (!is_below && !is_above) return "the selected signals and stages name no packet";
    const std::string nearest = std::to_string(is_below ? below_ : above_);
    if (is_below && is_above) return "no such packet; the nearest are " + nearest + " and " + std::to_string(above_);
    return "no such packet; the nearest is " + nearest;
}

}  // namespace ringmesh
