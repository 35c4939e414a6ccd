// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "tlm/files/atomic_file.h"
#include "traces/formats/wave_writer.h"

namespace ringmesh {

/// The text of a value change dump (IEEE 1364-2005, 18.2, and GTKWave's $var string). The header holds no date.
class VcdWriter final : public WaveWriter {
public:
    /// @throws UserError
    explicit VcdWriter(const std::filesystem::path& target) : file_(target, "$version\n    Ringmesh\n$end\n") {}

    void begin(const SignalTable& signals, Duration at) override;
    void end_of_initial_values() override;
    void set_time(Duration time) override { time_ = time; }
    void change_number(std::uint32_t signal, std::uint64_t value) override;
    void change_real(std::uint32_t signal, double value) override;
    void change_word(std::uint32_t signal, std::string_view word) override;
    void change_bits(std::uint32_t signal, std::string_view digits) override;
    void trigger(std::uint32_t signal) override;
    void comment(std::string_view text) override;
    void finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped) override;
    const std::filesystem::path& target() const override { return file_.target(); }

private:
    /// What follows the value in a line: the identifier code and the end of the line.
    struct Ending {
        std::array<char, 11> text{};
        std::uint8_t size = 0;
        SignalKind kind = SignalKind::kBit;
        std::uint8_t width = 1;  ///< of a number
    };

    void write_header(const SignalTable& signals);
    void write_stamp();
    void append_change(char first, std::string_view value, bool space, std::uint32_t signal);

    AtomicFile file_;
    std::vector<Ending> endings_;  ///< of each signal
    Duration time_;
    Duration stamped_ = -Duration::never();
    bool begun_ = false;
};

}  // namespace ringmesh
