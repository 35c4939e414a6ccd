// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/guest.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <streambuf>
#include <utility>

#include "tlm/error.h"
#include "tlm/machine/processor.h"
#include "workloads/foreign/calls/table.h"
#include "workloads/foreign/fortran/fortran.h"

namespace ringmesh::workloads {
namespace {

Guest* running = nullptr;  // on its fiber

constexpr double kEndOfTime = 9e18;  // ps, of 64 bits

/// std::cin, std::cout and std::cerr of all programs and the simulator: whatever stdin, stdout and stderr are at the
/// moment.
class StreamOfTheMoment final : public std::streambuf {
public:
    explicit StreamOfTheMoment(bool is_error) : is_error_(is_error) {}

protected:
    int_type overflow(int_type c) override
    {
        if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
        return std::fputc(traits_type::to_char_type(c), file()) == EOF ? traits_type::eof() : c;
    }
    std::streamsize xsputn(const char* bytes, std::streamsize size) override
    {
        return static_cast<std::streamsize>(std::fwrite(bytes, 1, static_cast<std::size_t>(size), file()));
    }
    int sync() override { return std::fflush(file()); }

private:
    std::FILE* file() const { return is_error_ ? stderr : stdout; }
    bool is_error_;
};

void redirect_streams()
{
    static StreamOfTheMoment out(false);
    static StreamOfTheMoment error(true);
    std::cout.rdbuf(&out);
    std::cerr.rdbuf(&error);
    std::clog.rdbuf(&error);
}

std::FILE* nothing_to_read()
{
    static std::FILE* const empty = std::fopen("/dev/null", "re");
    return empty;
}

Task<> passing_time(Processor& processor, Duration time) { co_await processor.compute(time); }

void write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // its reader has gone
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

void Guest::Shared::take()
{
    in = stdin;
    out = stdout;
    error = stderr;
    error_number = errno;
    option_index = optind;
    flags = {std::cout.flags(), std::cerr.flags()};
    precision = {std::cout.precision(), std::cerr.precision()};
}

void Guest::Shared::put() const
{
    stdin = in;
    stdout = out;
    stderr = error;
    errno = error_number;
    optind = option_index;
    std::cout.flags(flags[0]);
    std::cerr.flags(flags[1]);
    std::cout.precision(precision[0]);
    std::cerr.precision(precision[1]);
}

Guest::Guest(const GuestOptions& options, Rank& rank, unsigned ranks)
    : options_(options), rank_(rank), ranks_(ranks), fiber_(options.stack, [this] { body(); })
{
    if (rcce_rank() == nullptr) process_.emplace(*this, rank, ranks, options.costs, options.algorithms);
    static const bool ready = (redirect_streams(), catch_crashes(), true);
    static_cast<void>(ready);
    shared_.take();
    shared_.option_index = 0;  // the C library begins anew
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        streams_[i].guest = this;
        streams_[i].file = static_cast<int>(i) + 1;
        open(streams_[i]);
    }
    shared_.out = streams_[0].opened;
    shared_.error = streams_[1].opened;
    if (rank.processor().rank() != 0) shared_.in = nothing_to_read();
}

Guest::~Guest()
{
    for (Stream& stream : streams_) {
        stream.guest = nullptr;  // its machine may be gone
        std::fclose(stream.opened);
    }
}

void Guest::open(Stream& stream)
{
    cookie_io_functions_t functions{};
    functions.write = &Guest::write;
    stream.opened = ::fopencookie(&stream, "w", functions);
    if (stream.opened == nullptr) throw UserError("no memory is left for what ranks print; take fewer ranks");
    std::setvbuf(stream.opened, nullptr, stream.file == 1 ? _IOLBF : _IONBF, BUFSIZ);
}

ssize_t Guest::write(void* to, const char* bytes, std::size_t size)
{
    Stream& stream = *static_cast<Stream*>(to);
    if (stream.guest == nullptr) return static_cast<ssize_t>(size);
    std::string_view text(bytes, size);
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        stream.line += text.substr(0, end + 1);
        text.remove_prefix(end + 1);
        stream.guest->emit(stream, stream.line);
        stream.line.clear();
    }
    stream.line += text;
    return static_cast<ssize_t>(size);
}

void Guest::emit(Stream& stream, std::string_view line)
{
    if (!options_.speaks) return;
    if (options_.prefix) {
        write_all(stream.file,
                  fmt::format("[{} {:.3f} us] {}", rank_.processor().rank(), rank_.processor().time().us(), line));
    } else {
        write_all(stream.file, line);
    }
}

void Guest::flush()
{
    for (Stream& stream : streams_) {
        std::fflush(stream.opened);
        if (!stream.line.empty()) emit(stream, std::exchange(stream.line, {}));
    }
}

