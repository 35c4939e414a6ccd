// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tlm/units/units.h"

namespace ringmesh {

/// Reads a waveform step by step: a VCD, of Ringmesh or another program, with the time unit of 1 ps, or an FST by way
/// of GTKWave's fst2vcd. Values are as VCD has them, numbers without leading zeros.
class WaveformReader {
public:
    struct Change {
        std::uint32_t signal = 0;
        std::string value;
    };
    struct Step {
        Duration time;
        std::vector<Change> changes;
    };

    /// Reads the declarations. @throws UserError if it is no waveform
    explicit WaveformReader(std::filesystem::path file);

    /// Full names. Two that are one signal for the writer have one number.
    const std::vector<std::pair<std::string, std::uint32_t>>& names() const { return names_; }
    std::uint32_t signals() const { return static_cast<std::uint32_t>(identifiers_.size()); }

    /// The next time and what changes there. @return false at the end. @throws UserError
    bool next(Step& step);

private:
    struct Close {
        int (*close)(std::FILE*) = &std::fclose;
        void operator()(std::FILE* file) const { close(file); }
    };

    bool read_line();
    void read_declarations();
    void declare(const std::vector<std::string_view>& words);
    void change(std::string_view line, Step& step);
    [[noreturn]] void refuse(const std::string& why) const;

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Close> file_{nullptr, Close{}};
    std::string line_;
    std::uint64_t line_number_ = 0;
    std::vector<std::string> scopes_;
    std::vector<std::pair<std::string, std::uint32_t>> names_;
    std::unordered_map<std::string, std::uint32_t> identifiers_;
    Duration time_;  ///< of the line read last
    bool has_time_ = false;
};

}  // namespace ringmesh
