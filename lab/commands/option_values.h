// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lab/run/experiment.h"
#include "tlm/error.h"

/// Values of options on the command line, checked. Messages begin with the command.
namespace ringmesh::lab {

template <class Integer>
std::optional<Integer> parse_whole(const std::string& text)
{
    Integer number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return number;
}

/// @throws UserError unless it is a whole number
std::uint64_t parse_seed(std::string_view command, const std::string& text);

/// @param option for the message @throws UserError unless it is a whole number from 1 to 100,000
unsigned parse_count(std::string_view command, std::string_view option, const std::string& text);

/// Later overlays override earlier ones; but a key twice on the command line is a mistake. @throws UserError
void require_each_key_once(std::string_view command, const ExperimentRequest& request);

/// @throws UserError if no platform is given, or a key twice
void require_machine(const std::string& command, const ExperimentRequest& request);

/// @throws UserError if both go to standard output
void require_one_standard_output(const std::string& json, const std::string& csv);

/// The command, if it says on which machine.
template <class SomeCommand>
SomeCommand on_machine(const std::string& name, SomeCommand& command)
{
    require_machine(name, command.request);
    require_one_standard_output(command.json, command.csv);
    return std::move(command);
}

}  // namespace ringmesh::lab
