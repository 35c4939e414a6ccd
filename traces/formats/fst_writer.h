// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm/files/atomic_file.h"
#include "traces/formats/wave_writer.h"

namespace ringmesh {

/// GTKWave's compressed waveforms (FST): the changes of each signal by themselves, packed by LZ4, in sections of some
/// megabytes; a viewer reads only the signals that it shows. Words are strings of variable length, as in our VCD.
///
/// The target cannot be a pipe: the header is written last.
class FstWriter final : public WaveWriter {
public:
    /// @param section_bytes after which a section ends: that much memory is needed. @throws UserError
    explicit FstWriter(const std::filesystem::path& target, std::size_t section_bytes = std::size_t{24} << 20)
        : file_(target, {"Ringmesh\0", 9}), section_limit_(section_bytes)
    {}

    void begin(const SignalTable& signals, Duration at) override;
    void set_time(Duration time) override { time_ = time; }
    void change_number(std::uint32_t signal, std::uint64_t value) override;
    void change_real(std::uint32_t signal, double value) override;
    void change_word(std::uint32_t signal, std::string_view word) override;
    void change_bits(std::uint32_t signal, std::string_view digits) override;
    void trigger(std::uint32_t signal) override { change_bits(signal, "1"); }
    void finish(const SignalTable& signals, std::optional<Duration> end, std::string_view stopped) override;
    const std::filesystem::path& target() const override { return file_.target(); }

private:
    /// A signal's changes in this section, and its value for the beginning of the next.
    struct Chain {
        std::string changes{};
        std::uint32_t last_time = 0;  ///< index of its last change's time
        std::uint32_t size = 0;       ///< characters of a value; 0 if they vary, 8 bytes of a real
        SignalKind kind = SignalKind::kBit;
        bool other = false;  ///< the value is not only zeros and ones: `digits`
        std::uint64_t value = 0;
        std::string digits{};
    };

    void write_header(const SignalTable& signals, Duration end, std::string_view stopped);
    void start_section();
    void write_section();
    void write_geometry();
    void write_hierarchy(const SignalTable& signals);
    void append_block(std::uint8_t type, const std::string& content);
    void append_frame(std::string& frame, const Chain& chain) const;
    /// Enters the time of a change. @return the steps since the signal's last one
    std::uint32_t steps(Chain& chain);
    void added(std::size_t bytes)
    {
        section_bytes_ += bytes;
        if (section_bytes_ >= section_limit_) section_full_ = true;
    }

    AtomicFile file_;
    std::size_t section_limit_;
    std::vector<Chain> chains_;          ///< in the order of the file
    std::vector<std::uint32_t> places_;  ///< of each signal, in chains_
    std::string frame_;                  ///< the values at the beginning of the section
    std::string times_;                  ///< differences
    std::uint32_t time_count_ = 0;
    std::size_t section_bytes_ = 0;
    std::size_t sections_ = 0;
    Duration time_, stamped_, section_begin_, begin_;
    bool section_full_ = false;
    bool begun_ = false;
};

}  // namespace ringmesh
