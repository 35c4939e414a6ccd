// SPDX-License-Identifier: Apache-2.0
#include "workloads/foreign/guest.h"

#include <execinfo.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
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

/// Stops a rank that computes. Set once there is a handler of it.
constexpr int kStop = SIGUSR2;
std::atomic<bool> can_stop{false};
std::atomic<const StopComputing*> stop_asked{nullptr};
std::atomic<bool> has_stopped{false};

constexpr std::size_t kMostLines = 16;  // of a program's source, where something went wrong

constexpr double kEndOfTime = 9e18;  // ps, of 64 bits

/// std::cin, std::cout and std::cerr of all programs and the simulator: whatever stdin, stdout and stderr are at the
/// moment.
class StreamOfTheMoment final : public std::streambuf {
public:
    explicit StreamOfTheMoment(std::FILE*& file) : file_(file) {}

protected:
    int_type underflow() override { return std::ungetc(std::getc(file_), file_); }
    int_type uflow() override { return last_ = std::getc(file_); }
    std::streamsize xsgetn(char* into, std::streamsize size) override
    {
        const std::size_t read = std::fread(into, 1, static_cast<std::size_t>(size), file_);
        last_ = read == 0 ? traits_type::eof() : traits_type::to_int_type(into[read - 1]);
        return static_cast<std::streamsize>(read);
    }
    int_type pbackfail(int_type c) override
    {
        return std::ungetc(traits_type::eq_int_type(c, traits_type::eof()) ? last_ : c, file_);
    }
    int_type overflow(int_type c) override
    {
        if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
        return std::fputc(traits_type::to_char_type(c), file_) == EOF ? traits_type::eof() : c;
    }
    std::streamsize xsputn(const char* bytes, std::streamsize size) override
    {
        return static_cast<std::streamsize>(std::fwrite(bytes, 1, static_cast<std::size_t>(size), file_));
    }
    int sync() override { return file_ == stdin ? 0 : std::fflush(file_); }

private:
    std::FILE*& file_;
    int_type last_ = traits_type::eof();  // that was read
};

void redirect_streams()
{
    static StreamOfTheMoment in(stdin);
    static StreamOfTheMoment out(stdout);
    static StreamOfTheMoment error(stderr);
    std::cin.rdbuf(&in);
    std::cout.rdbuf(&out);
    std::cerr.rdbuf(&error);
    std::clog.rdbuf(&error);
}

const std::array<std::ios*, 4>& cxx_streams()
{
    static const std::array<std::ios*, 4> all{&std::cin, &std::cout, &std::cerr, &std::clog};
    return all;
}

std::uintptr_t interrupted_at(const void* context)
{
    const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(registers.gregs[REG_RIP]);
#else
    return registers.pc;
#endif
}

Task<> passing_time(Processor& processor, Duration time) { co_await processor.compute(time); }

/// @return why it could not; 0: it could, or nobody reads any more
int write_all(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0 && errno == EPIPE) return 0;
        if (written <= 0) return written < 0 ? errno : EIO;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace

void Guest::Shared::take()
{
    in = stdin;
    out = stdout;
    error = stderr;
    error_number = errno;
    option_index = optind;
    environment = environ;
    no_memory = std::get_new_handler();
    terminate = std::get_terminate();
    for (std::size_t i = 0; i < formats.size(); ++i) {
        const std::ios& stream = *cxx_streams().at(i);
        Format& format = formats.at(i);
        format.flags = stream.flags();
        format.precision = stream.precision();
        format.state = stream.rdstate();
        format.exceptions = stream.exceptions();
        format.buffer = stream.rdbuf();
        format.tie = stream.tie();
        format.width = stream.width();
        format.fill = stream.fill();
        if (format.locale != stream.getloc()) format.locale = stream.getloc();
    }
}

