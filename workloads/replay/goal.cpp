// SPDX-License-Identifier: Apache-2.0
#include "workloads/replay/goal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "tlm/files/input_lines.h"
#include "tlm/parameters/names.h"

namespace ringmesh::workloads::goal {
namespace {

constexpr std::int64_t kMostRanks = 65'536;
constexpr std::int64_t kLargestMessage = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::int64_t kLongestCalc = 1'000'000'000'000'000;  // ns: eleven days, in ps far within 64 bits
constexpr std::int64_t kHighestTag = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kHighestStream = 255;
constexpr std::size_t kReadAhead = 8192;

/// An operation in the temporary file, before its dependencies.
struct Record {
    Operation operation;
    std::uint32_t dependencies = 0;
};

/// A message as MPI matches it.
using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // source, target, tag
struct Sums {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint32_t last_send = 0;  // line
    std::uint32_t last_receive = 0;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; }

}  // namespace

std::string text_of(const Operation& operation)
{
    if (operation.kind == Operation::Kind::kCalc) return fmt::format("calc {}", operation.amount);
    const bool sends = operation.kind == Operation::Kind::kSend;
    const auto number = [](std::uint32_t value) { return value == kAny ? std::string("-1") : std::to_string(value); };
    return fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", operation.amount, sends ? "to" : "from",
                       number(operation.peer), number(operation.tag));
}

UserError File::problem(std::uint32_t line, const std::string& what) const
{
    return UserError(fmt::format("{}:{}: {}", path_, line, what));
}

/// Reads the text line by line, rank by rank.
class Parser {
public:
    explicit Parser(File& file) : file_(file) {}
    void run();

private:
    [[noreturn]] void refuse(const std::string& what) const { throw file_.problem(line_, what); }
    void cut(std::string_view text);
    std::string_view word(std::string_view wanted);
    void expect(std::string_view wanted);
    void expect_end() const;
    std::int64_t number(std::string_view of, std::string_view text, std::int64_t most) const;
    std::int64_t number(std::string_view of, std::int64_t most) { return number(of, word(of), most); }
    bool at_end() const { return next_ == words_.size(); }

    void statement();
    void begin_rank();
    void end_rank();
    void operation(std::string_view kind, const std::string& label);
    void dependency(const std::string& label, std::string_view kind);
    std::uint32_t find(const std::string& label) const;
    std::uint32_t peer_of(std::string_view to_or_from, bool receives);
    std::vector<std::uint32_t> in_order() const;
    [[noreturn]] void refuse_cycle(const std::vector<std::uint32_t>& left) const;
    void write(const std::vector<std::uint32_t>& order);
    void require_matches() const;

    File& file_;
    std::uint32_t line_ = 0;
    bool in_comment_ = false;
    std::uint32_t comment_line_ = 0;       // where that began
    std::vector<std::string_view> words_;  // of a line
    std::size_t next_ = 0;
    bool has_ranks_ = false;
    std::optional<unsigned> rank_;
    std::vector<Indexed> operations_;  // of the rank
    std::unordered_map<std::string, std::uint32_t> labels_;
    std::uint64_t streams_[4] = {};
    bool depends_on_later_ = false;
    std::map<Key, Sums> sums_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> to_;  // sends to each rank, and its receives
    std::vector<std::uint32_t> any_;                           // line of a receive with a wild card, of each rank
};

void Parser::run()
{
    InputLines lines(file_.path_);
    while (lines.next()) {
        line_ = lines.number();
        cut(lines.text());
        next_ = 0;
        while (!at_end()) statement();
    }
    line_ = std::max<std::uint32_t>(line_, 1);
    if (in_comment_) {
        line_ = comment_line_;
        refuse("a comment that does not end; write */ behind it");
    }
    if (rank_) refuse(fmt::format("the text ends within rank {}; end it with a line '}}'", *rank_));
    if (!has_ranks_) refuse("no ranks; begin with a line 'num_ranks N'");
    require_matches();
    if (std::fflush(file_.records_.get()) != 0) throw UserError("cannot write a temporary file: is the disk full?");
}

/// Words and marks of a line, without comments.
void Parser::cut(std::string_view text)
{
    words_.clear();
    std::size_t i = 0;
    while (i < text.size()) {
        if (in_comment_) {
            const std::size_t end = text.find("*/", i);
            if (end == std::string_view::npos) return;
            in_comment_ = false;
            i = end + 2;
        } else if (is_blank(text[i])) {
            ++i;
        } else if (text.substr(i).starts_with("//")) {
            return;
        } else if (text.substr(i).starts_with("/*")) {
            in_comment_ = true;
            comment_line_ = line_;
            i += 2;
        } else {
            std::size_t end = i;
            while (end < text.size() && is_word(text[end])) ++end;
            if (end == i) ++end;  // a mark
            words_.push_back(text.substr(i, end - i));
            i = end;
        }
    }
}

