// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tlm/error.h"
#include "tlm/parameters/additions.h"
#include "tlm/parameters/names.h"

/// Policies: alternative decisions of the hardware, selected by a parameter.
///
/// A policy is a header in the folder of its kind, `hw/psb/policies/stream_assignment/any_free.h`, with its name, a
/// description and static functions:
///
///     struct AnyFree {
///         static constexpr PolicyName kPolicy{"any-free", "the first buffer that is free"};
///         static std::optional<std::uint16_t> find(std::uint64_t block, std::uint64_t free, std::size_t buffers);
///     };
///
/// A kind is a struct of pointers to such functions, which the hardware calls. Its table has a row for each policy and
/// is the only list of them:
///
///     struct StreamAssignmentPolicy : PolicyName {
///         std::optional<std::uint16_t> (*find)(std::uint64_t block, std::uint64_t free, std::size_t buffers);
///
///         static constexpr PolicyKindName kKind{"stream-assignment", "hw/psb/policies/stream_assignment"};
///         static std::span<const StreamAssignmentPolicy> table();
///         template <class Policy>
///         static constexpr StreamAssignmentPolicy of() { return {Policy::kPolicy, &Policy::find}; }
///     };
///     using StreamAssignment = PolicyChoice<StreamAssignmentPolicy>;
///
/// For a user-defined policy make a row, `constexpr auto kMine = StreamAssignmentPolicy::of<Mine>()`, and assign it to
/// the parameter, or add it to the table (tlm/parameters/additions.h), so that files and options can name it.
namespace ringmesh {

struct PolicyName {
    std::string_view name;
    std::string_view sentence;      ///< what it does, without full stop
    std::string_view aliases = {};  ///< other names that are read, in one text with blanks: "bitrev bit-reverse"
    std::string_view file = {};     ///< of several in one header, its name without .h; empty: as the policy
};

struct PolicyKindName {
    std::string_view name;    ///< "stream-assignment"
    std::string_view folder;  ///< folder of its policies, from the top of the source tree
};

/// A kind with all of its policies, for lists.
struct PolicyKind {
    PolicyKindName kind;
    std::vector<PolicyName> policies;
    std::size_t added = 0;  ///< the last so many are from outside of the source tree

    std::vector<std::string> names() const
    {
        std::vector<std::string> all;
        for (const PolicyName& policy : policies) all.emplace_back(policy.name);
        return all;
    }
    /// The name of the policy that has this alias; the text itself if none has, or if it is a name.
    std::string own_name(const std::string& text) const
    {
        std::string found = text;
        for (const PolicyName& policy : policies) {
            if (policy.name == text) return text;
            if ((' ' + std::string(policy.aliases) + ' ').find(' ' + text + ' ') != std::string::npos)
                found = policy.name;
        }
        return found;
    }
};

/// The rows of a kind's table, and those that were added. @tparam Policies in the order in which they are listed
template <class Kind, class... Policies>
std::span<const Kind> policy_rows()
{
    static const std::vector<Kind> rows = Additions<Kind>::close(
        {Kind::template of<Policies>()...}, [](const Kind& row) { return row.name; },
        "a policy of the kind " + std::string(Kind::kKind.name));
    return rows;
}

template <class Kind>
PolicyKind policy_kind()
{
    const auto rows = Kind::table();
    return {Kind::kKind, {rows.begin(), rows.end()}, Additions<Kind>::count()};
}

/// The policy of a parameter: a row of its kind's table, or a user-defined one, which must outlive it.
template <class Kind>
class PolicyChoice {
public:
    /// @throws ModelError if no row of the table has this name
    PolicyChoice(const char* name) : policy_(&find(name)) {}
    PolicyChoice(const std::string& name) : policy_(&find(name)) {}
    PolicyChoice(const Kind& policy) : policy_(&policy) {}
    PolicyChoice(const Kind&&) = delete;

    const Kind& operator*() const { return *policy_; }
    const Kind* operator->() const { return policy_; }
    friend bool operator==(const PolicyChoice& a, const PolicyChoice& b) { return a.policy_ == b.policy_; }

private:
    static const Kind& find(std::string_view name)
    {
        for (const Kind& row : Kind::table()) {
            if (row.name == name) return row;
        }
        throw ModelError("no policy of the kind " + std::string(Kind::kKind.name) + " is called '" + std::string(name) +
                         "'" + suggestion(name, policy_kind<Kind>().names()));
    }

    const Kind* policy_;
};

}  // namespace ringmesh
