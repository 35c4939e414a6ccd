// SPDX-License-Identifier: Apache-2.0
#include "traces/changes/change_log.h"

#include <utility>

namespace ringmesh {

ChangeLog::ChangeLog(Take take)
    : take_(std::move(take)),
      begin_(std::make_unique_for_overwrite<std::uint64_t[]>(kBlockWords)),
      at_(begin_.get()),
      end_(at_ + kBlockWords)
{
    number_of("idle");  // word 0
}

void ChangeLog::hand_over()
{
    const auto used = static_cast<std::size_t>(at_ - begin_.get());
    begin_ = take_(std::move(begin_), used);
    at_ = begin_.get();
    end_ = at_ + kBlockWords;
}

std::uint32_t ChangeLog::look_up(std::string_view text, Known& known)
{
    auto found = words_.find(text);
    if (found == words_.end()) {
        bytes(RecordKind::kNewWord, 0, text);
        texts_.push_back(std::make_unique<std::string>(text));
        found = words_.emplace(*texts_.back(), static_cast<std::uint32_t>(words_.size())).first;
    }
    known = {found->first, found->second};
    return known.number;
}

void ChangeLog::bytes(RecordKind kind, std::uint32_t a, std::string_view text)
{
    text = text.substr(0, kLongestText);
    const std::size_t words = (text.size() + sizeof *at_ - 1) / sizeof *at_;
    reserve(static_cast<std::ptrdiff_t>(words + 1));
    *at_++ = head(kind, a, static_cast<std::uint32_t>(text.size()));
    if (words == 0) return;
    at_[words - 1] = 0;
    std::memcpy(at_, text.data(), text.size());
    at_ += words;
}

}  // namespace ringmesh
