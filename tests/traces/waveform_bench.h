// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <systemc>
#include <utility>
#include <vector>

#include "tlm/statistics/activity.h"
#include "tlm/time/kernel_time.h"
#include "tlm/units/units.h"
#include "traces/formats/vcd_writer.h"

namespace ringmesh::test {

inline std::string text_of(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A waveform without its constant header: the lines after the declarations.
inline std::string changes_of(const std::filesystem::path& file)
{
    const std::string text = text_of(file);
    const std::string_view end = "$enddefinitions $end\n";
    const std::size_t at = text.find(end);
    return at == std::string::npos ? "no declarations in: " + text : text.substr(at + end.size());
}

/// For a recording into one file.
inline std::vector<std::unique_ptr<WaveWriter>> to_vcd(const std::filesystem::path& file)
{
    std::vector<std::unique_ptr<WaveWriter>> writers;
    writers.push_back(std::make_unique<VcdWriter>(file));
    return writers;
}

inline std::size_t files_in(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

/// Calls functions at given times.
class Actor : public sc_core::sc_module {
public:
    explicit Actor(const sc_core::sc_module_name& name) : sc_module(name)
    {
        SC_METHOD(act);
        sensitive << due_;
    }
    void at(Duration time, std::function<void()> deed)
    {
        deeds_.emplace(time, std::move(deed));
        due_.notify(to_kernel(deeds_.begin()->first - now()));
    }

private:
    SC_HAS_PROCESS(Actor);
    void act()
    {
        while (!deeds_.empty() && deeds_.begin()->first <= now()) {
            const auto deed = deeds_.begin()->second;
            deeds_.erase(deeds_.begin());
            deed();
        }
        if (!deeds_.empty()) due_.notify(to_kernel(deeds_.begin()->first - now()));
    }

    std::multimap<Duration, std::function<void()>> deeds_;
    sc_core::sc_event due_{"due"};
};

/// A block with traced members.
class Block final : public Actor {
public:
    using Actor::Actor;
    void trace(sc_core::sc_trace_file* file) const override
    {
        const std::string here = name();
        sc_trace(file, link, here + ".link");
        sc_trace(file, busy, here + ".busy");
        sc_trace(file, fill, here + ".fill");
        trace_word(file, phase, here + ".phase");
    }

    Activity link;
    bool busy = false;
    std::uint32_t fill = 0;
    std::string_view phase = "waiting";
};

}  // namespace ringmesh::test
