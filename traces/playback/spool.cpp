// SPDX-License-Identifier: Apache-2.0
#include "traces/playback/spool.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "tlm/error.h"
#include "traces/changes/record_reader.h"

namespace ringmesh {

Spool::Spool(std::filesystem::path beside) : beside_(std::move(beside))
{
    const std::filesystem::path folder = beside_.has_parent_path() ? beside_.parent_path() : ".";
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor_ >= 0) return;
    // A file system that has none
    std::string name = (folder / ".records-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    ::unlink(name.c_str());
}

Spool::~Spool() { ::close(descriptor_); }

void Spool::fail(int error) const
{
    throw UserError("cannot keep the run beside '" + beside_.string() +
                    "' until its window is known: " + std::generic_category().message(error));
}

void Spool::append(RecordBlock block)
{
    const auto* at = reinterpret_cast<const char*>(block.data());
    for (std::size_t left = block.size_bytes(); left > 0;) {
        const ssize_t written = ::write(descriptor_, at, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(written == 0 ? ENOSPC : errno);
        at += written;
        left -= static_cast<std::size_t>(written);
    }
    sizes_.push_back(block.size());
}

void Spool::read(const std::function<void(RecordBlock)>& reader) const
{
    std::vector<std::uint64_t> words;
    off_t from = 0;
    for (const std::size_t size : sizes_) {
        words.resize(size);
        auto* at = reinterpret_cast<char*>(words.data());
        for (std::size_t left = size * sizeof words[0]; left > 0;) {
            const ssize_t got = ::pread(descriptor_, at, left, from);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) fail(got == 0 ? EIO : errno);
            at += got;
            from += got;
            left -= static_cast<std::size_t>(got);
        }
        reader(words);
    }
}

namespace {

/// The time of the last step in a block.
struct LastStep {
    Duration time{};

    void step(Duration at) { time = at; }
    void number(std::uint32_t, std::uint64_t) {}
    void real(std::uint32_t, double) {}
    void word(std::uint32_t, std::uint32_t) {}
    void trigger(std::uint32_t) {}
    void text(std::uint32_t, std::string_view) {}
    void busy(std::uint32_t, Duration, Duration, std::uint32_t, std::uint64_t) {}
    void new_word(std::string_view) {}
    void comment(std::string_view) {}
    void stage(std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, Duration, Duration) {}
};

}  // namespace

void FlightRecorder::append(RecordBlock block)
{
    LastStep last;
    if (!kept_.empty()) last.time = kept_.back().last_step;
    read_records(block, last);
    kept_.push_back({{block.begin(), block.end()}, last.time});
    while (kept_.front().last_step < last.time - span_) {
        player_.play(kept_.front().words);
        kept_.pop_front();
    }
}

void FlightRecorder::finish(Duration end)
{
    player_.set_window({std::max(Duration::zero(), end - span_), Duration::never()});
    for (const Kept& kept : kept_) player_.play(kept.words);
    kept_.clear();
}

}  // namespace ringmesh