void Guest::Shared::put() const
{
    stdin = in;
    stdout = out;
    stderr = error;
    errno = error_number;
    optind = option_index;
    environ = environment;
    std::set_new_handler(no_memory);
    std::set_terminate(terminate);
    for (std::size_t i = 0; i < formats.size(); ++i) {
        std::ios& stream = *cxx_streams().at(i);
        const Format& format = formats.at(i);
        stream.flags(format.flags);
        stream.precision(format.precision);
        stream.width(format.width);
        stream.fill(format.fill);
        stream.tie(format.tie);
        stream.exceptions(std::ios_base::goodbit);
        if (stream.rdbuf() != format.buffer) stream.rdbuf(format.buffer);
        if (stream.getloc() != format.locale) stream.imbue(format.locale);
        stream.clear(format.state);
        try {
            stream.exceptions(format.exceptions);
        } catch (const std::ios_base::failure&) {  // it was thrown before, when the stream came to this state
        }
    }
}

Guest::Place::Place() : mask(::umask(0))
{
    ::umask(mask);
    std::error_code error;
    folder = std::filesystem::current_path(error).string();
}

void Guest::Place::put() const
{
    ::umask(mask);
    std::error_code error;  // a folder that is gone: then there is no way back
    std::filesystem::current_path(folder, error);
}

Guest::Random::Random()
{
    char* const outer = ::initstate(1, memory.data(), memory.size());
    state = ::setstate(outer);
}

void Guest::Random::swap()
{
    state = ::setstate(state);
    const unsigned short* const before = ::seed48(drand.data());
    std::copy_n(before, drand.size(), drand.begin());
}

Guest::Guest(const GuestOptions& options, Rank& rank, unsigned ranks)
    : options_(options), rank_(rank), ranks_(ranks), fiber_(options.stack, [this] { body(); })
{
    if (rcce_rank() == nullptr)
        process_.emplace(*this, rank, ranks, options.costs, options.algorithms, options.recorder);
    static const bool ready = (LoadedProgram::tell_table(), redirect_streams(), catch_crashes(), true);
    static_cast<void>(ready);
    shared_.take();
    shared_.option_index = 0;  // the C library begins anew
    shared_.no_memory = nullptr;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        streams_[i].guest = this;
        streams_[i].file = static_cast<int>(i);
        if (i > 0 || rank.processor().rank() != 0) open(streams_[i]);  // standard input is that of rank 0
    }
    if (streams_[0].opened != nullptr) shared_.in = streams_[0].opened;
    shared_.out = streams_[1].opened;
    shared_.error = streams_[2].opened;
}

Guest::~Guest()
{
    for (Stream& stream : streams_) {
        stream.guest = nullptr;  // its machine may be gone
        if (stream.opened != nullptr) std::fclose(stream.opened);
    }
}

void Guest::open(Stream& stream)
{
    cookie_io_functions_t functions{};
    functions.read = [](void*, char*, std::size_t) -> ssize_t { return 0; };
    functions.write = &Guest::write;
    functions.close = &Guest::close;
    stream.opened = ::fopencookie(&stream, stream.file == 0 ? "r" : "w", functions);
    if (stream.opened == nullptr) throw UserError("no memory is left for what ranks print; take fewer ranks");
    std::setvbuf(stream.opened, nullptr, stream.file == 1 ? _IOLBF : _IONBF, BUFSIZ);
}

int Guest::close(void* stream)
{
    static_cast<Stream*>(stream)->opened = nullptr;
    return 0;
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
    if (options_.lines && stream.file == STDOUT_FILENO) {
        options_.lines->push_back({rank_.processor().rank(), rank_.processor().time(), std::string(line)});
    }
    if (!options_.speaks) return;
    const int file = options_.speaks_out ? stream.file : STDERR_FILENO;
    int wrong = 0;
    if (options_.prefix) {
        wrong = write_all(
            file, fmt::format("[{} {:.3f} us] {}", rank_.processor().rank(), rank_.processor().time().us(), line));
    } else {
        wrong = write_all(file, line);
    }
    if (wrong == 0 || error_) return;
    error_ = std::make_exception_ptr(UserError(
        fmt::format("rank {} cannot write what it prints: {}", rank_.processor().rank(), std::strerror(wrong))));
}

