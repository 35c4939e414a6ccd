// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/program_of_others.h"

#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

#include "tlm/error.h"
#include "tlm/files/input_file.h"
#include "workloads/libraries/library.h"

namespace ringmesh::workloads {
namespace {

constexpr std::string_view kWritten = " ,=%\n";
constexpr std::size_t kNumbersOfLine = 4;

/// "1,000 cells" without the comma of the thousand. A line without spaces is a list: "64,128" has two numbers.
std::string without_groups(const std::string& line)
{
    static const std::regex form(R"([([{<]*[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?[)\]}>,;:%]*)");
    if (line.find(',') == std::string::npos) return line;
    std::istringstream words(line);
    std::string all;
    bool is_list = true;
    for (std::string word; words >> word;) {
        is_list = is_list && all.empty() && (words >> std::ws).eof();
        if (!is_list && std::regex_match(word, form)) std::erase(word, ',');
        all += word + ' ';
    }
    return all;
}

/// The number that is all of `word` but for what encloses it: "(12.5," is 12.5, Fortran's "0.1D+02" is 10, "0x10" 16.
/// @return monostate: it is none
Cell number_in(std::string_view word)
{
    constexpr std::string_view kBefore = "([{<";
    constexpr std::string_view kBehind = ")]}>,;:%";
    while (!word.empty() && kBefore.find(word.front()) != std::string_view::npos) word.remove_prefix(1);
    while (!word.empty() && kBehind.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
    if (word.size() > 1 && word.front() == '+' && word[1] != '-') word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(word.data(), end, whole); read.ec == std::errc() && read.ptr == end) {
        return whole;
    }
    if (word.starts_with("0x") || word.starts_with("0X")) {
        const auto read = std::from_chars(word.data() + 2, end, whole, 16);
        if (read.ec == std::errc() && read.ptr == end) return whole;
    }
    std::string text(word);
    std::ranges::replace_if(
        text, [](char c) { return c == 'D' || c == 'd'; }, 'e');
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && std::isfinite(number)) return number;
    return std::monostate();
}

/// Of the words and numbers of a line that has a number: the words, then the first numbers. Empty: it has none.
std::vector<Cell> row_of(const std::string& line)
{
    std::string spaced = without_groups(line);
    constexpr std::string_view kBetween = "=,;";
    for (std::size_t i = 0; i < spaced.size();) {
        char& c = spaced[i];
        const std::size_t size = utf8_size(std::string_view(spaced).substr(i));
        if (kBetween.find(c) != std::string_view::npos || std::isspace(static_cast<unsigned char>(c)) != 0) c = ' ';
        if (size == 0 || std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';  // results are text
        i += std::max<std::size_t>(size, 1);
    }
    std::istringstream all(spaced);
    std::string words;
    std::vector<Cell> row(1);
    for (std::string word; all >> word;) {
        const Cell number = number_in(word);
        if (!std::holds_alternative<std::monostate>(number)) {
            if (row.size() <= kNumbersOfLine) row.push_back(number);
        } else {
            words += (words.empty() ? "" : " ") + word;
        }
    }
    if (row.size() == 1) return {};
    row.front() = words;
    row.resize(1 + kNumbersOfLine, std::monostate());
    return row;
}

/// As the loader finds it out.
bool needs_executable_stack(std::string_view content)
{
    ElfW(Ehdr) head{};
    if (content.size() < sizeof head) return false;
    std::memcpy(&head, content.data(), sizeof head);
    for (unsigned i = 0; i < head.e_phnum; ++i) {
        ElfW(Phdr) part{};
        const std::size_t begin = head.e_phoff + i * sizeof part;
        if (begin > content.size() || content.size() - begin < sizeof part) return false;
        std::memcpy(&part, content.data() + begin, sizeof part);
        if (part.p_type == PT_GNU_STACK) return (part.p_flags & PF_X) != 0;
    }
    return false;
}

}  // namespace

std::string arguments_text(const std::vector<std::string>& arguments)
{
    std::string text;
    for (const std::string& argument : arguments) {
        if (!text.empty()) text += ' ';
        if (argument.empty()) text += "%00";  // nothing
        for (const char c : argument) {
            if (kWritten.find(c) == std::string_view::npos) {
                text += c;
            } else {
                text += fmt::format("%{:02x}", static_cast<unsigned char>(c));
            }
        }
    }
    return text;
}

std::vector<std::string> arguments_of(const std::string& text)
{
    std::vector<std::string> all;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        std::string argument;
        for (std::size_t i = 0; i < word.size(); ++i) {
            if (word[i] != '%') {
                argument += word[i];
                continue;
            }
            unsigned code = 0;
            const char* const end = word.data() + std::min(i + 3, word.size());
            const auto read = std::from_chars(word.data() + i + 1, end, code, 16);
            if (read.ptr != word.data() + i + 3) {
                throw UserError(
                    fmt::format("arguments = {}: '{}': no %20, %2c, %3d, %25 or %00; write %25 for a %", text, word));
            }
            if (code != 0) argument += static_cast<char>(code);
            i += 2;
        }
        all.push_back(argument);
    }
    return all;
}

