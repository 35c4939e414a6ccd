// SPDX-License-Identifier: Apache-2.0
#include "lab/validation/validation.h"

namespace ringmesh::lab {

const std::vector<Validation>& validations()
{
    static const std::vector<Validation> all{wulfkit_validation(), deck_validation()};
    return all;
}

}  // namespace ringmesh::lab
