// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ringmesh {

/// Is told of changes of the values that it watches.
class ValueListener {
public:
    virtual ~ValueListener() = default;
    /// The value of this number may have changed; to be told several times in a time step does no harm.
    virtual void changed(std::uint32_t value) = 0;
};

/// Beside a value that a waveform may show: its owner tells of each change. A pointer test while none does. Neither
/// may move once it is shown.
class ValueWatch {
public:
    void changed() const
    {
        if (listener_ != nullptr) listener_->changed(number_);
    }

private:
    friend class WaveFile;
    mutable ValueListener* listener_ = nullptr;
    mutable std::uint32_t number_ = 0;
};

/// A number or a word that tells the waveform of its changes.
template <class T>
class Shown {
public:
    Shown(T value = {}) : value_(value) {}
    Shown& operator=(T value)
    {
        value_ = value;
        watch_.changed();
        return *this;
    }
    operator T() const { return value_; }
    /// A reference, for waveforms.
    const T& value() const { return value_; }
    const ValueWatch& watch() const { return watch_; }

private:
    [[no_unique_address]] ValueWatch watch_;
    T value_;
};

}  // namespace ringmesh
