// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lab/process/output_file.h"
#include "lab/run/experiment.h"
#include "lab/study/description/study.h"
#include "lab/study/points/points.h"
#include "platforms/configuration.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh::lab {
namespace {

namespace files = std::filesystem;

constexpr const char* kStudyFile = "study.toml";

/// The files that a study names, to be copied into its folder. One below the current folder keeps its name; others come
/// into the folder inputs.
class InputCopies {
public:
    explicit InputCopies(files::path folder) : folder_(std::move(folder)) {}

    /// @param texts the file as named, and those that it is based on
    /// @return its name from the study's folder
    std::string add(const std::vector<files::path>& texts)
    {
        std::vector<files::path> sources;
        for (const files::path& text : texts) sources.push_back(files::absolute(text).lexically_normal());
        files::path root = files::current_path();
        const auto outside = [&root](const files::path& file) {
            return *file.lexically_relative(root).begin() == "..";
        };
        const bool is_inside = texts.front().is_relative() && std::none_of(sources.begin(), sources.end(), outside);
        if (!is_inside) root = sources.front().parent_path();
        while (std::any_of(sources.begin(), sources.end(), outside)) root = root.parent_path();
        for (int number = is_inside ? 0 : 1;; ++number) {
            const files::path prefix = number == 0 ? "" : number == 1 ? "inputs" : fmt::format("inputs/{}", number);
            std::map<files::path, files::path> added;
            for (const files::path& source : sources) added.emplace(prefix / source.lexically_relative(root), source);
            const auto is_free = [this](const auto& copy) {
                const auto other = copies_.find(copy.first);
                return copy.first != kStudyFile && (other == copies_.end() || other->second == copy.second);
            };
            if (!std::all_of(added.begin(), added.end(), is_free)) continue;
            copies_.merge(added);
            return (prefix / sources.front().lexically_relative(root)).string();
        }
    }

    /// @throws UserError if something else is there
    void write() const
    {
        for (const auto& [name, source] : copies_) {
            const files::path target = folder_ / name;
            std::error_code error;
            if (files::equivalent(source, target, error)) continue;
            const std::string text = read_input(source);
            if (is_there(target)) {
                if (read_own(target) == text) continue;
                throw UserError(fmt::format("--save {}: {} is there already, and is not {}; choose another folder",
                                            folder_.string(), target.string(), shown(source)));
            }
            files::create_directories(target.parent_path(), error);
            write_whole(target, text);
        }
    }

private:
    files::path folder_;
    std::map<files::path, files::path> copies_;  // sources by names in the folder
};

/// Names the files of a study anew, by their places in its folder.
class Renaming {
public:
    Renaming(InputCopies& copies, std::set<std::string> inputs) : copies_(copies), inputs_(std::move(inputs))
    {
        for (const auto& entry : platforms::list_platforms()) catalog_.insert(entry.path);
    }

    void platform(StudyWord& word)
    {
        if (!platforms::is_path(word.text)) return;
        auto chain = platforms::Configuration::load(word.text).files();  // bases first
        std::erase_if(chain, [&](const auto& file) { return catalog_.contains(file) && file != word.text; });
        std::reverse(chain.begin(), chain.end());
        word.text = copies_.add(chain);
    }

    void overlays(std::vector<StudyWord>& words)
    {
        for (StudyWord& word : words) {
            if (platforms::is_path(word.text)) word.text = copies_.add({word.text});
        }
    }

    void option(std::string& value)
    {
        if (!inputs_.contains(value)) return;
        seen_.insert(value);
        value = copies_.add({value});
    }

    /// Those that only an expression names.
    /// @throws UserError if one cannot keep its name
    void others(const std::string& folder)
    {
        for (const std::string& input : inputs_) {
            if (seen_.contains(input) || copies_.add({input}) == files::path(input).lexically_normal()) continue;
            throw UserError(
                fmt::format("--save {}: {}: a file outside of the current folder, named by an expression; "
                            "write its name, or go to its folder",
                            folder, input));
        }
    }

private:
    InputCopies& copies_;
    std::set<std::string> inputs_;
    std::set<std::string> seen_;
    std::set<files::path> catalog_;
};

std::set<std::string> inputs_of(const std::vector<StudyPoint>& points)
{
    std::set<std::string> inputs;
    for (const StudyPoint& point : points) {
        for (std::string& file : Experiment(point.wish.request).files()) inputs.insert(std::move(file));
    }
    return inputs;
}

}  // namespace

void save_study(Study study, const files::path& folder)
{
    const files::path path = folder / kStudyFile;
    std::error_code error;
    files::create_directories(folder, error);
    if (error) throw UserError(fmt::format("--save {}: {}; choose another folder", folder.string(), error.message()));
    if (files::exists(path, error)) {
        throw UserError(
            fmt::format("--save {}: {} is there already; choose another folder", folder.string(), path.string()));
    }
    InputCopies copies(folder);
    Renaming renaming(copies, inputs_of(points_of(study)));
    for (StudyTest& test : study.tests) {
        renaming.platform(test.platform);
        renaming.overlays(test.overlays);
        for (StudySetting& option : test.options) renaming.option(option.value);
        for (Axis& axis : test.axes) {
            for (std::string& value : axis.values) renaming.option(value);
        }
        for (Variant& variant : test.variants) {
            renaming.platform(variant.platform);
            renaming.overlays(variant.overlays);
            for (StudySetting& option : variant.options) renaming.option(option.value);
        }
    }
    renaming.others(folder.string());
    copies.write();
    write_whole(path, study_text(study));
}

}  // namespace ringmesh::lab
