// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/atomic_file.h"
#include "tlm/units.h"

namespace ringmesh {

/// The type of a signal, which decides how it is shown.
enum class SignalKind : std::uint8_t { kBit, kUnsigned, kSigned, kVector, kReal, kWord, kEvent };

struct WaveSignal {
    std::string name;  ///< hierarchical; the last component is the signal's own, those before are its scopes
    SignalKind kind = SignalKind::kBit;
    unsigned width = 1;  ///< bits
};

/// The text of a value change dump (IEEE 1364-2005, 18.2, and GTKWave's $var string). Independent of the kernel. The
/// same calls give the same bytes: the header holds no date.
///
/// Order of calls: declare(), begin(), one value per signal, end_of_initial_values(), then changes in order of time,
/// finish(). Each scope is opened once, the scopes in natural order (node2 before node10), the signals of a scope in
/// the order of their declaration.
class VcdWriter {
public:
    explicit VcdWriter(const std::filesystem::path& target) : file_(target) {}

    /// Brackets and white space, which viewers take for ranges and ends, become parentheses and underscores.
    std::uint32_t declare(WaveSignal signal);
    const std::vector<WaveSignal>& signals() const { return signals_; }
    /// The signals in the order of the file.
    std::vector<std::uint32_t> order() const;

    void begin(Duration at);
    void end_of_initial_values();
    /// Whether it has changed since its initial value.
    bool changed(std::uint32_t signal) const { return signal < changed_.size() && changed_[signal]; }

    /// The changes that follow happen at `time`. Without any, nothing is written.
    void set_time(Duration time) { time_ = time; }
    Duration last_stamp() const { return stamped_; }

    void change_number(std::uint32_t signal, std::uint64_t value);
    void change_real(std::uint32_t signal, double value);
    /// An empty word, which is hard to see, becomes "-"; white space becomes underscores.
    void change_word(std::uint32_t signal, std::string_view word);
    /// `digits` of 0, 1, x and z
    void change_bits(std::uint32_t signal, std::string_view digits);
    /// High impedance: there is no number now.
    void change_to_none(std::uint32_t signal) { change_bits(signal, "z"); }
    void trigger(std::uint32_t signal);

    void comment(std::string_view text);

    /// Writes a last time stamp at `end` if it is later than all others, and renames the file to its target.
    void finish(std::optional<Duration> end);

    const std::filesystem::path& target() const { return file_.target(); }

private:
    void write_stamp();
    void write_header();
    void append_change(std::uint32_t signal);

    AtomicFile file_;
    std::vector<WaveSignal> signals_;
    std::string line_;  ///< the change being put together; keeps its memory
    Duration time_;
    Duration stamped_ = -Duration::never();
    bool begun_ = false;
    std::vector<bool> changed_;  ///< empty until the initial values are written
};

}  // namespace ringmesh
