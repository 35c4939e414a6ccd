// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lab/table/writers/text_table.h"

/// Standard output and error, with every write checked: a failed write is not a success.
namespace ringmesh::lab {

/// The reader of standard output has closed the pipe (`ringmesh list parameters | head`): not an error, nothing to
/// report.
struct ReaderGone {};

/// Control characters but new lines and tabs as "\\x1b": names and texts of files may hold what a terminal obeys.
std::string visible(std::string_view text);

/// Writes to standard output at once, visible(). A text that is longer than the terminal, and what follows it, goes to
/// $PAGER, or less. @throws UserError if it cannot be written (a full disk), ReaderGone
void print(std::string_view text);
/// From now on without a pager.
void never_page();
/// Waits until the reader has left the pager.
void end_pager();
/// After the last print(): some file systems report a failed write only now. @throws UserError
void finish_printing();

/// "ringmesh: TEXT" on standard error, visible(), cut in its middle if it is very long; errors ignored.
void say(std::string_view text);
/// From now on say() says nothing, or again something.
void let_say(bool wanted);
/// The same before each line of the text.
void say_each_line(std::string_view text);
/// say(), of why runs failed, which may list every block of a machine: at most 12 lines of at most 200 characters.
void say_failure(std::string_view text);
/// From now on say_failure() says all.
void say_failures_whole();
/// The plain text on standard error, errors ignored.
void print_error(std::string_view text);
bool error_is_terminal();
/// Columns of the terminal on standard error; kTextWidth if it is not a terminal.
std::size_t error_width();
/// output_room() of this process and of those that it starts, from now on.
/// @param again also if it was told before
void tell_output_room(const Room& room, bool again);
/// The terminal on standard output, or what was told; what is no terminal has kTextWidth, and tables may be wider.
Room output_room();

/// Ends the process by SIGPIPE, as shells expect from a member of a pipeline.
[[noreturn]] void end_by_broken_pipe();

}  // namespace ringmesh::lab
