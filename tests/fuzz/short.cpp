// SPDX-License-Identifier: Apache-2.0
/// All harnesses without libFuzzer, so that every change runs them with the compiler that it has:
///
///     fuzz_short READER SECONDS INPUT FOLDER
///
/// The files of the folder are read, then read with random changes, always the same ones in the same order. An input
/// that ends the process is left in the file INPUT.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/lines.h"

// CMakeLists.txt gives the functions of each harness these names.
#define RINGMESH_FUZZ_READERS(READER) \
    READER(platform)                  \
    READER(settings) READER(workload) READER(study) READER(csv) READER(sql) READER(goal) READER(packets) READER(point)

#define RINGMESH_FUZZ_DECLARED(name)                                                                  \
    extern "C" int ringmesh_fuzz_##name(const std::uint8_t* data, std::size_t size);                  \
    extern "C" [[gnu::weak]] std::size_t ringmesh_mutate_##name(std::uint8_t* data, std::size_t size, \
                                                                std::size_t most, unsigned seed);
RINGMESH_FUZZ_READERS(RINGMESH_FUZZ_DECLARED)

namespace {

constexpr std::size_t kMost = 4096;      // bytes of an input
constexpr unsigned kLongest = 10;        // seconds of an input
constexpr long kMemory = 1024L * 1024L;  // KiB

struct Reader {
    std::string_view name;
    int (*read)(const std::uint8_t* data, std::size_t size);
    std::size_t (*mutate)(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);  // null: bytes
};

#define RINGMESH_FUZZ_ROW(name) Reader{#name, &ringmesh_fuzz_##name, &ringmesh_mutate_##name},
constexpr std::array kReaders{RINGMESH_FUZZ_READERS(RINGMESH_FUZZ_ROW)};

std::minstd_rand random_numbers(1);  // NOLINT(cert-msc51-cpp): the same inputs each time

std::size_t below(std::size_t bound) { return random_numbers() % bound; }

/// The input in a file that outlives the process, at no cost.
class Kept {
public:
    explicit Kept(const char* path) : path_(path)
    {
        file_ = ::open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
        if (file_ < 0 || ::ftruncate(file_, kMost) != 0) throw std::runtime_error("cannot write INPUT");
        void* const memory = ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("cannot map INPUT");
        data = static_cast<std::uint8_t*>(memory);
    }
    void discard() const { ::unlink(path_); }

    std::uint8_t* data;

private:
    const char* path_;
    int file_;
};

std::vector<std::string> seeds_in(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> seeds;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        seeds.back().resize(std::min(seeds.back().size(), kMost));
    }
    return seeds;
}

int run(const Reader& reader, double seconds, const char* input, const char* folder)
{
    const std::vector<std::string> seeds = seeds_in(folder);
    if (seeds.empty()) throw std::runtime_error("no seed in the folder");
    const Kept kept(input);
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    std::size_t inputs = 0;
    for (; inputs < seeds.size() || std::chrono::steady_clock::now() < end; ++inputs) {
        const std::string& seed = seeds[inputs % seeds.size()];
        std::memset(kept.data, '\n', kMost);  // what a reader that stops the process leaves is text
        std::memcpy(kept.data, seed.data(), seed.size());
        std::size_t size = seed.size();
        if (inputs >= seeds.size()) {
            for (std::size_t i = below(4) + 1; i > 0; --i) {
                const auto number = static_cast<unsigned>(random_numbers());
                size = reader.mutate != nullptr ? reader.mutate(kept.data, size, kMost, number)
                                                : LLVMFuzzerMutate(kept.data, size, kMost);
            }
        }
        ::alarm(kLongest);
        reader.read(kept.data, size);
        ::alarm(0);
        rusage used{};
        ::getrusage(RUSAGE_SELF, &used);
        if (used.ru_maxrss > kMemory) throw std::runtime_error("more than a gigabyte");
    }
    kept.discard();
    std::printf("%s: %zu inputs of %zu seeds, nothing found\n", std::string(reader.name).c_str(), inputs, seeds.size());
    return 0;
}

}  // namespace

/// As libFuzzer's, in short: bytes changed, left out, said twice, put in.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most)
{
    static constexpr std::string_view kBytes = "0123456789.,:;=[]{}()\"'#*-+eE \n\t\r\0\x7f\x80\xff$";
    const std::size_t at = below(size + 1);
    const std::size_t span = std::min(below(16) + 1, size - at);
    switch (below(5)) {
        case 0:
            if (at < size) data[at] = static_cast<std::uint8_t>(kBytes[below(kBytes.size())]);
            return size;
        case 1:
            if (at < size) data[at] = static_cast<std::uint8_t>(data[at] ^ 1U << below(8));
            return size;
        case 2: std::memmove(data + at, data + at + span, size - at - span); return size - span;
        case 3: {
            const std::size_t grown = std::min(span, most - size);
            std::memmove(data + at + grown, data + at, size - at);
            return size + grown;
        }
        default:
            if (size == most) return size;
            std::memmove(data + at + 1, data + at, size - at);
            data[at] = static_cast<std::uint8_t>(kBytes[below(kBytes.size())]);
            return size + 1;
    }
}

int main(int argc, char** argv)
{
    const std::vector<const char*> arguments(argv, argv + argc);
    const auto* const reader = argc == 5 ? std::find_if(kReaders.begin(), kReaders.end(),
                                                        [&](const Reader& each) { return each.name == arguments[1]; })
                                         : kReaders.end();
    if (reader == kReaders.end()) {
        std::fputs("usage: fuzz_short READER SECONDS INPUT FOLDER\n", stderr);
        return 2;
    }
    try {
        return run(*reader, std::stod(arguments[2]), arguments[3], arguments[4]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s; the input is in %s\n", arguments[1], error.what(), arguments[3]);
        return 1;
    }
}
