// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "tlm/error.h"
#include "tlm/files/atomic_file.h"

namespace ringmesh {
namespace {

using Identity = std::pair<dev_t, ino_t>;

struct Inputs {
    std::mutex mutex;
    std::set<Identity> files;
};

Inputs& inputs()
{
    static Inputs all;
    return all;
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view reason)
{
    throw UserError(fmt::format("cannot read '{}': {}", shown(path), reason));
}

[[noreturn]] void fail(const std::filesystem::path& path, int error)
{
    fail(path, std::generic_category().message(error));
}

/// Closed at its end.
class Opened {
public:
    explicit Opened(const std::filesystem::path& path)
        // Without O_NONBLOCK a pipe that nobody writes to would be waited for
        : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
        if (descriptor_ < 0) fail(path, errno == ENXIO ? EINVAL : errno);
        struct stat status {};
        int error = ::fstat(descriptor_, &status) != 0 ? errno : 0;
        if (error == 0 && S_ISDIR(status.st_mode)) error = EISDIR;
        const bool regular = S_ISREG(status.st_mode);
        size_ = static_cast<std::uintmax_t>(status.st_size);
        identity_ = {status.st_dev, status.st_ino};
        if (error == 0 && regular) return;
        ::close(descriptor_);
        if (error != 0) fail(path, error);
        fail(path, "not a regular file; copy it into one");
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() { ::close(descriptor_); }

    int descriptor() const { return descriptor_; }
    std::uintmax_t size() const { return size_; }
    const Identity& identity() const { return identity_; }

private:
    int descriptor_;
    std::uintmax_t size_ = 0;
    Identity identity_;
};

/// Names stand in results, in lines of CSV and Markdown, and on terminals.
void require_plain_name(const std::filesystem::path& path)
{
    std::string_view name = path.native();
    while (!name.empty()) {
        const std::size_t size = utf8_size(name);
        const auto byte = static_cast<unsigned char>(name.front());
        if (size == 0 || byte < 0x20 || byte == 0x7F) {
            fail(path, "its name has a control character, or is not UTF-8; rename it");
        }
        name.remove_prefix(size);
    }
}

void note(const Opened& file, const std::filesystem::path& path)
{
    require_plain_name(path);
    if (is_output(path)) fail(path, "this run writes a file of that name, which would replace it; give that another");
    Inputs& all = inputs();
    const std::lock_guard lock(all.mutex);
    all.files.insert(file.identity());
}

}  // namespace

std::size_t utf8_size(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u) return 0;
    }
    const bool longer_than_needed = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
    const bool surrogate = first == 0xED && byte(1) > 0x9F;
    const bool too_large = first == 0xF4 && byte(1) > 0x8F;
    return longer_than_needed || surrogate || too_large ? 0 : size;
}

void require_input(const std::filesystem::path& path) { note(Opened(path), path); }

namespace {

std::string read_all(const Opened& file, const std::filesystem::path& path, std::uintmax_t most)
{
    const auto too_large = [&] {
        fail(path, fmt::format("larger than {} MiB, too large for such a file", most >> 20U));
    };
    if (file.size() > most) too_large();
    std::string text;
    constexpr std::size_t kPart = 256 * 1024;
    for (std::size_t used = 0;;) {
        // Files of /proc say that they are empty
        if (text.size() - used < kPart) text.resize(std::max<std::size_t>(file.size() + 1, used + kPart));
        const ssize_t got = ::read(file.descriptor(), text.data() + used, text.size() - used);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(path, errno);
        used += static_cast<std::size_t>(got);
        if (used > most) too_large();
        if (got == 0) {
            text.resize(used);
            return text;
        }
    }
}

}  // namespace

std::string read_input(const std::filesystem::path& path, std::uintmax_t most)
{
    const Opened file(path);
    note(file, path);
    return read_all(file, path, most);
}

std::string read_own(const std::filesystem::path& path) { return read_all(Opened(path), path, kLargestText); }

bool says_absent(int error)
{
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP || error == ENAMETOOLONG ||
           error == EINVAL;
}

bool is_there(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0) return true;
    if (!says_absent(errno)) fail(path, errno);
    return false;
}

bool leads_out(const std::filesystem::path& folder, const std::filesystem::path& path)
{
    std::error_code error;
    const auto top = std::filesystem::canonical(folder, error);
    if (error) return false;  // it is not there
    const auto end = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
    const auto [rest, ignored] = std::mismatch(top.begin(), top.end(), end.begin(), end.end());
    return !error && rest != top.end();
}

std::optional<std::filesystem::path> path_inside(const std::filesystem::path& folder, const std::string& name)
{
    const std::filesystem::path path = std::filesystem::path(name).lexically_normal();
    if (path.empty() || path.is_absolute() || *path.begin() == "..") return std::nullopt;
    std::filesystem::path inside = (folder / path).lexically_normal();
    return leads_out(folder, inside) ? std::nullopt : std::optional(std::move(inside));
}

bool is_input(const std::filesystem::path& path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    Inputs& all = inputs();
    const std::lock_guard lock(all.mutex);
    return all.files.contains({status.st_dev, status.st_ino});
}

std::string shown(const std::filesystem::path& path)
{
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    if (error || !path.is_absolute()) return path.string();
    const std::filesystem::path near = path.lexically_proximate(here);
    const bool below = !near.empty() && *near.begin() != ".." && *near.begin() != ".";
    return below ? near.string() : path.string();
}

}  // namespace ringmesh