std::string_view Parser::word(std::string_view wanted)
{
    if (at_end()) refuse(fmt::format("the line ends where {} should be", wanted));
    return words_[next_++];
}

void Parser::expect(std::string_view wanted)
{
    const std::string_view found = word(fmt::format("'{}'", wanted));
    if (found != wanted) refuse(fmt::format("'{}' where '{}' should be", found, wanted));
}

void Parser::expect_end() const
{
    if (!at_end())
        refuse(fmt::format("'{}' after the end of the statement; write one statement a line", words_[next_]));
}

std::int64_t Parser::number(std::string_view of, std::string_view text, std::int64_t most) const
{
    std::int64_t value = -1;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end || value < 0 || value > most) {
        refuse(fmt::format("'{}' is not {}; write a whole number from 0 to {}", text, of, most));
    }
    return value;
}

void Parser::statement()
{
    const std::string_view first = word("a statement");
    if (first == "num_ranks") {
        if (has_ranks_) refuse("num_ranks for the second time; keep one");
        const auto count = number("a number of ranks", kMostRanks);
        if (count == 0) refuse("num_ranks 0; a program has one rank at least");
        has_ranks_ = true;
        file_.ranks_.resize(static_cast<std::size_t>(count));
        to_.resize(file_.ranks_.size());
        any_.resize(file_.ranks_.size());
        return expect_end();
    }
    if (!has_ranks_) refuse(fmt::format("'{}' before the number of ranks; begin with a line 'num_ranks N'", first));
    if (first == "rank") return begin_rank();
    if (!rank_) refuse(fmt::format("'{}' outside of a rank; write it behind a line 'rank N {{'", first));
    if (first == "}") return end_rank();
    if (first == "send" || first == "recv" || first == "calc") return operation(first, {});
    if (std::isalpha(static_cast<unsigned char>(first.front())) == 0) {
        refuse(fmt::format(
            "'{}' where a statement should be; write send, recv, calc, a label with ':', or 'a requires b'", first));
    }
    const std::string label(first);
    const std::string_view second = word("':', requires or irequires");
    if (second == ":") return operation(word("send, recv or calc"), label);
    if (second == "requires" || second == "irequires") return dependency(label, second);
    refuse(fmt::format("'{} {}': write '{}: send ...', or '{} requires LABEL'", first, second, first, first));
}

void Parser::begin_rank()
{
    if (rank_) refuse(fmt::format("rank {} has not ended; end it with a line '}}'", *rank_));
    const auto rank = number("a rank", kMostRanks);
    if (rank >= file_.ranks()) {
        refuse(
            fmt::format("rank {}: num_ranks says that there are {}, 0 to {}", rank, file_.ranks(), file_.ranks() - 1));
    }
    expect("{");
    File::Rank& entry = file_.ranks_[static_cast<std::size_t>(rank)];
    if (entry.line != 0) refuse(fmt::format("rank {} for the second time, after line {}; join them", rank, entry.line));
    entry.line = line_;
    rank_ = static_cast<unsigned>(rank);
}

void Parser::operation(std::string_view kind, const std::string& label)
{
    Indexed added;
    Operation& one = added.operation;
    one.line = line_;
    if (kind == "calc") {
        one.amount = static_cast<std::uint64_t>(number("a time in ns", kLongestCalc));
    } else if (kind == "send" || kind == "recv") {
        const bool receives = kind == "recv";
        one.kind = receives ? Operation::Kind::kReceive : Operation::Kind::kSend;
        std::string_view size = word("a size such as 8b");
        if (size.ends_with('b')) {
            size.remove_suffix(1);
        } else {
            expect("b");
        }
        one.amount = static_cast<std::uint64_t>(number("a size in bytes", size, kLargestMessage));
        one.peer = peer_of(receives ? "from" : "to", receives);
    } else {
        refuse(fmt::format("unknown operation '{}'; write send, recv or calc", kind));
    }
    while (!at_end()) {
        const std::string_view key = words_[next_];
        const bool is_message = one.kind != Operation::Kind::kCalc;
        if (key == "}") break;  // of the same line
        ++next_;
        if (key == "tag" && is_message) {
            const std::string_view tag = word("a tag");
            const bool any = tag == "-1" && one.kind == Operation::Kind::kReceive;
            one.tag = any ? kAny : static_cast<std::uint32_t>(number("a tag", tag, kHighestTag));
        } else if (key == "cpu" || (key == "nic" && is_message)) {
            const auto stream = static_cast<unsigned>(number("a stream", kHighestStream));
            if (key == "cpu") streams_[stream / 64] |= std::uint64_t{1} << (stream % 64);
        } else {
            refuse(fmt::format("'{}' in {} operation; write {}", key, is_message ? "a message's" : "a calc's",
                               is_message ? "tag, cpu or nic" : "cpu, or nothing"));
        }
    }
    const auto index = static_cast<std::uint32_t>(operations_.size());
    if (!label.empty() && !labels_.emplace(label, index).second) {
        refuse(fmt::format("label '{}' for the second time in rank {}, after line {}; take another name", label, *rank_,
                           operations_[labels_.at(label)].operation.line));
    }
    if (one.kind != Operation::Kind::kCalc) {
        if (one.amount > file_.largest_ || file_.line_of_largest_ == 0) {
            file_.largest_ = one.amount;
            file_.line_of_largest_ = line_;
        }
        if (one.kind == Operation::Kind::kSend) {
            ++file_.messages_;
            ++to_[one.peer].first;
            Sums& sums = sums_[{*rank_, one.peer, one.tag}];
            ++sums.sent;
            sums.last_send = line_;
        } else {
            ++to_[*rank_].second;
            if (one.peer == kAny && file_.line_of_any_source_ == 0) file_.line_of_any_source_ = line_;
            if (one.peer == kAny || one.tag == kAny) {
                any_[*rank_] = line_;
            } else {
                Sums& sums = sums_[{one.peer, *rank_, one.tag}];
                ++sums.received;
                sums.last_receive = line_;
            }
        }
    }
    operations_.push_back(std::move(added));
}

