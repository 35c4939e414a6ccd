// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace ringmesh {

/// Something the user can mend: a wrong key, value, name, file. The text says where, what and the cure, because it is
/// all that the user sees; the program prints it on standard error and exits with status 2.
class UserError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The model broke one of its own laws (a packet lost, a queue over its bound). Never the user's fault.
class ModelError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The simulated machine does not get on any more: a deadlock, or a livelock in which everything is refused for ever.
/// It may be the machine's own, as it was configured, or a fault of the model.
class StuckError : public ModelError {
public:
    using ModelError::ModelError;
};

}  // namespace ringmesh
