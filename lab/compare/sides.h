// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/compare/comparison.h"
#include "lab/store/store.h"
#include "lab/study/running/execution.h"

/// The two sides of a comparison.
namespace ringmesh::lab {

struct Sides {
    std::vector<ComparedPlace> places;
    std::vector<std::string> notes;  ///< points that only one side has
};

/// The finished point whose key begins so. @throws UserError that begins with `who` if there is none, or several
Point point_with(const Store& store, const std::string& key, std::string_view who);

/// The points of two stores that are alike but for model and seed.
Sides sides_of_stores(const Store& a, const Store& b);

/// The points of two variants with the same axes. @throws UserError for an unknown variant
Sides sides_of_variants(const AskedPoints& asked, const Store& store, const std::string& a, const std::string& b);

/// The points of a study, and those of the other store that are alike but for the model.
Sides sides_of_study(const AskedPoints& asked, const Store& store, const Store& other);

/// The points of a study, and those of the same store that are alike but for the model, which begins so.
/// @throws UserError with the known ones if there is no such model
Sides sides_of_models(const AskedPoints& asked, const Store& store, const std::string& model);

}  // namespace ringmesh::lab
