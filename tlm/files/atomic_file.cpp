// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

#include "tlm/error.h"
#include "tlm/files/input_file.h"

namespace ringmesh {

namespace {

/// The temporary files that a signal handler has to remove: in fixed memory, because the handler may neither allocate
/// nor lock. An entry is valid while `owner` is this process; a forked child leaves its parent's files alone.
struct PartialFile {
    std::atomic<pid_t> owner{0};
    std::array<char, PATH_MAX> path{};
};

constexpr pid_t kBeingFilled = -1;
std::array<PartialFile, 32> partial_files;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void remember(const std::string& path)
{
    if (path.size() >= PATH_MAX) return;  // open() fails with ENAMETOOLONG
    for (PartialFile& file : partial_files) {
        pid_t owner = file.owner.load();
        if (owner == ::getpid() || owner == kBeingFilled || !file.owner.compare_exchange_strong(owner, kBeingFilled)) {
            continue;
        }
        file.path[path.copy(file.path.data(), path.size())] = '\0';
        file.owner.store(::getpid());
        return;
    }
}

void forget(const std::string& path) noexcept
{
    for (PartialFile& file : partial_files) {
        if (file.owner.load() == ::getpid() && path == file.path.data()) file.owner.store(0);
    }
}

/// Of a folder that several machines share, two processes may have the same number, and in containers of one machine.
std::string own_name()
{
    std::array<char, 256> name{};
    std::string text = ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
    std::random_device chance;
    return fmt::format("{}-{}-{:08x}", text, ::getpid(), chance());
}

/// Of a temporary file.
std::string destination_of(std::string_view temporary)
{
    return std::string(temporary.substr(0, temporary.rfind(".partial-")));
}

bool is_open(const std::string& destination)
{
    for (const PartialFile& file : partial_files) {
        if (file.owner.load() == ::getpid() && destination == destination_of(file.path.data())) return true;
    }
    return false;
}

std::string cannot_write(const std::filesystem::path& target, const std::string& reason)
{
    return "cannot write '" + target.string() + "': " + reason;
}

std::string beginning_of(const std::filesystem::path& file)
{
    std::string bytes(4096, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
}

/// Outputs without a mark are tables and traces.
bool is_script_or_binary(const std::filesystem::path& file)
{
    const std::string beginning = beginning_of(file);
    return beginning.starts_with("#!") || beginning.find('\0') != std::string::npos;
}

}  // namespace

bool has_mark(const std::filesystem::path& file, std::string_view mark)
{
    return beginning_of(file).find(mark) != std::string::npos;
}

bool is_output(const std::filesystem::path& path)
{
    struct stat read {};
    if (::stat(path.c_str(), &read) != 0) return false;
    for (const PartialFile& file : partial_files) {
        if (file.owner.load() != ::getpid()) continue;
        struct stat written {};
        if (::stat(destination_of(file.path.data()).c_str(), &written) != 0) continue;
        if (read.st_dev == written.st_dev && read.st_ino == written.st_ino) return true;
    }
    return false;
}

void remove_partial_files_from_signal_handler() noexcept
{
    for (const PartialFile& file : partial_files) {
        if (file.owner.load() == ::getpid()) ::unlink(file.path.data());
    }
}

AtomicFile::AtomicFile(std::filesystem::path target, std::string_view mark)
    : target_(std::move(target)), buffer_(std::make_unique<char[]>(kBufferSize))
{
    std::error_code error;
    destination_ = std::filesystem::is_symlink(target_, error) ? std::filesystem::canonical(target_, error) : target_;
    if (error) destination_ = target_;  // a dangling link: rename() replaces it

    const auto refuse = [this](const char* why) {
        used_ = kBufferSize;
        throw UserError(cannot_write(target_, why));
    };
    if (is_input(destination_)) refuse("this run reads it, and would replace it; give the output another name");
    const auto kind = std::filesystem::status(destination_, error).type();
    const bool replaceable =
        kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
    if (replaceable && kind == std::filesystem::file_type::regular && ::access(destination_.c_str(), W_OK) != 0) {
        fail(errno);  // rename() would succeed
    }
    if (kind == std::filesystem::file_type::regular && std::filesystem::file_size(destination_, error) != 0 &&
        (mark.empty() ? is_script_or_binary(destination_) : !has_mark(destination_, mark))) {
        refuse("it is there, and Ringmesh did not write it as such a file; give another name, or remove it");
    }
    if (replaceable) {
        // One name for one file, so that is_open() knows it: x and ./x
        temporary_ = std::filesystem::weakly_canonical(std::filesystem::absolute(destination_, error), error);
        if (error || temporary_.empty()) temporary_ = destination_;
        const bool open = is_open(temporary_.string());
        temporary_ += ".partial-" + own_name();
        if (open) {
            temporary_.clear();
            refuse("this run is already writing a file of that name; give one of them another");
        }
    }
    const std::filesystem::path& opened = replaceable ? temporary_ : destination_;
    if (replaceable) remember(temporary_.string());
    // Nobody else's file, and no link that somebody has put there
    const int own = replaceable ? O_EXCL | O_NOFOLLOW : O_TRUNC;
    descriptor_ = ::open(opened.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | own, 0666);
    if (descriptor_ < 0) fail(errno);
    struct stat before {};
    const bool replaces = replaceable && ::stat(destination_.c_str(), &before) == 0;
    if (replaces && ::fchmod(descriptor_, before.st_mode & 07777) != 0) fail(errno);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::write_out(std::string_view text)
{
    if (failure_ != 0) fail(failure_);
    write_checked({buffer_.get(), used_});
    used_ = 0;
    if (text.size() > kBufferSize) {
        write_checked(text);
    } else {
        used_ = text.copy(buffer_.get(), text.size());
    }
}

void AtomicFile::write_checked(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor_, text.data(), text.size());
        if (written > 0) {
            text.remove_prefix(static_cast<std::size_t>(written));
        } else if (written == 0) {
            fail(ENOSPC);
        } else if (errno != EINTR) {
            fail(errno);
        }
    }
}

void AtomicFile::overwrite(std::size_t offset, std::string_view text)
{
    write_out({});
    while (!text.empty()) {
        const ssize_t written = ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(written == 0 ? ENOSPC : errno);
        text.remove_prefix(static_cast<std::size_t>(written));
        offset += static_cast<std::size_t>(written);
    }
}

void AtomicFile::commit()
{
    write_out({});
    // Some file systems report a failed write only here
    if (const int descriptor = std::exchange(descriptor_, -1); ::close(descriptor) != 0 && errno != EINTR) fail(errno);
    if (!temporary_.empty()) {
        if (std::rename(temporary_.c_str(), destination_.c_str()) != 0) fail(errno);
        forget(temporary_.string());
        temporary_.clear();
    }
    failure_ = EBADF;
    used_ = kBufferSize;  // so that a further append() fails
}

void AtomicFile::discard() noexcept
{
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) {
        ::unlink(temporary_.c_str());
        forget(temporary_.native());
        temporary_.clear();
    }
}

void AtomicFile::fail(int error_number)
{
    failure_ = error_number;
    used_ = kBufferSize;
    discard();
    throw UserError(cannot_write(target_, std::generic_category().message(error_number)));
}

}  // namespace ringmesh