void Guest::resume()
{
    Shared outer;
    outer.take();
    shared_.put();
    Guest* const before = std::exchange(running, this);
    fiber_.resume();
    running = before;
    shared_.take();
    outer.put();
}

Task<> Guest::run()
{
    for (;;) {
        resume();
        if (!wanted_) break;
        Task<> work = std::move(*wanted_);
        wanted_.reset();
        co_await std::move(work);
    }
    if (error_) std::rethrow_exception(error_);
}

Guest& Guest::current()
{
    if (running == nullptr) throw ModelError("an MPI call outside of a rank");
    return *running;
}

mpi_api::Process& Guest::process()
{
    if (rcce_) {
        fail_with(fmt::format("rank {} calls MPI and RCCE, which use the same buffers; let a program call one of them",
                              rank()));
    }
    if (!process_) process_.emplace(*this, rank_, ranks_, options_.costs, options_.algorithms);
    return *process_;
}

rcce_api::Process& Guest::rcce()
{
    if (rcce_) return *rcce_;
    if (rcce_rank() == nullptr) {
        fail_with(
            fmt::format("rank {}: {}: RCCE needs message-passing buffers and its own library; run the program on "
                        "platform scc with --library rcce or ircce",
                        rank(), call_.name));
    }
    if (process_) {
        fail_with(fmt::format("rank {} calls RCCE and MPI, which use the same buffers; let a program call one of them",
                              rank()));
    }
    return rcce_.emplace(*this, rank_, *rcce_rank(), *options_.memory);
}

void Guest::sleep(Duration time)
{
    if (process_) {
        process_->sleep(time);  // the call may be within a collective one
    } else if (time > Duration::zero()) {
        await(passing_time(rank_.processor(), time));
    }
}

Duration Guest::clock()
{
    sleep(options_.costs.clock);
    return rank_.processor().time();
}

void Guest::compute(double cycles)
{
    sleep(duration(cycles * rank_.processor().clock().period_ps()));
}

Duration Guest::duration(double picoseconds)
{
    if (picoseconds + static_cast<double>(rank_.processor().time().ps()) < kEndOfTime) {
        return Duration::picoseconds(std::llround(std::max(picoseconds, 0.0)));
    }
    fail_with(
        fmt::format("rank {} sleeps or computes for {:g} s, but simulated time ends after {:g} s; let it take less "
                    "time",
                    rank(), picoseconds / 1e12, kEndOfTime / 1e12));
}

void Guest::await(Task<> work)
{
    wanted_ = std::move(work);
    fiber_.suspend();
}

GuestCall Guest::enter(GuestCall call)
{
    if (call_.name.empty()) pass_computation(call.name);
    call.began = rank_.processor().time();
    const GuestCall before = std::exchange(call_, call);
    if (before.name.empty()) {
        const unsigned peer = call.peer >= 0 ? static_cast<unsigned>(call.peer) : rank_.processor().rank();
        rank_.program_calls(call.name, peer, call.tag == MPI_UNDEFINED ? 0 : call.tag,
                            static_cast<std::uint32_t>(call.bytes));
    }
    return before;
}

void Guest::leave(const GuestCall& before)
{
    GuestCalls& all = calls_[call_.name];
    ++all.count;
    all.bytes += call_.bytes;
    all.time += rank_.processor().time() - call_.began;
    last_ = call_.name;
    if (before.name.empty()) {
        rank_.program_returns();
        last_left_ = options_.computation->mark();
    }
    call_ = before;
}

void Guest::pass_computation(std::string_view next)
{
    if (!options_.computation->is_timed()) return;
    const Duration time =
        duration(options_.computation->between(rank(), last_.empty() ? "begin" : last_, next, last_left_));
    if (time > Duration::zero()) await(passing_time(rank_.processor(), time));
}

void Guest::fail(std::exception_ptr error)
{
    error_ = std::move(error);
    leave_fiber();
}

void Guest::leave_fiber()
{
    flush();
    fiber_.suspend();
    std::abort();  // nothing resumes it again
}

void Guest::exit(int status, bool at_once)
{
    status_ = status;
    if (!ended_ && call_.name.empty()) pass_computation("end");
    end_ = rank_.processor().time();
    if (rcce_) rcce_->end();
    if (!std::exchange(ended_, true) && !at_once) ::dlclose(library_);  // what the copy has registered runs now
    if (process_ && process_->initialized() && !process_->finalized()) {
        fail(std::make_exception_ptr(
            ProgramError(fmt::format("rank {} ended with exit status {} without MPI_Finalize; let each rank call it",
                                     rank_.processor().rank(), status),
                         status == 0 ? 1 : status)));
    }
    leave_fiber();
}

