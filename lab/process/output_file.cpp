// SPDX-License-Identifier: Apache-2.0
#include "lab/process/output_file.h"

#include <utility>

#include "lab/process/standard_streams.h"

namespace ringmesh::lab {

OutputFile::OutputFile(std::string path, std::string_view mark) : path_(std::move(path))
{
    if (wanted() && !is_standard_output()) file_ = std::make_unique<AtomicFile>(path_, mark);
}

void OutputFile::write(std::string_view text)
{
    if (file_) {
        file_->append(text);
        file_->commit();
    } else if (is_standard_output()) {
        print(text);
    }
}

void write_whole(const std::filesystem::path& file, std::string_view text, std::string_view mark)
{
    AtomicFile written(file, mark);
    written.append(text);
    written.commit();
}

}  // namespace ringmesh::lab
