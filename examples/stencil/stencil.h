// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <ringmesh/workloads/programs/rank_program.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stencil {

using namespace ringmesh;
using namespace ringmesh::workloads;

/// Jacobi's iteration on a grid of doubles that is cut into strips of rows, one a rank. In each step a rank exchanges
/// its first and last row with its neighbours and then sets each cell to the mean of the four around it. The halos
/// travel as real messages; at the end the whole grid is compared with one that was computed in one piece.
///
/// Timing: the library's messages, and `cell` processor cycles for each cell. Of two neighbours the lower one sends
/// first, so that libraries whose sends wait for their receiver do not lock up.
class Stencil final : public RankProgram {
public:
    explicit Stencil(std::unique_ptr<Library> library) : RankProgram("stencil", std::move(library)) {}

    Results results() const override
    {
        Duration end;
        Duration waited;
        for (const Strip& strip : strips_) {
            end = std::max(end, strip.end - strip.begin);
            waited = std::max(waited, strip.exchanging);
        }
        const double steps = static_cast<double>(steps_);
        return {
            {{"ranks", ""}, {"steps", ""}, {"step_us", "us"}, {"exchange_us", "us"}, {"compute_us", "us"}},
            {{std::int64_t{ranks()}, steps_, end.us() / steps, waited.us() / steps, strips_[0].computing.us() / steps}},
            {"a step of the slowest rank; exchange: of the rank that spends most on it; every cell was compared with "
             "a grid in one piece"}};
    }
    void check() const override
    {
        RankProgram::check();
        const std::vector<double> whole = in_one_piece();
        for (unsigned n = 0; n < ranks(); ++n) {
            for (std::size_t i = 0; i < strips_[n].cells.size(); ++i) {
                if (strips_[n].cells[i] == whole[n * strips_[n].cells.size() + i]) continue;
                throw ModelError(fmt::format("stencil: cell {} of rank {} is not that of a grid in one piece", i, n));
            }
        }
    }

private:
    enum Buffer : BufferId { kFirstRow, kLastRow, kAbove, kBelow, kBuffers };
    struct Strip {
        std::vector<double> cells;
        Duration begin, end, exchanging, computing;
        std::int64_t step = 0;
    };

    void visit_options(ParameterVisitor& visitor) override
    {
        visitor.field({"columns", "cells of a row", assumed()}, columns_, {1, 1'000});
        visitor.field({"rows", "rows of each rank", assumed()}, rows_, {2, 10'000});
        visitor.field({"steps", "iterations", assumed()}, steps_, {1, 10'000});
        visitor.field({"cell", "processor cycles for a cell", assumed()}, cell_, {0_cycles, 10'000_cycles});
    }
    void prepare() override
    {
        strips_.assign(ranks(), {});
        for (unsigned n = 0; n < ranks(); ++n) {
            for (int i = 0; i < static_cast<int>(kBuffers); ++i) rank(n).create_buffer(row_bytes());
            for (std::int64_t i = 0; i < rows_ * columns_; ++i) {
                strips_[n].cells.push_back(first_value(std::int64_t{n} * rows_ * columns_ + i));
            }
        }
    }
    Started program(unsigned n) override { return {run(n), name()}; }
    std::string doing(unsigned n) const override { return fmt::format("step {}", strips_[n].step); }

    Task<> run(unsigned n)
    {
        Rank& me = rank(n);
        Strip& strip = strips_[n];
        const Processor& cpu = me.processor();
        co_await me.begin();
        strip.begin = cpu.time();
        for (strip.step = 0; strip.step < steps_; ++strip.step) {
            const Duration before = cpu.time();
            put_row(me, kFirstRow, 0);
            put_row(me, kLastRow, rows_ - 1);
            // Ranks 0 and 1, 2 and 3, ... exchange first, then 1 and 2, 3 and 4, ...
            for (unsigned turn = 0; turn < 2; ++turn) {
                const bool is_lower = n % 2 == turn;
                if (is_lower && n + 1 < ranks()) co_await exchange(me, n + 1, kLastRow, kBelow);
                if (!is_lower && n > 0) co_await exchange(me, n - 1, kFirstRow, kAbove);
            }
            strip.exchanging += cpu.time() - before;
            const Duration span = cpu.cycles(Cycles(cell_.count() * rows_ * columns_));
            co_await me.processor().compute(span);
            strip.computing += span;
            const std::vector<double> above = n > 0 ? row_of(me, kAbove) : std::vector<double>();
            const std::vector<double> below = n + 1 < ranks() ? row_of(me, kBelow) : std::vector<double>();
            strip.cells = next(strip.cells, above, below);
        }
        strip.end = cpu.time();
        co_await me.end();
    }
    /// The lower of two ranks sends first.
    Task<> exchange(Rank& me, unsigned with, Buffer own, Buffer other)
    {
        const bool sends_first = me.processor().rank() < with;
        if (sends_first) co_await me.send(with, whole(own));
        co_await me.receive(with, whole(other));
        if (!sends_first) co_await me.send(with, whole(own));
    }

    std::uint32_t row_bytes() const { return static_cast<std::uint32_t>(columns_) * sizeof(double); }
    Part whole(Buffer buffer) const { return {.buffer = buffer, .offset = 0, .size = row_bytes()}; }
    void put_row(Rank& me, Buffer buffer, std::int64_t row) const
    {
        const auto& cells = strips_[me.processor().rank()].cells;
        const std::span from(cells.data() + row * columns_, static_cast<std::size_t>(columns_));
        me.processor().poke(me.address(buffer), std::as_bytes(from));
    }
    std::vector<double> row_of(const Rank& me, Buffer buffer) const
    {
        std::vector<double> row(static_cast<std::size_t>(columns_));
        me.processor().peek(me.address(buffer), std::as_writable_bytes(std::span(row)));
        return row;
    }

    /// @param above, below rows beside these cells; empty: the edge of the grid, which is 0
    std::vector<double> next(const std::vector<double>& cells, const std::vector<double>& above,
                             const std::vector<double>& below) const
    {
        const auto columns = static_cast<std::size_t>(columns_);
        const std::size_t rows = cells.size() / columns;
        const auto at = [&](std::size_t row, std::size_t column) {
            if (column == 0 || column > columns) return 0.0;
            if (row == 0) return above.empty() ? 0.0 : above[column - 1];
            if (row > rows) return below.empty() ? 0.0 : below[column - 1];
            return cells[(row - 1) * columns + column - 1];
        };
        std::vector<double> after(cells.size());
        for (std::size_t row = 1; row <= rows; ++row) {
            for (std::size_t column = 1; column <= columns; ++column) {
                after[(row - 1) * columns + column - 1] =
                    (at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1)) / 4;
            }
        }
        return after;
    }
    static double first_value(std::int64_t i) { return static_cast<double>(i * 7919 % 1009); }
    std::vector<double> in_one_piece() const
    {
        std::vector<double> cells;
        for (std::int64_t i = 0; i < std::int64_t{ranks()} * rows_ * columns_; ++i) cells.push_back(first_value(i));
        for (std::int64_t step = 0; step < steps_; ++step) cells = next(cells, {}, {});
        return cells;
    }

    std::int64_t columns_ = 32;
    std::int64_t rows_ = 8;
    std::int64_t steps_ = 10;
    Cycles cell_ = 8_cycles;
    std::vector<Strip> strips_;
};

}  // namespace stencil
