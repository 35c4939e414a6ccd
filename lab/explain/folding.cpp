// SPDX-License-Identifier: Apache-2.0
#include "lab/explain/folding.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ringmesh::lab {
namespace {

/// A working part with the waiting before it.
struct Item {
    const Step* step = nullptr;
    std::vector<const PathPart*> waits;
    const PathPart* work = nullptr;  // null at the end of a path that ends with waiting
    std::size_t kind = 0;            // equal for parts that do the same at the same place
};

std::vector<Item> items_of(std::span<const Step> steps)
{
    std::map<std::tuple<std::string_view, std::string_view, std::string_view>, std::size_t> kinds;
    std::vector<Item> items(1);
    for (const Step& step : steps) {
        for (const PathPart& part : step.parts) {
            Item& item = items.back();
            item.step = &step;
            if (part.waiting) {
                item.waits.push_back(&part);
                continue;
            }
            item.work = &part;
            item.kind = kinds.try_emplace({step.group, part.where, part.what}, kinds.size() + 1).first->second;
            items.emplace_back();
        }
    }
    if (items.back().step == nullptr) items.pop_back();
    return items;
}

/// Of the items from here on: the length of the shortest sequence that follows itself, and how often it comes.
struct Loop {
    std::size_t length = 1;
    std::size_t times = 1;
};

Loop loop_at(std::span<const Item> items)
{
    const auto same = [&items](std::size_t a, std::size_t b, std::size_t length) {
        for (std::size_t i = 0; i < length; ++i) {
            if (items[a + i].kind != items[b + i].kind || items[b + i].work == nullptr) return false;
        }
        return true;
    };
    for (std::size_t length = 1; length <= kLongestLoop && 2 * length <= items.size(); ++length) {
        std::size_t times = 1;
        while ((times + 1) * length <= items.size() && same(0, times * length, length)) ++times;
        if (times > 1) return {length, times};
    }
    return {};
}

std::string words_of(const PathPart& wait)
{
    if (wait.what == kWaits) return wait.what;
    return wait.behind == 0 ? fmt::format("waits: {}", wait.what)
                            : fmt::format("waits: {}, packet {}", wait.what, wait.behind);
}

FoldedPart row_of(const Item& item, const PathPart& part, std::string what)
{
    FoldedPart row{.group = item.step->group,
                   .where = part.where,
                   .what = std::move(what),
                   .from = part.from,
                   .to = part.to,
                   .working = {},
                   .waiting = {},
                   .only_waits = part.waiting};
    (part.waiting ? row.waiting : row.working) = part.span();
    return row;
}

}  // namespace

std::vector<FoldedPart> fold(std::span<const Step> steps)
{
    const std::vector<Item> items = items_of(steps);
    std::vector<FoldedPart> rows;
    for (std::size_t i = 0; i < items.size();) {
        for (const PathPart* wait : items[i].waits) rows.push_back(row_of(items[i], *wait, words_of(*wait)));
        if (items[i].work == nullptr) break;
        const Loop loop = loop_at(std::span(items).subspan(i));
        for (std::size_t part = 0; part < loop.length; ++part) {
            const Item& first = items[i + part];
            const std::string what =
                loop.times == 1 ? first.work->what : fmt::format("{} x {}", loop.times, first.work->what);
            FoldedPart row = row_of(first, *first.work, what);
            row.working = Duration::zero();
            for (std::size_t time = 0; time < loop.times; ++time) {
                const Item& item = items[i + time * loop.length + part];
                row.working += item.work->span();
                row.to = item.work->to;
                if (part == 0 && time == 0) continue;
                for (const PathPart* wait : item.waits) row.waiting += wait->span();
            }
            rows.push_back(std::move(row));
        }
        i += loop.length * loop.times;
    }
    return rows;
}

}  // namespace ringmesh::lab
