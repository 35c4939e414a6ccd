// SPDX-License-Identifier: Apache-2.0
#include "traces/formats/waveform_reader.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "tlm/error.h"

namespace ringmesh {

namespace {

std::vector<std::string_view> words_of(std::string_view line)
{
    std::vector<std::string_view> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string quoted_for_shell(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// Without leading zeros; the digits left out before x or z are like these.
std::string plain(std::string_view digits)
{
    const bool one_digit = digits.find_first_not_of(digits.front()) == std::string_view::npos;
    if (one_digit && digits.front() != '1') return std::string(digits.substr(0, 1));
    const std::size_t first = digits.find_first_not_of('0');
    return std::string(digits.substr(std::min(first, digits.size() - 1)));
}

}  // namespace

WaveformReader::WaveformReader(std::filesystem::path file) : path_(std::move(file))
{
    if (!std::filesystem::is_regular_file(path_)) refuse("no such file");
    const bool is_fst = path_.extension() == ".fst";
    if (is_fst && std::system("command -v fst2vcd > /dev/null") != 0) {
        refuse("reading it needs fst2vcd; install the package gtkwave");
    }
    std::FILE* opened = is_fst ? ::popen(("fst2vcd -f " + quoted_for_shell(path_.string())).c_str(), "r")
                               : std::fopen(path_.c_str(), "r");
    if (opened == nullptr) refuse(std::generic_category().message(errno));
    file_ = std::unique_ptr<std::FILE, Close>(opened, Close{is_fst ? &::pclose : &std::fclose});
    read_declarations();
}

void WaveformReader::refuse(const std::string& why) const
{
    throw UserError("'" + path_.string() + "'" + (line_number_ == 0 ? "" : ":" + std::to_string(line_number_)) + ": " +
                    why);
}

bool WaveformReader::read_line()
{
    line_.clear();
    for (int c = 0; (c = ::getc_unlocked(file_.get())) != EOF;) {
        if (c == '\n') {
            ++line_number_;
            return true;
        }
        line_ += static_cast<char>(c);
    }
    return !line_.empty();
}

void WaveformReader::declare(const std::vector<std::string_view>& words)
{
    if (words.size() < 6) refuse("a $var without a name");
    std::string name;
    for (const std::string& scope : scopes_) name += scope + '.';
    name += words[4];
    const auto number = static_cast<std::uint32_t>(identifiers_.size());
    names_.emplace_back(std::move(name), identifiers_.try_emplace(std::string(words[3]), number).first->second);
}

void WaveformReader::read_declarations()
{
    std::string all_of_timescale;
    bool in_timescale = false;
    while (read_line()) {
        const auto words = words_of(line_);
        if (words.empty()) continue;
        if (words[0] == "$enddefinitions") {
            if (all_of_timescale != "1ps") refuse("its time unit is not 1 ps; compare waveforms of Ringmesh");
            return;
        }
        if (words[0] == "$scope" && words.size() > 2) scopes_.emplace_back(words[2]);
        if (words[0] == "$upscope" && !scopes_.empty()) scopes_.pop_back();
        if (words[0] == "$var") declare(words);
        for (const std::string_view word : words) {
            if (word == "$timescale") {
                in_timescale = true;
            } else if (word == "$end") {
                in_timescale = false;
            } else if (in_timescale) {
                all_of_timescale += word;
            }
        }
    }
    refuse("no waveform: it has no $enddefinitions");
}

void WaveformReader::change(std::string_view line, Step& step)
{
    const char first = line.front();
    const bool long_value = first == 'b' || first == 's' || first == 'r' || first == 'B' || first == 'R';
    const std::size_t blank = line.find(' ');
    const std::size_t identifier = long_value ? blank + 1 : 1;
    if (long_value && blank == std::string_view::npos) refuse("a value without a signal: " + std::string(line));
    const auto known = identifiers_.find(std::string(line.substr(identifier)));
    if (known == identifiers_.end()) refuse("a change of an unknown signal: " + std::string(line));
    std::string value(long_value ? line.substr(1, blank - 1) : line.substr(0, 1));
    if (first == 'b' && !value.empty()) value = plain(value);
    step.changes.push_back({known->second, std::move(value)});
}

bool WaveformReader::next(Step& step)
{
    step.changes.clear();
    bool any = has_time_;
    step.time = time_;
    has_time_ = false;
    while (read_line()) {
        std::string_view line = line_;
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (line.empty() || line.front() == '$') {
            // A comment has no line of ours that looks like a change
            continue;
        }
        if (line.front() != '#') {
            change(line, step);
            any = true;
            continue;
        }
        std::int64_t ps = 0;
        const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), ps);
        if (error != std::errc{} || end != line.data() + line.size()) refuse("not a time: " + std::string(line));
        time_ = Duration::picoseconds(ps);
        if (any) {
            has_time_ = true;
            return true;
        }
        any = true;
        step.time = time_;
    }
    return any;
}

}  // namespace ringmesh
