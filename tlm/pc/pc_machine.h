// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "tlm/machine/machine.h"
#include "tlm/pc/pc_processor.h"

namespace ringmesh {

/// PCs whose network cards map each other's memory, as libraries and programs see them, over any network.
class PcMachine : public ProcessorMachine {
public:
    static constexpr std::string_view kIs = "PCs whose cards map memory";
    PcProcessor& processor(unsigned number) override = 0;
};

}  // namespace ringmesh
