// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/computation.h"

#include <fmt/format.h>
#include <time.h>

#include <boost/crc.hpp>
#include <fstream>
#include <limits>

#include "tlm/error.h"
#include "tlm/files/csv_lines.h"
#include "tlm/files/input_file.h"
#include "tlm/files/input_lines.h"
#include "workloads/ranks/file_named.h"

namespace ringmesh::workloads {
namespace {

constexpr NameTable<Computation::From, 4> kFromNames{{{{"none", Computation::From::kNone},
                                                       {"measured", Computation::From::kMeasured},
                                                       {"record", Computation::From::kRecord},
                                                       {"file", Computation::From::kFile}}}};
constexpr std::string_view kMark = "# times between the calls of";
constexpr std::string_view kColumns = "rank,from,to,ns";
constexpr std::int64_t kLongest = 1'000'000'000'000'000;  // ns

}  // namespace

void Computation::visit(ParameterVisitor& visitor)
{
    visitor.choice({"compute",
                    "time of what the program computes between its calls: none; measured on this computer; record: "
                    "measured, and written to compute_file; file: read from there",
                    assumed()},
                   from_, kFromNames);
    visitor.when("compute", {"measured", "record", "file"}, [&] {
        visitor.field({"compute_factor", "simulated processor time for one unit of this computer's", assumed()},
                      factor_, {1e-6, 1e6});
    });
    visitor.when("compute", {"record", "file"}, [&] {
        visitor.text({"compute_file", "CSV of the times: rank, from, to, ns", assumed()}, file_);
    });
}

std::vector<std::string> Computation::files(const std::string& folder) const
{
    if (from_ != From::kFile) return {};
    return {file_named(folder, "compute_file", file_)};
}

namespace {

std::uint32_t checksum_of(const std::vector<std::string>& files)
{
    boost::crc_32_type sum;
    std::vector<char> part(std::size_t{1} << 20U);
    for (const std::string& name : files) {
        std::ifstream file(name, std::ios::binary);
        while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0) {
            sum.process_bytes(part.data(), static_cast<std::size_t>(file.gcount()));
        }
    }
    return sum.checksum();
}

}  // namespace

void Computation::prepare(const std::string& folder, const std::string& program, const std::string& arguments,
                          const std::vector<std::string>& inputs, unsigned ranks)
{
    if (from_ != From::kRecord && from_ != From::kFile) return;
    if (file_.empty())
        throw UserError("compute_file = : names no file; write compute_file=FILE, or --compute file:FILE");
    const std::string content = read_input(program, kLargestProgram);
    boost::crc_32_type sum;
    sum.process_bytes(content.data(), content.size());
    head_ = fmt::format("{} {} ranks of a program of {} bytes, CRC-32 {:08x}, arguments '{}'", kMark, ranks,
                        content.size(), sum.checksum(), arguments);
    if (!inputs.empty()) head_ += fmt::format(", inputs with CRC-32 {:08x}", checksum_of(inputs));
    if (from_ == From::kRecord) output_ = std::make_unique<AtomicFile>(file_, kMark);
    if (from_ == From::kFile) read(file_named(folder, "compute_file", file_), head_);
}

void Computation::read(const std::string& path, const std::string& what)
{
    InputLines first(path);
    if (!first.next() || first.text() != what) {
        throw UserError(
            fmt::format("{}:1: the times of another program, other arguments or inputs, or another number of ranks; "
                        "record them again by "
                        "--compute record:{}",
                        path, file_));
    }
    CsvLines lines(path);
    if (!lines.next() || !lines.is_head({"rank", "from", "to", "ns"})) {
        throw lines.problem(
            fmt::format("no line '{}'; record the times again by --compute record:{}", kColumns, file_));
    }
    while (lines.next()) {
        if (lines.cells().size() != 4) throw lines.problem("not four cells: rank, from, to, ns");
        const auto rank = static_cast<unsigned>(lines.whole(0, "rank", 0, std::numeric_limits<std::int32_t>::max()));
        Times& times = times_[{rank, std::string(lines.cells()[1]), std::string(lines.cells()[2])}];
        const std::int64_t time = lines.whole(3, "ns", 0, kLongest);
        times.left.push_back(time);
        times.mean += (static_cast<double>(time) - times.mean) / static_cast<double>(times.left.size());
    }
}

std::int64_t Computation::mark() const
{
    if (from_ != From::kMeasured && from_ != From::kRecord) return 0;
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

double Computation::between(unsigned rank, std::string_view from, std::string_view to, std::int64_t began)
{
    double ns = 0;
    if (from_ == From::kFile) {
        const auto found = times_.find({rank, std::string(from), std::string(to)});
        if (found == times_.end()) {
            ++unknown_;
        } else if (found->second.left.empty()) {
            ++beyond_;
            ns = found->second.mean;
        } else {
            ns = static_cast<double>(found->second.left.front());
            found->second.left.pop_front();
        }
    } else if (from_ != From::kNone) {
        const std::int64_t measured = mark() - began;
        if (from_ == From::kRecord) recorded_ += fmt::format("{},{},{},{}\n", rank, from, to, measured);
        ns = static_cast<double>(measured);
    }
    return ns * factor_ * 1e3;
}

void Computation::commit()
{
    if (from_ != From::kRecord) return;
    output_->append(fmt::format("{}\n{}\n", head_, kColumns));
    output_->append(recorded_);
    output_->commit();
}

std::vector<std::string> Computation::notes() const
{
    if (from_ == From::kNone) return {"computation between calls takes no time (--compute)"};
    if (from_ != From::kFile) {
        return {
            fmt::format("computation between calls: {:g} times this computer's processor time; another run gives "
                        "other times",
                        factor_)};
    }
    std::vector<std::string> all{
        fmt::format("computation between calls: {:g} times what {} has of it", factor_, file_)};
    if (beyond_ > 0) {
        all.push_back(fmt::format("{} stretches more than it has between two calls took the mean of those", beyond_));
    }
    if (unknown_ > 0)
        all.push_back(fmt::format("{} stretches between calls that it does not have took none", unknown_));
    return all;
}

}  // namespace ringmesh::workloads