void Guest::flush()
{
    for (Stream& stream : streams_) {
        if (stream.opened != nullptr) std::fflush(stream.opened);
        if (!stream.line.empty()) emit(stream, std::exchange(stream.line, {}));
    }
}

void Guest::resume()
{
    static const Place outer_place;
    Shared outer;
    outer.take();
    shared_.put();
    random_.swap();
    if (place_) place_->put();
    Guest* const before = std::exchange(running, this);
    fiber_.resume();
    running = before;
    if (place_) outer_place.put();
    random_.swap();
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
        try {
            co_await std::move(work);
        } catch (const ProgramError&) {
            throw;
        } catch (const UserError& error) {  // of the machine, which knows no call
            keep_frames(frames());
            throw UserError(
                fmt::format("rank {} in {}: {}{}", rank_.processor().rank(), doing(), error.what(), known_lines()));
        }
    }
    if (error_ || !crash_.empty()) throw_error();
}

void Guest::throw_error() const
{
    if (stopped_) std::rethrow_exception((*stop_asked.load())(crash_, known_lines()));
    if (!error_) throw UserError(crash_ + lines_of_crash());
    try {
        std::rethrow_exception(error_);
    } catch (const ProgramError& error) {
        throw ProgramError(error.what() + known_lines(), error.status());
    } catch (const UserError& error) {
        throw UserError(error.what() + known_lines());
    }
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
    if (!process_) process_.emplace(*this, rank_, ranks_, options_.costs, options_.algorithms, options_.recorder);
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
    if (options_.recorder != nullptr) options_.recorder->refuse(fmt::format("program of rank {} calls RCCE", rank()));
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

void Guest::compute(double cycles) { sleep(duration(cycles * rank_.processor().clock().period_ps())); }

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
    waits_ = true;
    fiber_.suspend();
    while (asked_ != nullptr) {
        *std::exchange(asked_, nullptr) = program_.frames();
        fiber_.suspend();
    }
    waits_ = false;
}

std::vector<LoadedProgram::Frame> Guest::frames()
{
    std::vector<LoadedProgram::Frame> found;
    if (!waits_) return found;
    asked_ = &found;
    fiber_.resume();
    return found;
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
    all.bytes += call_.moved;
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
    keep_frames(program_.frames());
    leave_fiber();
}

void Guest::leave_fiber()
{
    if (!std::exchange(leaving_, true)) flush();  // which may crash itself
    fiber_.suspend();
    std::abort();  // nothing resumes it again
}

void Guest::exit(int status, bool at_once)
{
    status_ = status;
    if (!ended_ && call_.name.empty()) pass_computation("end");
    if (!std::exchange(ended_, true) && !at_once) {
        program_.finish();
        std::fflush(nullptr);  // files that it has left open
    }
    end_ = rank_.processor().time();
    if (rcce_) rcce_->end();
    if (process_ && process_->initialized() && !process_->finalized()) {
        fail(std::make_exception_ptr(
            ProgramError(fmt::format("rank {} ended with exit status {} without MPI_Finalize; let each rank call it",
                                     rank_.processor().rank(), status),
                         status == 0 ? 1 : status)));
    }
    leave_fiber();
}

