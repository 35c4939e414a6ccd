// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace ringmesh {

/// An output file that appears complete or not at all. The text goes to a temporary file beside the target,
/// FILE.partial-HOST-PID-RANDOM, and commit() renames it, with the mode of the file that it replaces; until then that
/// one is unchanged. A file that this process reads (tlm/files/input_file.h) is not replaced, nor, if a mark is given,
/// one that has content without it (has_mark()). Without commit() no file remains. Every write is checked: anything
/// that fails (a full disk above all) removes the temporary file and throws UserError "cannot write 'FILE': REASON".
///
/// A target that is no regular file (/dev/stdout, a pipe) is written directly. A symbolic link is followed.
///
/// A process over its file size limit gets SIGXFSZ and dies, unless the program ignores that signal; then it is an
/// error like the others. Likewise SIGPIPE.
class AtomicFile {
public:
    /// Opens the temporary file. @throws UserError
    explicit AtomicFile(std::filesystem::path target, std::string_view mark = {});
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;
    ~AtomicFile();

    /// @throws UserError, also whenever an earlier write has failed
    void append(std::string_view text)
    {
        if (text.size() > kBufferSize - used_) {
            write_out(text);
        } else {
            text.copy(buffer_.get() + used_, text.size());
            used_ += text.size();
        }
    }

    /// Replaces what has been appended from `offset` on, for a header that is known at the end. Not for pipes.
    /// @throws UserError
    void overwrite(std::size_t offset, std::string_view text);

    /// Writes what is buffered, closes, renames. Nothing can be appended afterwards. @throws UserError
    void commit();

    /// As it was given.
    const std::filesystem::path& target() const { return target_; }

private:
    static constexpr std::size_t kBufferSize = 256 * 1024;

    void write_out(std::string_view text);
    void write_checked(std::string_view text);
    void discard() noexcept;
    [[noreturn]] void fail(int error_number);

    std::filesystem::path target_;
    std::filesystem::path destination_;  ///< the target with symbolic links resolved
    std::filesystem::path temporary_;    ///< empty if the target is written directly
    std::unique_ptr<char[]> buffer_;
    std::size_t used_ = 0;
    int descriptor_ = -1;
    int failure_ = 0;  ///< error number of the first failure
};

/// Whether what Ringmesh writes into each file of a kind stands in the first 4 KiB of a file.
bool has_mark(const std::filesystem::path& file, std::string_view mark);

/// Whether an AtomicFile of this process will replace the file.
bool is_output(const std::filesystem::path& path);

/// Removes the temporary files of this process. For a handler of SIGINT and SIGTERM, which then ends the process:
/// async-signal-safe. Covers up to 32 open files.
void remove_partial_files_from_signal_handler() noexcept;

}  // namespace ringmesh