/// Each name must be new: the loader knows files by it.
std::string Guest::load()
{
    namespace files = std::filesystem;
    static unsigned copies = 0;
    copy_ = files::temp_directory_path() /
            fmt::format("ringmesh-{}-{}-{}", ::getpid(), copies++, files::path(options_.file).filename().string());
    std::error_code error;
    files::copy_file(options_.file, copy_, error);
    if (error)
        return fmt::format("{}: no copy of it for a rank: {}; set TMPDIR to a folder with room", copy_,
                           error.message());
    library_ = ::dlopen(copy_.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* const wrong = library_ == nullptr ? ::dlerror() : nullptr;
    files::remove(copy_, error);
    return wrong == nullptr ? "" : fmt::format("{}: it cannot be loaded: {}", options_.file, wrong);
}

void Guest::body()
{
    if (const std::string problem = load(); !problem.empty()) fail_with(problem);
    const auto* const program = static_cast<const ringmesh_program*>(::dlsym(library_, "ringmesh_program"));
    if (program == nullptr || program->version != RINGMESH_TABLE_VERSION) {
        fail_with(fmt::format("{}: no program of this Ringmesh; compile it by this one's ringmesh cc", options_.file));
    }
    *program->table = foreign::table();
    if (const auto* const fortran = static_cast<const ringmesh_fortran*>(::dlsym(library_, "ringmesh_fortran"))) {
        *fortran->calls = foreign::fortran_calls();
        constants_ = fortran->constants;
    }
    texts_.push_back(options_.file);
    texts_.insert(texts_.end(), options_.arguments.begin(), options_.arguments.end());
    for (std::string& text : texts_) words_.push_back(text.data());
    words_.push_back(nullptr);
    last_left_ = options_.computation->mark();
    const int status = program->main(static_cast<int>(texts_.size()), words_.data(), environ);
    exit(status, false);
}

std::string Guest::doing() const
{
    if (call_.name.empty()) return "no call";
    std::string text(call_.name);
    if (call_.peer == MPI_ANY_SOURCE) text += " from any rank";
    if (call_.peer >= 0) text += fmt::format(" with rank {}", call_.peer);
    if (call_.tag == MPI_ANY_TAG) text += ", any tag";
    if (call_.tag >= 0) text += fmt::format(", tag {}", call_.tag);
    if (call_.bytes > 0) text += fmt::format(", {} bytes", call_.bytes);
    if (call_.requests > 0) text += fmt::format(", {} requests", call_.requests);
    return text;
}

/// The stack of a signal handler that is left for good is free again: the kernel looks where the stack pointer is.
void Guest::catch_crashes()
{
    constexpr std::size_t kStack = 64 * 1024;
    static std::vector<std::byte> memory(kStack);
    const stack_t stack{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
    ::sigaltstack(&stack, nullptr);
    std::array<void*, 1> frame{};
    ::backtrace(frame.data(), 1);  // loads what it needs
    struct sigaction action {};
    action.sa_sigaction = &Guest::crashed;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

void Guest::crashed(int signal, siginfo_t* about, void*)
{
    Guest* const guest = running;
    if (guest == nullptr) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    const unsigned rank = guest->rank_.processor().rank();
    const bool is_beside = guest->process_ && guest->process_->guards(about->si_addr);
    if (signal == SIGSEGV && (is_beside || guest->fiber_.guards(about->si_addr))) {
        guest->fail_with(fmt::format("rank {} has used up its stack of {} bytes; give more by --stack, such as 64MiB",
                                     rank, guest->options_.stack));
    }
    std::string text = fmt::format("rank {} crashed: {}", rank, ::strsignal(signal));
    if (const auto owner = guest->options_.memory->buffer_of(about->si_addr); owner && signal == SIGSEGV) {
        text = fmt::format(
            "rank {} crashed: a load or store in the message-passing buffer of rank {}, which only calls "
            "such as RCCE_put, RCCE_get and RCCE_flag_read reach",
            rank, *owner);
    } else if (signal == SIGSEGV || signal == SIGBUS) {
        text += fmt::format(" at address {}", about->si_addr);
    }
    if (guest->call_.name.empty() && !guest->last_.empty()) text += fmt::format(", after {}", guest->last_);
    if (!guest->call_.name.empty()) text += fmt::format(" in {}", guest->doing());
    std::array<void*, 32> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    for (int i = 0; i < count; ++i) {
        Dl_info where{};
        void* const frame = frames.at(static_cast<std::size_t>(i));
        if (::dladdr(frame, &where) == 0 || where.dli_fname != guest->copy_) continue;
        const auto offset = static_cast<const char*>(frame) - static_cast<const char*>(where.dli_fbase);
        text += fmt::format("\n  {}+{:#x}{}{}", guest->options_.file, offset, where.dli_sname == nullptr ? "" : " ",
                            where.dli_sname == nullptr ? "" : where.dli_sname);
    }
    text += fmt::format("\n  addr2line -fe {} OFFSET tells the line of one compiled with -g", guest->options_.file);
    guest->fail_with(text);
}

}  // namespace ringmesh::workloads
