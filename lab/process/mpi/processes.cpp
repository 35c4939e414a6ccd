// SPDX-License-Identifier: Apache-2.0
#include "lab/process/mpi/processes.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "lab/process/interruption.h"
#include "lab/process/standard_streams.h"
#include "tlm/error.h"

namespace ringmesh::lab {
namespace {

constexpr const char* kPlugin = "ringmesh-processes.so";
constexpr const char* kCure = "./ringmesh install processes installs Open MPI and METIS; then build Ringmesh anew";

/// A number that mpirun puts into the environment.
unsigned told(const char* variable, unsigned otherwise)
{
    const char* const text = std::getenv(variable);
    unsigned number = otherwise;
    if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
    return number;
}

/// Beside the program in a build folder, or where it was installed.
std::filesystem::path plugin()
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const auto& candidate : {folder / kPlugin, folder.parent_path() / "lib" / "ringmesh" / kPlugin}) {
        if (std::filesystem::exists(candidate, error)) return candidate;
    }
    throw UserError(fmt::format("--processes: this Ringmesh was built without Open MPI or METIS; {}", kCure));
}

/// What the plugin exports.
template <class Function>
Function* function_of_plugin(const char* name)
{
    static void* const library = [] {
        const std::string file = plugin();
        void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (loaded == nullptr) throw UserError(fmt::format("--processes: {}; {}", ::dlerror(), kCure));
        return loaded;
    }();
    void* const symbol = ::dlsym(library, name);
    if (symbol == nullptr) throw UserError(fmt::format("--processes: {}; build Ringmesh anew", ::dlerror()));
    return reinterpret_cast<Function*>(symbol);
}

std::vector<std::string> own_command_line()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < all.size(); begin = all.find('\0', begin) + 1) {
        words.emplace_back(all.c_str() + begin);
    }
    return words;
}

/// In the environment of processes that start_processes() has started.
constexpr const char* kStartedHere = "RINGMESH_STARTED_HERE";

bool joined = false;
bool ends_together = false;

}  // namespace

unsigned started_processes() { return told("OMPI_COMM_WORLD_SIZE", 1); }

bool is_first_process() { return told("OMPI_COMM_WORLD_RANK", 0) == 0; }

void silence_other_processes()
{
    if (started_processes() > 1) tell_output_room(Room(), false);             // the terminal that mpirun makes is none
    if (std::getenv(kStartedHere) != nullptr) let_interruptions_be_silent();  // who has started them says it
    if (is_first_process()) return;
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing, stream);
    ::close(nothing);
    let_say(false);
    let_interruptions_be_silent();
}

namespace {

/// A signal that comes while a process waits for others ends it at once: they may have ended.
class Interruptible final : public Processes {
public:
    explicit Interruptible(Processes& processes) : processes_(processes) {}
    unsigned count() const override { return processes_.count(); }
    unsigned own() const override { return processes_.own(); }
    std::vector<Parcel> exchange(const std::vector<Parcel>& to) override
    {
        class Unheld {
        public:
            Unheld() : held_(interruptions_are_held()) { hold_interruptions(false); }
            Unheld(const Unheld&) = delete;
            Unheld& operator=(const Unheld&) = delete;
            ~Unheld() { hold_interruptions(held_); }

        private:
            bool held_;
        } unheld;
        return processes_.exchange(to);
    }
    std::vector<unsigned> cut(const PlaceGraph& graph) const override { return processes_.cut(graph); }

private:
    Processes& processes_;
};

}  // namespace

Processes& join_processes(const std::string& key)
{
    static Interruptible all(*function_of_plugin<Processes*()>("ringmesh_join_processes")());
    joined = true;
    std::vector<Parcel> sent(all.count());
    for (Parcel& parcel : sent) parcel.put(key);
    for (Parcel& parcel : all.exchange(sent)) {
        if (parcel.take_text() == key) continue;
        ends_together = true;
        throw UserError("mpirun has started different runs; one mpirun runs one simulation, all with one command line");
    }
    return all;
}

void end_processes_together() { ends_together = true; }

void leave_processes()
{
    if (joined && ends_together) function_of_plugin<void()>("ringmesh_leave_processes")();
}

namespace {

/// Of the process of mpirun. @return the signal that ended this one's wait first; 0: none
int wait_and_pass_on(pid_t mpirun, const sigset_t& awaited, int& status)
{
    int first = 0;
    for (;;) {
        siginfo_t about{};
        const int signal = ::sigwaitinfo(&awaited, &about);
        if (signal == SIGCHLD && ::waitpid(mpirun, &status, WNOHANG) == mpirun) return first;
        if (signal < 0 || signal == SIGCHLD) continue;
        if (first == 0 && signal != SIGUSR1) first = signal;
        // What a terminal sends, the whole group has
        if (about.si_code != SI_KERNEL) ::kill(mpirun, signal);
    }
}

[[noreturn]] void end_as(int status, int signal)
{
    constexpr int kKilled = 128 + SIGKILL;
    if (signal != 0) {
        say("interrupted");
        ::_exit(128 + signal);
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == kKilled) say("--processes: somebody, or the lack of memory, has killed a process of this simulation");
    ::_exit(code);
}

}  // namespace

void start_processes(unsigned count)
{
    plugin();
    std::vector<std::string> words{"mpirun", "-q", "-np", std::to_string(count), "--oversubscribe",
                                   // Those that wait leave the processor to others
                                   "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1",
                                   // Time to remove partial files
                                   "--mca", "odls_base_sigkill_timeout", "3",
                                   // Containers forbid the other way; these parcels are small
                                   "--mca", "btl_vader_single_copy_mechanism", "none"};
    if (::geteuid() == 0) words.emplace_back("--allow-run-as-root");
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    std::vector<std::string> own = own_command_line();
    if (!own.empty()) own.front() = program;
    words.insert(words.end(), own.begin(), own.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    tell_output_room(output_room(), true);
    sigset_t awaited;
    sigset_t before;
    sigemptyset(&awaited);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGCHLD}) sigaddset(&awaited, signal);
    ::sigprocmask(SIG_BLOCK, &awaited, &before);
    std::array<int, 2> failure{};
    if (::pipe2(failure.data(), O_CLOEXEC) != 0) throw UserError(fmt::format("--processes: {}", std::strerror(errno)));
    const pid_t mpirun = ::fork();
    if (mpirun == 0) {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
        ::setenv(kStartedHere, "1", 1);
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        ::execvp(arguments.front(), arguments.data());
        const int why = errno;
        static_cast<void>(::write(failure[1], &why, sizeof why));
        ::_exit(2);
    }
    ::close(failure[1]);
    int why = errno;
    if (mpirun < 0 || ::read(failure[0], &why, sizeof why) == static_cast<ssize_t>(sizeof why)) {
        throw UserError(fmt::format("--processes: mpirun: {}; {}", std::strerror(why), kCure));
    }
    int status = 0;
    const int signal = wait_and_pass_on(mpirun, awaited, status);
    end_as(status, signal);
}

std::vector<unsigned> cut_places(const PlaceGraph& graph, unsigned count)
{
    require_places(graph, count);
    std::vector<unsigned> owners;
    function_of_plugin<void(const PlaceGraph&, unsigned, std::vector<unsigned>&)>("ringmesh_cut")(graph, count, owners);
    begin_with_part_0(owners, graph);
    return owners;
}

}  // namespace ringmesh::lab
