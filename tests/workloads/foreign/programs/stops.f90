! SPDX-License-Identifier: Apache-2.0
! Each way in which a program in Fortran ends, on rank 1.
program stops
  use, intrinsic :: iso_fortran_env, only: error_unit, output_unit
  use mpi
  implicit none
  integer :: rank, ierror, unit
  character(16) :: how
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call get_command_argument(1, how)
  write (output_unit, '(a)', advance='no') 'rank '
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  write (output_unit, '(i0,a)') rank, ' is there'
  if (rank == 1) then
    if (how == 'early') stop 4
    if (how == 'file') open (newunit=unit, file='/nowhere/none', status='old')
    if (how == 'crash') call crash(unit)
    if (how == 'error unit') write (error_unit, '(a)') 'on the error unit'
  end if
  call MPI_Finalize(ierror)
  if (rank == 1) then
    if (how == 'stop') stop 3
    if (how == 'text') stop 'that was it'
    if (how == 'error') error stop 'broken'
    if (how == 'exit') call exit(5)
  end if
contains
  subroutine crash(number)
    use, intrinsic :: iso_c_binding
    integer :: number
    integer, pointer :: nowhere
    call c_f_pointer(transfer(16_c_intptr_t, c_null_ptr), nowhere)
    number = nowhere
  end subroutine
end program
