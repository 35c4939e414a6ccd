// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "tlm/sci/packet.h"
#include "tlm/units/units.h"

/// How the tests print what they compare.
namespace ringmesh {

inline std::ostream& operator<<(std::ostream& out, Duration time) { return out << time.ps() << " ps"; }

namespace sci {
inline std::ostream& operator<<(std::ostream& out, Command value)
{
    return out << "command " << static_cast<int>(value);
}
inline std::ostream& operator<<(std::ostream& out, Phase value) { return out << "phase " << static_cast<int>(value); }
inline std::ostream& operator<<(std::ostream& out, EchoStatus value)
{
    return out << "echo status " << static_cast<int>(value);
}
inline std::ostream& operator<<(std::ostream& out, Class value)
{
    return out << (value == Class::kRequest ? "request" : "response");
}
}  // namespace sci

}  // namespace ringmesh