void ProgramOfOthers::visit_options(ParameterVisitor& visitor)
{
    visitor.text({"file", "program that ringmesh cc, c++ or fc has made", assumed()}, file_);
    visitor.text({"arguments", "its arguments; in one of them %20 is a space, %2c a comma, %3d an equals sign, %25 a %",
                  assumed()},
                 arguments_);
    visitor.field({"stack", "stack of each rank; what is never touched takes no memory", assumed()}, stack_,
                  {Bytes(64 * 1024), Bytes(1024 * 1024 * 1024)});
    visitor.field({"prefix", "rank and simulated time stand before each line that the program prints", assumed()},
                  prefix_);
    visitor.field({"test_call", "time of a call that only looks: MPI_Test, MPI_Iprobe and their like", assumed()},
                  test_, {Duration::picoseconds(1000), Duration::picoseconds(1'000'000'000)});
    visitor.field({"clock_call", "time of reading a clock", assumed()}, clock_,
                  {Duration::picoseconds(1000), Duration::picoseconds(1'000'000'000)});
    visitor.field({"card_get",
                   "largest MPI_Get that reads memory which MPI gave out through the card, word by word; of a longer "
                   "one, and where cards map no memory, the target sends the bytes",
                   assumed()},
                  card_get_, {Bytes(0), Bytes(1024 * 1024)});
    visitor.field({"unexpected",
                   "about the bytes that a rank takes of a sender before a receive waits for them; then the sender "
                   "keeps those of "
                   "further messages",
                   assumed()},
                  unexpected_, {Bytes(4096), Bytes(1024 * 1024 * 1024)});
    visitor.choice({"rows",
                    "rows of the results: calls, by name, or the numbers in the lines that the program prints to "
                    "standard output",
                    assumed()},
                   rows_, NameTable<Rows, 2>{{{{"calls", Rows::kCalls}, {"numbers", Rows::kNumbers}}}});
    visitor.field({"flops_per_cycle",
                   "floating point operations that a processor does in a cycle, for ringmesh_compute_flops", assumed()},
                  options_.flops_per_cycle, {1e-3, 1e3});
    options_.algorithms.visit(visitor);
    computation_->visit(visitor);
}

void ProgramOfOthers::prepare()
{
    if (file_.empty()) throw UserError("file = : no program; write program:file=FILE, or --program FILE");
    options_.file = file_named(folder(), "file", file_);
    if (options_.file.find('/') == std::string::npos) options_.file.insert(0, "./");
    const std::string content = read_input(options_.file, kLargestProgram);
    if (content.find("ringmesh_program") == std::string::npos) {
        throw UserError(
            fmt::format("file = {}: not made by ringmesh cc, c++ or fc; compile and link it by these", file_));
    }
    options_.arguments = arguments_of(arguments_);
    options_.stack = {static_cast<std::size_t>(stack_.count()), needs_executable_stack(content)};
    options_.prefix = prefix_;
    if (rows_ == Rows::kNumbers) options_.lines = std::make_shared<std::vector<PrintedLine>>();
    options_.costs = {.test = test_, .clock = clock_, .card_get = card_get_, .unexpected = unexpected_};
    options_.computation = computation_;
    options_.recorder = message_listener();
    if (options_.algorithms.bcast_by == mpi_api::BcastBy::kDopl) {
        try {
            options_.algorithms.grid = broadcast::grid_for(machine(), ranks());
        } catch (const UserError&) {  // a square one, or the table's algorithm
        }
    }
    computation_->prepare(folder(), options_.file, arguments_, inputs(), ranks());
    options_.memory = std::make_shared<const rcce_api::CommonMemory>();
}

RankProgram::Started ProgramOfOthers::program(unsigned number)
{
    guests_.push_back(std::make_unique<Guest>(options_, rank(number), ranks()));
    return {guests_.back()->run(), name()};
}

std::vector<std::string> ProgramOfOthers::own_files() const
{
    std::vector<std::string> all = computation_->files(folder());
    all.insert(all.begin(), file_named(folder(), "file", file_));
    for (std::string& file : inputs()) all.push_back(std::move(file));
    return all;
}

std::vector<std::string> ProgramOfOthers::inputs() const
{
    std::vector<std::string> all;
    for (std::string& argument : arguments_of(arguments_)) {
        std::error_code error;
        const bool is_file = std::filesystem::is_regular_file(argument, error);
        if (is_file && ::access(argument.c_str(), R_OK) == 0) all.push_back(std::move(argument));
    }
    return all;
}

void ProgramOfOthers::check() const
{
    check_stuck();
    if (exit_status() == 0) computation_->commit();
}

int ProgramOfOthers::exit_status() const
{
    for (const auto& guest : guests_) {
        if (guest->status() != 0) return guest->status() & 0xff;
    }
    return 0;
}

void ProgramOfOthers::check_stuck() const
{
    if (!finished()) throw UserError(fmt::format("{}: its ranks wait for each other:{}", file_, doing_of_ranks()));
}

std::string ProgramOfOthers::doing_of_ranks() const
{
    std::string text;
    constexpr unsigned kMost = 32;
    std::vector<LoadedProgram::Frame> frames;
    std::vector<unsigned> ranks_of_frames;
    for (unsigned number = 0; number < ranks() && number < kMost; ++number) {
        for (const auto& frame : guests_[number]->frames()) {
            frames.push_back(frame);
            ranks_of_frames.push_back(number);
        }
    }
    std::map<unsigned, std::string> places;
    const std::vector<std::string> lines = source_lines(options_.file, frames);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].empty()) places.emplace(ranks_of_frames[i], ", " + lines[i]);  // the innermost that is known
    }
    for (unsigned number = 0; number < ranks() && number < kMost; ++number) {
        const Guest& guest = *guests_[number];
        text += fmt::format("\n  rank {}: ", number);
        if (rank(number).processor().finished()) {
            text += fmt::format("has ended with exit status {}", guest.status());
        } else {
            text += (guest.is_in_call() ? "in " + guest.doing() : "computes") + places[number];
        }
    }
    if (ranks() > kMost) text += fmt::format("\n  and {} more", ranks() - kMost);
    return text;
}

Results ProgramOfOthers::results() const { return rows_ == Rows::kCalls ? of_calls() : of_numbers(); }

Results ProgramOfOthers::of_numbers() const
{
    Results results{.columns = {{"words", ""},
                                {"first", ""},
                                {"second", ""},
                                {"third", ""},
                                {"fourth", ""},
                                {"rank", ""},
                                {"time_ns", "ns"}},
                    .rows = {},
                    .notes = {"the lines that the program printed to standard output and that have a number: their "
                              "words, their first four numbers, the rank, and when it printed the line"}};
    for (const PrintedLine& line : *options_.lines) {
        std::vector<Cell> row = row_of(line.text);
        if (row.empty()) continue;
        row.emplace_back(std::int64_t{line.rank});
        row.emplace_back(line.time.ns());
        results.rows.push_back(std::move(row));
    }
    return results;
}

Results ProgramOfOthers::of_calls() const
{
    std::map<std::string_view, GuestCalls> all;
    MessagingStatistics sum;
    mpi_api::Process::CardAccesses by_card;
    Duration last;
    Duration together;
    for (unsigned number = 0; number < ranks(); ++number) {
        for (const auto& [name, calls] : guests_[number]->calls()) {
            GuestCalls& one = all[name];
            one.count += calls.count;
            one.bytes += calls.bytes;
            one.time += calls.time;
        }
        last = std::max(last, guests_[number]->end());
        together += guests_[number]->end();
        sum += rank(number).statistics();
        by_card.puts += guests_[number]->card_accesses().puts;
        by_card.gets += guests_[number]->card_accesses().gets;
        by_card.without_copy += guests_[number]->card_accesses().without_copy;
    }
    Results results{
        .columns = {{"call", ""}, {"calls", ""}, {"bytes", "bytes"}, {"rank_time_ns", "ns"}, {"mean_ns", "ns"}},
        .rows = {},
        .notes = {}};
    results.rows.push_back({std::string("all"), std::int64_t{ranks()}, std::monostate(), last.ns(),
                            together.ns() / static_cast<double>(ranks())});
    std::vector<std::pair<std::string_view, GuestCalls>> longest_first(all.begin(), all.end());
    std::ranges::stable_sort(longest_first, std::ranges::greater(), [](const auto& each) { return each.second.time; });
    for (const auto& [name, calls] : longest_first) {
        Cell bytes = std::monostate();
        if (calls.bytes > 0) bytes = static_cast<std::int64_t>(calls.bytes);
        results.rows.push_back({std::string(name), static_cast<std::int64_t>(calls.count), bytes,
                                calls.time.ns() / static_cast<double>(ranks()),
                                calls.time.ns() / static_cast<double>(calls.count)});
    }
    results.notes.push_back(
        "all: until the last rank has ended, and the mean of all ranks; rank_time: what a rank spends in such calls, "
        "the mean of all ranks; mean: of a call; bytes: of messages that it sent, or received before it returned");
    for (std::string& note : computation_->notes()) results.notes.push_back(std::move(note));
    for (std::string& note : options_.algorithms.replaced(static_cast<int>(ranks()))) {
        results.notes.push_back(std::move(note));
    }
    if (!guests_.front()->calls_rcce()) {
        results.notes.emplace_back(used_library().adds_labels()
                                       ? "tags and communicators travel in an envelope that the model adds"
                                       : "tags and communicators travel in the envelope");
        if (!sum.sent.empty()) results.notes.push_back(describe(sum));
        if (by_card.puts + by_card.gets > 0) {
            results.notes.push_back(
                fmt::format("done by cards, without the target: {} MPI_Put, {} MPI_Get", by_card.puts, by_card.gets));
        }
        if (by_card.without_copy > 0) {
            results.notes.push_back(
                fmt::format("{} windows of a rank had no room in its node for a copy that cards "
                            "reach: their accesses are made of messages",
                            by_card.without_copy));
        }
    }
    // Others explain columns that this table has not, a clock that programs do not read, messages without labels
    if (!used_library().adds_labels()) {
        for (std::string& note : used_library().notes(sum)) results.notes.push_back(std::move(note));
    }
    return results;
}

}  // namespace ringmesh::workloads
