// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tlm/units/duration.h"
#include "workloads/foreign/guest.h"
#include "workloads/programs/rank_program.h"
#include "workloads/ranks/file_named.h"

namespace ringmesh::workloads {

/// A program in C, C++ or Fortran that makes calls of MPI or RCCE, which ringmesh cc, c++ or fc has compiled: each rank
/// runs it (Guest).
class ProgramOfOthers final : public RankProgram {
public:
    explicit ProgramOfOthers(std::unique_ptr<Library> library) : RankProgram("program", std::move(library)) {}

    bool prints() const override { return true; }
    void let_print(bool standard_output) override
    {
        options_.speaks = true;
        options_.speaks_out = standard_output;
    }
    int exit_status() const override;
    std::string doing_of_ranks() const override;
    void check_stuck() const override;
    /// @throws UserError also if ranks wait for each other
    void check() const override;
    Results results() const override;

private:
    enum class Rows : std::uint8_t { kCalls, kNumbers };

    void visit_options(ParameterVisitor& visitor) override;
    std::vector<std::string> own_files() const override;
    /// Files that its arguments name.
    std::vector<std::string> inputs() const;
    void prepare() override;
    Started program(unsigned number) override;
    std::string doing(unsigned number) const override { return guests_[number]->doing(); }
    Results of_calls() const;
    Results of_numbers() const;

    std::shared_ptr<Computation> computation_ = std::make_shared<Computation>();
    std::string file_;
    std::string arguments_;
    Bytes stack_{8 * 1024 * 1024};
    bool prefix_ = false;
    Rows rows_ = Rows::kCalls;
    Duration test_ = mpi_api::CallCosts().test;
    Duration clock_ = mpi_api::CallCosts().clock;
    Bytes card_get_ = mpi_api::CallCosts().card_get;
    Bytes unexpected_ = mpi_api::CallCosts().unexpected;
    GuestOptions options_;
    std::vector<std::unique_ptr<Guest>> guests_;
};

/// Arguments of a program as its option `arguments`: in a row, a space, comma, equals sign or per cent in one as %20,
/// %2c, %3d and %25.
std::string arguments_text(const std::vector<std::string>& arguments);
/// @throws UserError for what it never writes
std::vector<std::string> arguments_of(const std::string& text);

}  // namespace ringmesh::workloads
