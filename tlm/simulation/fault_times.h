// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// When a fault strikes, as users write it: for help and messages.
namespace ringmesh {

struct FaultTimeForm {
    std::string_view when;     ///< of --fault
    std::string_view meaning;  ///< behind "strikes"
};

inline constexpr std::array<FaultTimeForm, 7> kFaultTimeForms{
    {{"when=10us", "from 10 us on, to the end of the run"},
     {"when=10us,lasts=2us", "from 10 us to 12 us"},
     {"when=5us..9us", "from 5 us to 9 us; also 5us.. and ..9us"},
     {"when=1e-4/packet", "one packet of 10,000 at random; with lasts=2us for so long each time"},
     {"when=1e-9/symbol", "one symbol of a thousand million at random; likewise"},
     {"when=1e6/s", "a million times a second at random; likewise"},
     {"when=\"packet 17\"", "the 17th packet of the block; likewise"}}};

}  // namespace ringmesh
