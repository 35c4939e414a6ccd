// SPDX-License-Identifier: Apache-2.0
#include "workloads/traffic/sources/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tlm/error.h"

namespace ringmesh::workloads {

std::vector<Share> parse_shares(std::string_view text, const ShareForm& form)
{
    const auto refuse = [&](const std::string& why) {
        throw UserError(fmt::format("{0} = {1}: {2}; write a {3} and its share, such as {0}={4}:0.2,{5}:{6}",
                                    form.option, text, why, form.of, form.least + 1, form.least + 4,
                                    form.whole ? 0.8 : 0.1));
    };
    std::vector<Share> shares;
    double sum = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        const std::string_view item = text.substr(begin, comma - begin);
        begin = comma + 1;
        Share read;
        const char* const end = item.data() + item.size();
        const auto [colon, no_value] = std::from_chars(item.data(), end, read.value);
        if (no_value != std::errc{} || colon == end || *colon != ':') refuse(fmt::format("cannot read '{}'", item));
        const auto [rest, no_share] = std::from_chars(colon + 1, end, read.share);
        if (no_share != std::errc{} || rest != end || !(read.share > 0 && read.share <= 1)) {
            refuse(fmt::format("'{}' has no share above 0, up to 1", item));
        }
        if (read.value < form.least || read.value > form.most) {
            refuse(fmt::format("{} {} is not from {} to {}", form.of, read.value, form.least, form.most));
        }
        for (const Share& other : shares) {
            if (other.value == read.value) refuse(fmt::format("names {} {} twice", form.of, read.value));
        }
        sum += read.share;
        shares.push_back(read);
    }
    if (sum > 1 + 1e-9 || (form.whole && sum < 1 - 1e-9)) {
        refuse(fmt::format("the shares add up to {:.6g}, {}", sum, form.whole ? "not to 1" : "more than 1"));
    }
    return shares;
}

std::optional<std::int64_t> drawn_share(const std::vector<Share>& shares, Random& random)
{
    double drawn = random.unit();
    for (const Share& each : shares) {
        if (drawn < each.share) return each.value;
        drawn -= each.share;
    }
    return std::nullopt;
}

}  // namespace ringmesh::workloads
