// SPDX-License-Identifier: Apache-2.0
#include "tlm/simulation/log.h"

#include <fmt/format.h>
#include <fnmatch.h>
#include <spdlog/details/null_mutex.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "tlm/division/division.h"
#include "tlm/error.h"
#include "tlm/parameters/names.h"
#include "tlm/time/kernel_time.h"

namespace ringmesh {
namespace {

using LogLevel = spdlog::level::level_enum;

constexpr NameTable<LogLevel, 6> kLevels{{{{"trace", LogLevel::trace},
                                           {"debug", LogLevel::debug},
                                           {"info", LogLevel::info},
                                           {"warning", LogLevel::warn},
                                           {"error", LogLevel::err},
                                           {"off", LogLevel::off}}}};

/// Prints simulated time where other programs print the time of day.
class SimulatedTimeFlag final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg&, const std::tm&, spdlog::memory_buf_t& out) override
    {
        fmt::format_to(std::back_inserter(out), "{:11.6f} us", now().us());
    }
    std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<SimulatedTimeFlag>(); }
};

std::unique_ptr<spdlog::formatter> line_formatter()
{
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<SimulatedTimeFlag>('*').set_pattern("[%*] %-16n %^%l%$: %v");
    return formatter;
}

/// Of a process of a divided run.
class ToldLines final : public spdlog::sinks::base_sink<spdlog::details::null_mutex>, private Observations::Watcher {
public:
    explicit ToldLines(Division& division) : division_(division), watcher_(division.observations().add(*this))
    {
        set_formatter_(line_formatter());
    }

private:
    void sink_it_(const spdlog::details::log_msg& message) override
    {
        spdlog::memory_buf_t text;
        formatter_->format(message, text);
        if (division_.observations().are_open()) {
            division_.observations().tell(watcher_).put(std::string(text.data(), text.size()));
        } else if (division_.gives_results()) {
            write(std::string_view(text.data(), text.size()));
        }
    }
    void flush_() override { std::fflush(stderr); }
    void hear(Parcel& told) override { write(told.take_text()); }
    static void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

    Division& division_;
    const std::uint32_t watcher_;
};

/// The state of the log: the sink, the level rules in the order given, the loggers created so far.
struct LogBook {
    struct Rule {
        std::string pattern;
        LogLevel level;
    };
    std::shared_ptr<spdlog::sinks::sink> sink = std::make_shared<spdlog::sinks::stderr_color_sink_st>();
    std::vector<Rule> rules{{"*", LogLevel::warn}};
    LogLevel lowest = LogLevel::warn;
    std::map<std::string, spdlog::logger, std::less<>> loggers;

    LogBook() { sink->set_formatter(line_formatter()); }
    LogLevel level_of(const std::string& name) const
    {
        LogLevel level = LogLevel::warn;
        for (const Rule& rule : rules) {
            if (fnmatch(rule.pattern.c_str(), name.c_str(), 0) == 0) level = rule.level;
        }
        return level;
    }
};

LogBook& book()
{
    static LogBook the_book;
    return the_book;
}

LogLevel parse_level(std::string_view text)
{
    if (const LogLevel* level = kLevels.find(text)) return *level;
    const auto names = kLevels.names();
    throw UserError(fmt::format("--log: unknown level '{}'{}", text, suggestion(text, names)));
}

void report_through_log(const sc_core::sc_report& report, const sc_core::sc_actions& actions)
{
    const bool grave = report.get_severity() >= sc_core::SC_ERROR;
    const LogLevel level = grave                                          ? LogLevel::err
                           : report.get_severity() == sc_core::SC_WARNING ? LogLevel::warn
                                                                          : LogLevel::info;
    if (grave) {
        sc_core::sc_report_handler::default_handler(report,
                                                    actions & ~static_cast<sc_core::sc_actions>(sc_core::SC_DISPLAY));
        return;
    }
    auto& logger = logger_of("kernel");
    logger.log(level, "{}: {}", report.get_msg_type(), report.get_msg());
}

}  // namespace

void set_log_levels(std::string_view assignments)
{
    for (const LogAssignment& assignment : log_assignments(assignments)) {
        const auto level = parse_level(assignment.level);
        book().rules.push_back({std::string(assignment.pattern), level});
        book().lowest = std::min(book().lowest, level);
    }
    for (auto& [name, logger] : book().loggers) logger.set_level(book().level_of(name));
}

bool log_wanted(spdlog::level::level_enum level) { return level >= book().lowest; }

spdlog::logger& logger_of(const std::string& hierarchical_name)
{
    const auto found = book().loggers.find(hierarchical_name);
    if (found != book().loggers.end()) return found->second;
    const auto made = book().loggers.try_emplace(hierarchical_name, hierarchical_name, book().sink).first;
    made->second.set_level(book().level_of(hierarchical_name));
    return made->second;
}

void divide_log(Division& division)
{
    book().sink = std::make_shared<ToldLines>(division);
    for (auto& [name, logger] : book().loggers) logger.sinks() = {book().sink};
}

void route_kernel_reports_to_log() { sc_core::sc_report_handler::set_handler(&report_through_log); }

std::vector<LogAssignment> log_assignments(std::string_view text)
{
    std::vector<LogAssignment> all;
    while (!text.empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
        const auto equals = part.find('=');
        if (equals == std::string_view::npos) {
            all.push_back({part, "*", part});
        } else {
            all.push_back({part, part.substr(0, equals), part.substr(equals + 1)});
        }
    }
    return all;
}

}  // namespace ringmesh