std::uint32_t Parser::peer_of(std::string_view to_or_from, bool receives)
{
    expect(to_or_from);
    const std::string_view text = word("a rank");
    if (receives && text == "-1") return kAny;
    const auto peer = static_cast<std::uint32_t>(number("a rank", text, kMostRanks));
    if (peer >= file_.ranks()) {
        refuse(fmt::format("rank {} does not exist: num_ranks says that there are {}, 0 to {}", peer, file_.ranks(),
                           file_.ranks() - 1));
    }
    if (peer == *rank_) {
        refuse(fmt::format("rank {} and itself: no library here carries a message to its sender; write a calc instead",
                           peer));
    }
    return peer;
}

std::uint32_t Parser::find(const std::string& label) const
{
    const auto found = labels_.find(label);
    if (found != labels_.end()) return found->second;
    std::vector<std::string> known;
    if (labels_.size() < 10'000) {
        for (const auto& [name, index] : labels_) known.push_back(name);
    }
    std::sort(known.begin(), known.end());
    if (known.size() > 8) known.resize(8);
    refuse(fmt::format("unknown label '{}' in rank {}{}; labels hold within their rank, from their line on", label,
                       *rank_, known.empty() ? "" : suggestion(label, known)));
}

void Parser::dependency(const std::string& label, std::string_view kind)
{
    const std::uint32_t dependent = find(label);
    const std::uint32_t on = find(std::string(word("a label")));
    if (on == dependent) refuse(fmt::format("'{}' waits for itself; leave the line out", label));
    depends_on_later_ = depends_on_later_ || on > dependent;
    operations_[dependent].dependencies.push_back({on, kind == "irequires"});
}

void Parser::end_rank()
{
    File::Rank& entry = file_.ranks_[*rank_];
    entry.operations = operations_.size();
    write(in_order());
    file_.operations_ += operations_.size();
    unsigned streams = 0;
    for (std::uint64_t& bits : streams_) {
        streams += static_cast<unsigned>(__builtin_popcountll(bits));
        bits = 0;
    }
    file_.streams_ = std::max(file_.streams_, streams);
    operations_.clear();
    labels_.clear();
    depends_on_later_ = false;
    rank_.reset();
}

/// Each operation behind those that it depends on, otherwise as in the file.
std::vector<std::uint32_t> Parser::in_order() const
{
    std::vector<std::uint32_t> order;
    order.reserve(operations_.size());
    if (!depends_on_later_) {
        for (std::uint32_t i = 0; i < operations_.size(); ++i) order.push_back(i);
        return order;
    }
    std::vector<std::uint32_t> waits(operations_.size());
    std::vector<std::vector<std::uint32_t>> then(operations_.size());
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
        waits[i] = static_cast<std::uint32_t>(operations_[i].dependencies.size());
        for (const Dependency& one : operations_[i].dependencies) then[one.on].push_back(i);
    }
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
        if (waits[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
        const std::uint32_t i = ready.top();
        ready.pop();
        order.push_back(i);
        for (const std::uint32_t next : then[i]) {
            if (--waits[next] == 0) ready.push(next);
        }
    }
    if (order.size() != operations_.size()) refuse_cycle(waits);
    return order;
}

