// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

/// Errors: mistakes of the user, broken laws of the model, and runs without progress.
namespace ringmesh {

/// An error that the user can correct: a wrong key, value, name, file. The text says where, what and the cure; the
/// program prints only this text, on standard error, and exits with status 2.
class UserError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A program that ended the run, with its exit status.
class ProgramError : public UserError {
public:
    ProgramError(const std::string& text, int status) : UserError(text), status_(status) {}
    int status() const { return status_; }

private:
    int status_;
};

/// A violated invariant of the model (a packet lost, a queue over its bound). Never the user's fault.
class ModelError : public std::logic_error {
public:
    using std::logic_error::logic_error;
};

/// The simulated machine makes no progress: a deadlock, or a livelock of endless retries. The cause may be the machine
/// as configured, or a fault of the model.
class StuckError : public ModelError {
public:
    using ModelError::ModelError;
};

/// The livelock.
class LivelockError : public StuckError {
public:
    using StuckError::StuckError;
};

}  // namespace ringmesh
