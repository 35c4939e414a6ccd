// SPDX-License-Identifier: Apache-2.0
#include "workloads/mpi/envelope.h"

#include <cstring>

namespace ringmesh::workloads::mpi {

static_assert(sizeof(Envelope) == Envelope::kBytes);

void write_envelope(const Envelope& envelope, std::span<std::byte> bytes)
{
    std::memcpy(bytes.data(), &envelope, Envelope::kBytes);
}

Envelope read_envelope(std::span<const std::byte> bytes)
{
    Envelope envelope;
    std::memcpy(&envelope, bytes.data(), Envelope::kBytes);
    return envelope;
}

}  // namespace ringmesh::workloads::mpi