void Parser::refuse_cycle(const std::vector<std::uint32_t>& left) const
{
    auto at =
        static_cast<std::uint32_t>(std::find_if(left.begin(), left.end(), [](auto n) { return n > 0; }) - left.begin());
    std::vector<std::uint32_t> way;
    while (std::find(way.begin(), way.end(), at) == way.end()) {
        way.push_back(at);
        for (const Dependency& one : operations_[at].dependencies) {
            if (left[one.on] == 0) continue;
            at = one.on;
            break;
        }
    }
    way.erase(way.begin(), std::find(way.begin(), way.end(), at));
    std::string cycle;
    for (const std::uint32_t one : way) {
        cycle += fmt::format("'{}' of line {} waits for ", text_of(operations_[one].operation),
                             operations_[one].operation.line);
    }
    const Operation& first = operations_[way.front()].operation;
    throw file_.problem(first.line, fmt::format("a cycle of dependencies in rank {}: {}line {}; take one of them out",
                                                *rank_, cycle, first.line));
}

void Parser::write(const std::vector<std::uint32_t>& order)
{
    std::FILE* const file = file_.records_.get();
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    file_.ranks_[*rank_].offset = static_cast<std::uint64_t>(::ftello(file));
    bool good = true;
    for (const std::uint32_t i : order) {
        const Record record{operations_[i].operation, static_cast<std::uint32_t>(operations_[i].dependencies.size())};
        good = good && std::fwrite(&record, sizeof record, 1, file) == 1;
        for (Dependency one : operations_[i].dependencies) {
            one.on = place[one.on];
            good = good && std::fwrite(&one, sizeof one, 1, file) == 1;
        }
    }
    if (!good) throw UserError("cannot write a temporary file: is the disk full?");
}

/// What is sent is received, and the reverse. Of a rank with wild cards only the sum can be told.
void Parser::require_matches() const
{
    for (const auto& [key, sums] : sums_) {
        const auto& [source, target, tag] = key;
        if (sums.sent == sums.received || (any_[target] != 0 && sums.sent > sums.received)) continue;
        const bool more_received = sums.received > sums.sent;
        const std::string counts =
            fmt::format("{} such {} sent{} and {} received{}", sums.sent, sums.sent == 1 ? "is" : "are",
                        sums.last_send == 0 ? "" : fmt::format(" (last in line {})", sums.last_send), sums.received,
                        sums.last_receive == 0 ? "" : fmt::format(" (last in line {})", sums.last_receive));
        throw file_.problem(
            more_received ? sums.last_receive : sums.last_send,
            more_received
                ? fmt::format("rank {} waits for rank {}, for a message of tag {} that is never sent: {}; add "
                              "the send, or take the recv out",
                              target, source, tag, counts)
                : fmt::format("rank {} sends a message of tag {} that rank {} never receives: {}; add the "
                              "recv, or take the send out",
                              source, tag, target, counts));
    }
    for (std::size_t rank = 0; rank < to_.size(); ++rank) {
        if (any_[rank] == 0 || to_[rank].first == to_[rank].second) continue;
        throw file_.problem(any_[rank], fmt::format("rank {} receives {} messages, and {} are sent to it; add what is "
                                                    "missing, or take out what is too many",
                                                    rank, to_[rank].second, to_[rank].first));
    }
}

File::File(std::string path) : path_(std::move(path)), records_(std::tmpfile(), &std::fclose)
{
    if (!records_) throw UserError("cannot open a temporary file in the system's folder for them; is it writable?");
    Parser(*this).run();
}

File::Reader::Reader(const File& file, unsigned rank)
    : file_(&file), left_(file.ranks_.at(rank).operations), offset_(file.ranks_[rank].offset)
{}

void File::Reader::read(void* into, std::size_t bytes)
{
    auto* to = static_cast<char*>(into);
    while (bytes > 0) {
        if (used_ == buffer_.size()) {
            buffer_.resize(kReadAhead);
            const ssize_t count =
                ::pread(::fileno(file_->records_.get()), buffer_.data(), kReadAhead, static_cast<off_t>(offset_));
            if (count <= 0) throw UserError("cannot read the temporary file of a GOAL text");
            buffer_.resize(static_cast<std::size_t>(count));
            offset_ += buffer_.size();
            used_ = 0;
        }
        const std::size_t part = std::min(bytes, buffer_.size() - used_);
        std::memcpy(to, buffer_.data() + used_, part);
        used_ += part;
        to += part;
        bytes -= part;
    }
}

Indexed File::Reader::next()
{
    Record record;
    read(&record, sizeof record);
    Indexed one{record.operation, std::vector<Dependency>(record.dependencies)};
    if (record.dependencies > 0) read(one.dependencies.data(), record.dependencies * sizeof(Dependency));
    if (--left_ == 0) {
        buffer_.clear();
        buffer_.shrink_to_fit();
    }
    return one;
}

}  // namespace ringmesh::workloads::goal
