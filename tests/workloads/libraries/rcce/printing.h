// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include "workloads/libraries/rcce/options.h"

/// How Boost.Test prints values of the library's enumerations.
namespace ringmesh {

inline std::ostream& operator<<(std::ostream& out, CopyKind kind) { return out << static_cast<int>(kind); }

namespace workloads::rcce {

inline std::ostream& operator<<(std::ostream& out, Version version) { return out << kVersionNames.name(version); }
inline std::ostream& operator<<(std::ostream& out, Preset preset) { return out << kPresetNames.name(preset); }
inline std::ostream& operator<<(std::ostream& out, Copies copies) { return out << kCopiesNames.name(copies); }

}  // namespace workloads::rcce

}  // namespace ringmesh
