// SPDX-License-Identifier: Apache-2.0
#include "lab/store/memo.h"

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/platforms/configuration/temporary_folder.h"
#include "tests/support/cases.h"

namespace {

using namespace ringmesh;
using namespace ringmesh::lab;
using ringmesh::test::TemporaryFolder;

const std::string kText = "first line\nsecond\n";

/// The only file of the store's memos.
std::filesystem::path file_in(const Store& store)
{
    return std::filesystem::directory_iterator(store.folder() / "memos")->path();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(unit)
BOOST_AUTO_TEST_SUITE(memo)

BOOST_AUTO_TEST_CASE(what_was_kept_is_found_by_its_inputs_and_by_no_others)
{
    const TemporaryFolder folder;
    const Store store(folder.path() / "store");
    BOOST_TEST(!Memo(store, "inputs").find());
    Memo(store, "inputs").keep(kText);
    BOOST_TEST(Memo(store, "inputs").find().value() == kText);
    for (const char* other : {"", "input", "inputs ", "Inputs"}) BOOST_TEST(!Memo(store, other).find(), other);
}

BOOST_AUTO_TEST_CASE(another_store_has_memos_of_its_own)
{
    const TemporaryFolder folder;
    Memo(Store(folder.path() / "store"), "inputs").keep(kText);
    BOOST_TEST(!Memo(Store(folder.path() / "other"), "inputs").find());
}

BOOST_AUTO_TEST_CASE(an_empty_text_and_the_last_one_kept_are_found)
{
    const TemporaryFolder folder;
    const Store store(folder.path() / "store");
    const Memo memo(store, "inputs");
    memo.keep(kText);
    memo.keep("");
    BOOST_TEST(memo.find().value().empty());
}

BOOST_AUTO_TEST_CASE(a_damaged_file_counts_as_not_there)
{
    const TemporaryFolder folder;
    const Store store(folder.path() / "store");
    const Memo memo(store, "inputs");
    memo.keep(kText);
    const auto file = file_in(store);
    for (const std::uintmax_t size :
         {std::filesystem::file_size(file) - 1, std::uintmax_t{33}, std::uintmax_t{5}, std::uintmax_t{0}}) {
        std::filesystem::resize_file(file, size);
        BOOST_TEST(!memo.find(), size);
    }
    memo.keep(kText);
    std::fstream(file, std::ios::in | std::ios::out).seekp(-2, std::ios::end).put('x');
    BOOST_TEST(!memo.find());
    memo.keep(kText);
    BOOST_TEST(memo.find().has_value());
}

BOOST_AUTO_TEST_CASE(a_store_that_cannot_be_written_keeps_nothing)
{
    const TemporaryFolder folder;
    const Store store(folder.path() / "store");
    folder.write("store/memos", "a file where the folder should be");
    const Memo memo(store, "inputs");
    BOOST_CHECK_NO_THROW(memo.keep(kText));
    BOOST_TEST(!memo.find());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
