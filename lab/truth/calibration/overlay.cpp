// SPDX-License-Identifier: Apache-2.0
#include "lab/truth/calibration/overlay.h"

#include <fmt/format.h>

#include "lab/study/study.h"
#include "lab/table/text_table.h"

namespace ringmesh::lab {

std::string overlay_text(const Calibration& calibration, const std::string& study)
{
    std::string text = fmt::format(
        "description = {}\napplies_to = [{}]\n",
        toml_text(fmt::format("Calibrated by {} of the study {}", counted(calibration.rows.size(), "row"), study)),
        toml_text(calibration.machine));
    std::vector<std::string> ids;
    ids.reserve(calibration.rows.size());
    for (const FittedRow& row : calibration.rows) ids.push_back(toml_text(row.id));
    bool any = false;
    for (const FreeInput& input : calibration.inputs) {
        if (input.input->of != InputOf::kMachine) continue;
        any = true;
        const bool number = input.input->kind == "number" || input.input->kind == "integer";
        const auto value = [number](const std::string& each) { return number ? each : toml_text(each); };
        text += fmt::format("\n{} = {}\n", input.input->key, value(input.text));
    }
    for (const FreeInput& input : calibration.inputs) {
        if (input.input->of != InputOf::kMachine) continue;
        text += fmt::format("\n[provenance.{}]\nfrom   = \"calibrated\"\nset_by = [{}]\nlow    = {}\nhigh   = {}\n",
                            toml_text(input.input->key), fmt::join(ids, ", "), toml_text(input.input->low),
                            toml_text(input.input->high));
        text += fmt::format("note   = {}\n",
                            toml_text(fmt::format("{}; least squares over {} leave {}", input.input->reason,
                                                  counted(calibration.rows.size(), "row"),
                                                  input.determined ? input.region : std::string("all of the range"))));
    }
    return any ? text : "";
}

std::vector<std::string> option_texts(const Calibration& calibration)
{
    std::vector<std::string> texts;
    for (const FreeInput& input : calibration.inputs) {
        if (input.input->of == InputOf::kMachine) continue;
        texts.push_back(fmt::format("--{} {}:{}={}", input.input->of == InputOf::kLibrary ? "library" : "workload",
                                    input.input->owner, input.input->key, input.text));
    }
    return texts;
}

}  // namespace ringmesh::lab
