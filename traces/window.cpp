// SPDX-License-Identifier: Apache-2.0
#include "traces/window.h"

#include <string>

#include "tlm/error.h"
#include "tlm/quantity.h"

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

}  // namespace

Window parse_window(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        refuse(text, "write FROM..TO, for example 2us..4us; FROM or TO may be left out");
    }
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

}  // namespace ringmesh