void Guest::body()
{
    last_left_ = options_.computation->mark();  // calls are made before main() too
    if (const std::string problem = program_.load(options_.file); !problem.empty()) fail_with(problem);
    const auto* const program = program_.find<ringmesh_program>("ringmesh_program");
    if (program == nullptr || program->version != RINGMESH_TABLE_VERSION) {
        fail_with(fmt::format("{}: no program of this Ringmesh; compile it by this one's ringmesh cc", options_.file));
    }
    if (const auto* const fortran = program_.find<ringmesh_fortran>("ringmesh_fortran")) {
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

/// In MPI_COMM_WORLD, and in the communicator of the call if it has another number there.
std::string Guest::peer_text() const
{
    const auto comm = process_ ? process_->communicators.find(call_.comm) : nullptr;
    if (!comm || static_cast<std::size_t>(call_.peer) >= comm->peers().size()) return fmt::to_string(call_.peer);
    const unsigned world = comm->peers()[static_cast<std::size_t>(call_.peer)];
    if (world == static_cast<unsigned>(call_.peer)) return fmt::to_string(world);
    return fmt::format("{} ({} of its communicator)", world, call_.peer);
}

std::string Guest::doing() const
{
    if (call_.name.empty()) return "no call";
    std::string text(call_.name);
    if (call_.peer == MPI_ANY_SOURCE) text += " from any rank";
    if (call_.peer >= 0) text += fmt::format(" with rank {}", peer_text());
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
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;  // kStop comes again and again
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, kStop}) ::sigaction(signal, &action, nullptr);
    can_stop = true;
}

bool stop_computing(pthread_t thread, const StopComputing& stop)
{
    if (has_stopped) return false;
    if (!can_stop) return true;
    stop_asked = &stop;
    ::pthread_kill(thread, kStop);
    return true;
}

void Guest::stop(const void* context)
{
    Guest* const guest = running;
    const std::uintptr_t instruction = interrupted_at(context);
    if (guest == nullptr || guest->leaving_ || !guest->program_.holds(instruction)) return;
    guest->stopped_ = true;
    has_stopped = true;
    guest->crash_ = fmt::format("rank {} computes", guest->rank_.processor().rank());
    if (!guest->call_.name.empty()) {  // in a function of the program's own that the call calls
        guest->crash_ += fmt::format(" in {}", guest->doing());
    } else {
        if (!guest->last_.empty()) guest->crash_ += fmt::format(" since {}", guest->last_);
        guest->crash_ += " and makes no call";
    }
    guest->keep_frames(guest->program_.frames(instruction));
    guest->leave_fiber();
}

void Guest::crashed(int signal, siginfo_t* about, void* context)
{
    if (signal == kStop) {
        stop(context);
        return;
    }
    Guest* const guest = running;
    if (guest == nullptr) {
        // Nothing may be allocated here: that is what failed
        static constexpr std::string_view kText =
            "ringmesh: crashed between two calls of the program: probably a rank has written outside of its memory, or "
            "freed what it may not\n";
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
        std::signal(signal, SIG_DFL);
        std::raise(signal);
        return;
    }
    const unsigned rank = guest->rank_.processor().rank();
    const bool is_beside = guest->process_ && guest->process_->guards(about->si_addr);
    if (signal == SIGSEGV && (is_beside || guest->fiber_.guards(about->si_addr))) {
        guest->fail_with(fmt::format("rank {} has used up its stack of {} bytes; give more by --stack, such as 64MiB",
                                     rank, guest->options_.stack.bytes));
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
    guest->crash_ = text;
    guest->keep_frames(guest->program_.frames(interrupted_at(context)));
    guest->leave_fiber();
}

/// The innermost: those of an endless recursion are alike.
void Guest::keep_frames(std::vector<LoadedProgram::Frame> frames)
{
    crash_frames_ = std::move(frames);
    if (crash_frames_.size() > kMostLines) crash_frames_.resize(kMostLines);
}

std::string Guest::known_lines() const
{
    if (crash_frames_.empty()) return "";
    std::string text;
    for (const std::string& line : source_lines(options_.file, crash_frames_)) {
        if (!line.empty()) text += "\n  " + line;
    }
    return text;
}

std::string Guest::lines_of_crash() const
{
    std::string text;
    const std::vector<std::string> lines = source_lines(options_.file, crash_frames_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto& frame = crash_frames_[i];
        text += "\n  " +
                (lines[i].empty() ? fmt::format("{}+{:#x} {}", options_.file, frame.offset, frame.function) : lines[i]);
    }
    const auto is_known = [](const std::string& line) { return !line.empty(); };
    if (std::ranges::none_of(lines, is_known)) text += "\n  compiled with -g, it would tell the lines of its source";
    return text;
}

}  // namespace ringmesh::workloads
