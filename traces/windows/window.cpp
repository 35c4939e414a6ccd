// SPDX-License-Identifier: Apache-2.0
#include "traces/windows/window.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "tlm/error.h"
#include "tlm/units/quantity.h"

namespace ringmesh {

namespace {

[[noreturn]] void refuse(std::string_view text, const std::string& why)
{
    throw UserError("--window " + std::string(text) + ": " + why);
}

Duration parse_end(std::string_view text, std::string_view end)
{
    const Parsed<Duration> parsed = parse_duration(end);
    if (!parsed.value) refuse(text, parsed.problem);
    return *parsed.value;
}

constexpr std::string_view kForms =
    "write FROM..TO, packet:N, call:N, first:WORD, slowest or last:TIME; for example 2us..4us";

Window parse_times(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) refuse(text, std::string(kForms));
    const std::string_view from = text.substr(0, dots);
    const std::string_view to = text.substr(dots + 2);

    Window window;
    if (!from.empty()) window.from = parse_end(text, from);
    if (!to.empty()) window.to = parse_end(text, to);
    if (window.to < window.from) {
        refuse(text, "the window ends before it begins; write FROM..TO with FROM below TO");
    }
    if (window.to == window.from) refuse(text, "the window is empty; write FROM..TO with FROM below TO");
    return window;
}

}  // namespace

WindowRequest parse_window(std::string_view text)
{
    WindowRequest request;
    request.text = text;
    const std::size_t colon = text.find(':');
    const std::string_view word = text.substr(0, colon);
    const std::string_view value = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    if (word == "packet" || word == "call") {
        request.kind = word == "packet" ? WindowRequest::Kind::kPacket : WindowRequest::Kind::kCall;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), request.number);
        if (error != std::errc{} || end != value.data() + value.size() || request.number == 0) {
            refuse(text, "not the number of a " + std::string(word) + "; write " + std::string(word) + ":1");
        }
    } else if (word == "first") {
        request.kind = WindowRequest::Kind::kFirst;
        if (value.empty()) refuse(text, "no word; write one that a signal shows, such as first:busy-echo");
        request.word = value;
        std::replace_if(
            request.word.begin(), request.word.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
    } else if (text == "slowest") {
        request.kind = WindowRequest::Kind::kSlowest;
    } else if (word == "last") {
        request.kind = WindowRequest::Kind::kLast;
        request.span = parse_end(text, value);
        if (request.span <= Duration::zero()) refuse(text, "the window is empty; write last:5us");
    } else {
        request.times = parse_times(text);
    }
    return request;
}

}  // namespace ringmesh
