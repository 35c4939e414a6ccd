// SPDX-License-Identifier: Apache-2.0
#include "lab/catalog/lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/run/suitable_platforms.h"
#include "platforms/builder.h"
#include "platforms/files/catalog.h"
#include "tlm/error.h"
#include "tlm/parameters/parameter_list.h"
#include "workloads/workload.h"

namespace ringmesh::lab {
namespace {

void collect(std::vector<ListedKind>& kinds, const std::string& owner, const std::vector<ParameterRow>& rows)
{
    for (const ParameterRow& row : rows) {
        if (row.policy.policies.empty()) continue;
        const auto same = [&row](const ListedKind& listed) { return listed.kind.kind.name == row.policy.kind.name; };
        auto found = std::find_if(kinds.begin(), kinds.end(), same);
        if (found == kinds.end()) found = kinds.insert(kinds.end(), {row.policy, row.meaning, {}});
        found->parameters.push_back({owner, row.key, row.value, row.choices});
    }
}

/// Unique values of the parameters that may be this policy, in order of first appearance.
template <class Member>
std::string members_of(const std::vector<PolicyParameter>& parameters, const PolicyName& policy, Member member)
{
    std::vector<std::string> texts;
    for (const PolicyParameter& each : parameters) {
        if (std::find(each.choices.begin(), each.choices.end(), policy.name) == each.choices.end()) continue;
        if (std::find(texts.begin(), texts.end(), each.*member) == texts.end()) texts.push_back(each.*member);
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string overview(const std::vector<ListedKind>& kinds, Format format)
{
    TextTable table({{"policy"}, {"what it does"}, {"set by"}, {"of"}});
    for (const ListedKind& listed : kinds) {
        table.section(fmt::format("{}: {}", listed.kind.kind.name, listed.meaning));
        for (const PolicyName& policy : listed.kind.policies) {
            table.row(
                {std::string(policy.name), std::string(policy.sentence),
                 fmt::format("{} = \"{}\"", members_of(listed.parameters, policy, &PolicyParameter::key), policy.name),
                 members_of(listed.parameters, policy, &PolicyParameter::owner)});
        }
    }
    return list_text(table, format);
}

Json to_json(const ListedKind& listed)
{
    Json policies = Json::array();
    for (const PolicyName& policy : listed.kind.policies) {
        policies.push_back({{"name", policy.name},
                            {"aliases", policy.aliases},
                            {"meaning", policy.sentence},
                            {"file", policy_file(listed.kind, policy)}});
    }
    Json parameters = Json::array();
    for (const PolicyParameter& each : listed.parameters) {
        parameters.push_back({{"of", each.owner}, {"key", each.key}, {"default", each.standard}});
    }
    return {{"kind", listed.kind.kind.name},
            {"meaning", listed.meaning},
            {"policies", policies},
            {"parameters", parameters}};
}

std::string details(const ListedKind& listed, Format format)
{
    const Json json = to_json(listed);
    std::vector<EntryColumn> columns{{"policy", "name"}, {"what it does", "meaning"}, {"file", "file"}};
    const auto& policies = listed.kind.policies;
    if (std::any_of(policies.begin(), policies.end(), [](const PolicyName& each) { return !each.aliases.empty(); })) {
        columns.insert(columns.begin() + 1, {"or", "aliases"});
    }
    return headed(fmt::format("{}: {}", listed.kind.kind.name, listed.meaning),
                  entry_table(columns, json.at("policies")), format, "#") +
           '\n' +
           list_text(entry_table({{"parameter", "key"}, {"of", "of"}, {"default", "default"}}, json.at("parameters")),
                     format);
}

}  // namespace

std::vector<ListedKind> policy_kinds()
{
    std::vector<ListedKind> kinds;
    for (const auto& entry : platforms::list_platforms()) {
        const auto configuration = platforms::Configuration::load(entry.path);
        if (!configuration.based_on().empty()) continue;
        collect(kinds, entry.name, platforms::machine_kind(configuration).effective_parameters(configuration));
    }
    for (const auto& info : workloads::catalog()) collect(kinds, info.name, options_of(info));
    return kinds;
}

std::string policy_file(const PolicyKind& kind, const PolicyName& policy)
{
    const auto added = kind.policies.end() - static_cast<std::ptrdiff_t>(kind.added);
    if (std::any_of(added, kind.policies.end(), [&](const PolicyName& each) { return each.name == policy.name; })) {
        return "added by this program";
    }
    std::string file = fmt::format("{}/{}.h", kind.kind.folder, policy.file.empty() ? policy.name : policy.file);
    std::replace(file.begin() + static_cast<std::ptrdiff_t>(kind.kind.folder.size()), file.end(), '-', '_');
    return file;
}

std::string list_policies(const std::string& name, Format format)
{
    std::vector<ListedKind> kinds = policy_kinds();
    if (!name.empty()) {
        std::vector<std::string> known;
        for (const ListedKind& listed : kinds) known.emplace_back(listed.kind.kind.name);
        std::erase_if(kinds, [&name](const ListedKind& listed) { return listed.kind.kind.name != name; });
        if (kinds.empty()) {
            throw UserError(fmt::format("unknown kind of policy '{}'{}", name, suggestion(name, known)));
        }
    }
    if (format == Format::kJson) {
        Json json = Json::array();
        for (const ListedKind& listed : kinds) json.push_back(to_json(listed));
        return json_text({{"ringmesh", program_json()}, {"policies", json}});
    }
    return name.empty() ? overview(kinds, format) : details(kinds.front(), format);
}

}  // namespace ringmesh::lab
