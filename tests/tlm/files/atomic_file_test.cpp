// SPDX-License-Identifier: Apache-2.0
#include "tlm/files/atomic_file.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"
#include "tlm/error.h"

using namespace ringmesh;
using ringmesh::test::TemporaryFolder;

namespace {

std::string text_of(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t files_in(const std::filesystem::path& folder)
{
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

template <class Function>
std::string problem_of(Function function)
{
    try {
        function();
    } catch (const UserError& error) {
        return error.what();
    }
    return "none";
}

/// No file of this process may become longer, as long as this lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        BOOST_REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
        const rlimit limit{bytes, before_.rlim_max};
        BOOST_REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(atomic_file)

BOOST_DATA_TEST_CASE(all_bytes_arrive_in_order, data::make({0, 1, 255, 256 * 1024, 256 * 1024 + 1, 700'000}), size)
{
    const TemporaryFolder folder;
    std::string expected;
    AtomicFile file("out");
    for (int n = 0; static_cast<int>(expected.size()) < size; ++n) {
        const std::string piece = std::to_string(n) + ' ';
        file.append(piece);
        expected += piece;
    }
    const std::string large(600'000, 'x');
    file.append(large);
    file.append("end");
    file.commit();
    BOOST_TEST((text_of("out") == expected + large + "end"));
}

BOOST_AUTO_TEST_CASE(the_file_appears_at_commit_and_the_old_one_stays_until_then)
{
    const TemporaryFolder folder;
    folder.write("out", "old");
    AtomicFile file("out");
    file.append(std::string(1'000'000, 'x'));
    BOOST_TEST(text_of("out") == "old");
    file.commit();
    BOOST_TEST(text_of("out").size() == 1'000'000u);
    BOOST_TEST(files_in(".") == 1u);
}

BOOST_AUTO_TEST_CASE(without_commit_nothing_is_left)
{
    const TemporaryFolder folder;
    {
        AtomicFile file("out");
        file.append(std::string(1'000'000, 'x'));
        BOOST_TEST(files_in(".") == 1u);
    }
    BOOST_TEST(files_in(".") == 0u);
}

BOOST_AUTO_TEST_CASE(a_full_device_is_named_with_the_reason)
{
    AtomicFile file("/dev/full");
    file.append("text");
    BOOST_TEST(problem_of([&] { file.commit(); }) == "cannot write '/dev/full': No space left on device");
}

BOOST_AUTO_TEST_CASE(a_write_that_fails_removes_the_temporary_file_at_once_and_leaves_the_old_one)
{
    const TemporaryFolder folder;
    folder.write("out", "old");
    const FileSizeLimit limit(100'000);
    AtomicFile file("out");
    BOOST_TEST(problem_of([&] { file.append(std::string(1'000'000, 'x')); }) == "cannot write 'out': File too large");
    BOOST_TEST(files_in(".") == 1u);
    BOOST_TEST(text_of("out") == "old");
    // It stays broken
    BOOST_TEST(problem_of([&] { file.append("x"); }) == "cannot write 'out': File too large");
    BOOST_TEST(problem_of([&] { file.commit(); }) == "cannot write 'out': File too large");
    BOOST_TEST(text_of("out") == "old");
}

BOOST_AUTO_TEST_CASE(a_failure_of_the_last_write_is_reported)
{
    const TemporaryFolder folder;
    const FileSizeLimit limit(2);
    AtomicFile file("out");
    file.append("text");
    BOOST_TEST(problem_of([&] { file.commit(); }) == "cannot write 'out': File too large");
    BOOST_TEST(files_in(".") == 0u);
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_noticed_at_once)
{
    const TemporaryFolder folder;
    BOOST_TEST(problem_of([] { AtomicFile file("none/out"); }) == "cannot write 'none/out': No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_folder_is_refused)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory("out");
    BOOST_TEST(problem_of([] { AtomicFile file("out"); }) == "cannot write 'out': Is a directory");
}

BOOST_AUTO_TEST_CASE(two_of_one_name_at_a_time_are_refused)
{
    const TemporaryFolder folder;
    AtomicFile first("out");
    BOOST_TEST(problem_of([] { AtomicFile second("out"); }) ==
               "cannot write 'out': this run is already writing a file of that name; give one of them another");
    first.append("first");
    first.commit();
    BOOST_TEST(text_of("out") == "first");
    AtomicFile third("out");
    third.commit();
    BOOST_TEST(text_of("out") == "");
}

BOOST_AUTO_TEST_CASE(a_symbolic_link_stays_one)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory("elsewhere");
    folder.write("elsewhere/real", "old");
    std::filesystem::create_symlink("elsewhere/real", "out");
    AtomicFile file("out");
    file.append("new");
    file.commit();
    BOOST_TEST(std::filesystem::is_symlink("out"));
    BOOST_TEST(text_of("elsewhere/real") == "new");
}

BOOST_AUTO_TEST_CASE(a_pipe_is_written_directly)
{
    const TemporaryFolder folder;
    BOOST_REQUIRE(::mkfifo("out", 0600) == 0);
    const pid_t reader = ::fork();
    if (reader == 0) ::_exit(text_of("out") == "text" ? 0 : 1);
    AtomicFile file("out");
    file.append("text");
    file.commit();
    int status = -1;
    ::waitpid(reader, &status, 0);
    BOOST_TEST(status == 0);
    BOOST_TEST(std::filesystem::is_fifo("out"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_process_leaves_nothing)
{
    const TemporaryFolder folder;
    folder.write("kept", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGTERM, [](int) {
            remove_partial_files_from_signal_handler();
            ::_exit(0);
        });
        AtomicFile committed("committed");
        committed.commit();
        AtomicFile kept("kept");
        AtomicFile fresh("fresh");
        fresh.append(std::string(1'000'000, 'x'));
        std::raise(SIGTERM);
        ::_exit(1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
    BOOST_TEST(files_in(".") == 2u);
    BOOST_TEST(text_of("kept") == "old");
    BOOST_TEST(std::filesystem::exists("committed"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_child_leaves_its_parents_files)
{
    const TemporaryFolder folder;
    AtomicFile file("out");
    const pid_t child = ::fork();
    if (child == 0) {
        remove_partial_files_from_signal_handler();
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    file.commit();
    BOOST_TEST(std::filesystem::exists("out"));
}

BOOST_AUTO_TEST_CASE(more_files_than_the_handler_knows_are_written_all_the_same)
{
    const TemporaryFolder folder;
    std::vector<std::unique_ptr<AtomicFile>> files;
    for (int n = 0; n < 40; ++n) files.push_back(std::make_unique<AtomicFile>("out" + std::to_string(n)));
    for (const auto& file : files) file->commit();
    BOOST_TEST(files_in(".") == 40u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
