// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>

#include "hw/psb/psb.h"
#include "tests/hw/pci/pci_probe.h"
#include "tests/hw/psb/stream_bench.h"
#include "tests/hw/sci/blink/blink_chip.h"
#include "tests/hw/sci/packets.h"
#include "tests/support/statistics.h"

namespace ringmesh::test {

/// A PSB between a probe for its PCI bus and one for its B-Link.
struct PsbBench {
    static constexpr sci::NodeId kMe = 2;
    static constexpr sci::NodeId kThere = 7;
    static constexpr std::uint8_t kLinkPort = 3;
    static constexpr std::uint64_t kWindow = std::uint64_t{1} << 40;
    static constexpr std::uint64_t kMapped = 0x30000;  ///< where in the memory of kThere the window leads

    explicit PsbBench(const hw::Psb::Config& wanted = config())
        : params(wanted),
          pci("pci", simulation),
          blink("blink", simulation),
          psb("psb", simulation, wanted, std::make_shared<const hw::SingleLinkCard>(kMe, std::uint8_t{0}, kLinkPort))
    {
        pci.out.bind(psb.from_pci);
        psb.to_pci.bind(pci.in);
        blink.out.bind(psb.from_blink);
        psb.to_blink.bind(blink.in);
        const auto mapped = psb.translation().map(kThere, kMapped, 4096);
        BOOST_TEST_REQUIRE(mapped.has_value());
        window = kWindow + *mapped;
    }

    static hw::Psb::Config config()
    {
        hw::Psb::Config config;
        config.node = kMe;
        config.slot.window = kWindow;
        config.crossing = 187_ns;
        config.retry_gap = 60_ns;
        return config;
    }

    /// The response to the n-th request that came out, given to the PSB at this time.
    void respond_at(Duration time, std::size_t n)
    {
        sci::Packet response = blink.arrived.at(n).packet;
        response.command = sci::Command::kResponse0;
        response.target = kMe;
        blink.send_at(time, response);
    }
    /// From now on answers every request after this delay, reads with pci_memory().
    void answer_after(Duration network)
    {
        blink.on_arrival = [this, network](const BLinkChip::Arrival& arrival) {
            if (sci::wants_response(arrival.packet.command)) answer_at(arrival.end + network, arrival.packet);
        };
    }
    void answer_at(Duration time, sci::Packet request)
    {
        const bool large = request.command == sci::Command::kRead64;
        const auto bytes = pci_memory(request.offset, large ? sci::kBlockBytes : sci::kSubBlockBytes);
        std::copy(bytes.begin(), bytes.end(), request.data.begin());
        request.command = sci::is_write(request.command) ? sci::Command::kResponse0
                          : large                        ? sci::Command::kResponse64
                                                         : sci::Command::kResponse16;
        request.target = kMe;
        blink.send_at(time, request);
    }
    double statistic(const std::string& name) const { return statistic_of(psb, name); }
    void run() { simulation.run(); }

    hw::Psb::Config params;
    Simulation simulation{1};
    PciProbe pci;
    BLinkChip blink;
    hw::Psb psb;
    std::uint64_t window = 0;  ///< PCI address that leads to kMapped
};

}  // namespace ringmesh::test
