// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace ringmesh::test {

/// A temporary folder that is the current one during its lifetime and is then deleted.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "ringmesh-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder: " + pattern);
        folder_ = pattern;
        std::filesystem::current_path(folder_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::current_path(before_, ignored);
        std::filesystem::remove_all(folder_, ignored);
    }

    const std::filesystem::path& path() const { return folder_; }

    /// Writes a file, making its folders; @return the name.
    const std::string& write(const std::string& name, const std::string& text) const
    {
        const std::filesystem::path file = folder_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        return name;
    }

private:
    std::filesystem::path before_ = std::filesystem::current_path();
    std::filesystem::path folder_;
};

}  // namespace ringmesh::test
