! SPDX-License-Identifier: Apache-2.0
! MPI-2 and MPI-3 as programs of free form call them, by the module mpi; and what else a rank has of its own.
module checks
  use, intrinsic :: iso_c_binding
  use mpi
  implicit none
  integer :: rank, size, failures = 0, released = 0
  ! What C sees of the same objects
  interface
    integer(c_int) function in_c_address(location, address) bind(c, name='MPI_Get_address')
      import :: c_int, c_intptr_t
      type(*) :: location
      integer(c_intptr_t) :: address
    end function
    integer(c_int) function in_c_set_attr(comm, key, value) bind(c, name='MPI_Comm_set_attr')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, key
      type(c_ptr), value :: value
    end function
    integer(c_int) function in_c_get_attr(comm, key, value, flag) bind(c, name='MPI_Comm_get_attr')
      import :: c_int, c_ptr
      integer(c_int), value :: comm, key
      type(c_ptr) :: value
      integer(c_int) :: flag
    end function
  end interface
contains
  subroutine check(what, so)
    character(*), intent(in) :: what
    logical, intent(in) :: so
    if (so) return
    failures = failures + 1
    print *, 'rank', rank, ': not ', what
  end subroutine

  subroutine copies(handle, key, extra, in, out, flag, ierror)
    integer :: handle, key, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    out = in * extra
    flag = in > 0 .and. handle /= MPI_COMM_NULL .and. key /= MPI_KEYVAL_INVALID
    ierror = MPI_SUCCESS
  end subroutine
  subroutine query(extra, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: status(MPI_STATUS_SIZE), ierror
    call MPI_Status_set_elements(status, MPI_INTEGER, int(extra), ierror)
    call MPI_Status_set_cancelled(status, .false., ierror)
    status(MPI_SOURCE) = 3
    status(MPI_TAG) = 4
  end subroutine
  subroutine release(extra, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    integer :: ierror
    released = int(extra)
    extra = -extra
    ierror = MPI_SUCCESS
  end subroutine
  subroutine cancel(extra, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: complete
    integer :: ierror
    if (complete) released = -int(extra)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine attributes()
    integer(MPI_ADDRESS_KIND) :: value
    integer(MPI_ADDRESS_KIND), pointer :: number
    type(c_ptr) :: address
    integer :: key, other, comm, type, ierror, found
    integer, target :: place
    logical :: flag
    call MPI_Comm_create_keyval(copies, MPI_COMM_NULL_DELETE_FN, key, 3_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, other, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 5000000000_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_set_attr(MPI_COMM_WORLD, other, -1_MPI_ADDRESS_KIND, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_get_attr(comm, key, value, flag, ierror)
    call check('copied', flag .and. value == 15000000000_MPI_ADDRESS_KIND)
    call MPI_Comm_get_attr(comm, other, value, flag, ierror)
    call check('the same', flag .and. value == -1)
    call MPI_Comm_get_attr(comm, MPI_UNIVERSE_SIZE, value, flag, ierror)
    call check('universe', flag .and. value == size)
    ierror = in_c_get_attr(comm, key, address, found)
    call c_f_pointer(address, number)
    call check('a pointer in C', found == 1 .and. number == 15000000000_MPI_ADDRESS_KIND)
    ierror = in_c_set_attr(comm, other, c_loc(place))
    call MPI_Comm_get_attr(comm, other, value, flag, ierror)
    call check('a pointer of C', flag .and. value == transfer(c_loc(place), value))
    call MPI_Comm_free(comm, ierror)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_dup(MPI_REAL, type, ierror)
    call MPI_Type_set_attr(type, key, 8_MPI_ADDRESS_KIND, ierror)
    call MPI_Type_get_attr(type, key, value, flag, ierror)
    call check('of a type', flag .and. value == 8)
    call MPI_Type_free(type, ierror)
  end subroutine

  ! One-sided: each rank has an array for the others.
  subroutine windows()
    integer(MPI_ADDRESS_KIND) :: bytes, value, base
    integer(MPI_ADDRESS_KIND), parameter :: nothing = 0
    integer :: win, key, ierror, length, next, got, unit
    integer, target :: values(4)
    integer, pointer :: theirs(:)
    type(c_ptr) :: place
    logical :: flag
    character(MPI_MAX_OBJECT_NAME) :: name
    values = rank
    next = mod(rank + 1, size)
    bytes = 16
    call MPI_Win_create(values, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierror)
    call check('size', flag .and. value == 16)
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierror)
    call check('unit', flag .and. value == 4)
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, flag, ierror)
    call check('flavor', flag .and. value == MPI_WIN_FLAVOR_CREATE)
    call MPI_Win_get_attr(win, MPI_WIN_MODEL, value, flag, ierror)
    call check('model', flag .and. value == MPI_WIN_UNIFIED)
    call MPI_Get_address(values, base, ierror)
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierror)
    call check('base', flag .and. value == base)
    call MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, key, nothing, ierror)
    call MPI_Win_set_attr(win, key, 6000000000_MPI_ADDRESS_KIND, ierror)
    call MPI_Win_get_attr(win, key, value, flag, ierror)
    call check('of a window', flag .and. value == 6000000000_MPI_ADDRESS_KIND)
    call MPI_Win_delete_attr(win, key, ierror)
    call MPI_Win_free_keyval(key, ierror)
    call MPI_Win_set_name(win, '  a window ', ierror)
    call MPI_Win_get_name(win, name, length, ierror)
    call check('name', name == '  a window' .and. length == 10)
    call MPI_Win_fence(0, win, ierror)
    call MPI_Put(rank, 1, MPI_INTEGER, next, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Accumulate(1, 1, MPI_INTEGER, 0, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, ierror)
    call MPI_Win_fence(0, win, ierror)
    call check('put', values(3) == mod(rank + size - 1, size) .and. values(1) == rank)
    if (rank == 0) call check('accumulate', values(4) == size)
    call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win, ierror)
    call MPI_Get(got, 1, MPI_INTEGER, next, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
    call MPI_Win_unlock(next, win, ierror)
    call check('get', got == next)
    call MPI_Win_free(win, ierror)
    call check('no window', win == MPI_WIN_NULL)
    call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, place, win, ierror)
    call c_f_pointer(place, theirs, [4])
    theirs = 7
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierror)
    call MPI_Fetch_and_op(2, got, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, MPI_SUM, win, ierror)
    call MPI_Win_unlock(0, win, ierror)
    call check('fetched', got == 7 .and. theirs(2) == 9)
    call MPI_Win_free(win, ierror)
    call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, MPI_COMM_SELF, place, win, ierror)
    call MPI_Win_shared_query(win, 0, bytes, unit, place, ierror)
    call check('shared', bytes == 16 .and. unit == 4 .and. c_associated(place))
    call MPI_Win_free(win, ierror)
  end subroutine

  subroutine types()
    type particle
      sequence
      real(8) :: mass
      integer :: kind
      character(4) :: name
    end type
    type(particle) :: all(3), one
    integer(MPI_ADDRESS_KIND) :: places(3), base, lb, extent
    integer :: type, whole, bytes, ierror, same, integers, addresses, types_, combiner, contents(2), no_types(1)
    integer(MPI_ADDRESS_KIND) :: no_addresses(1)
    real(16) :: exact
    complex(16) :: twin
    call MPI_Get_address(all(1), base, ierror)
    ierror = in_c_address(all(1), places(1))
    call check('an address in C', places(1) == base)
    call MPI_Get_address(all(1)%mass, places(1), ierror)
    call MPI_Get_address(all(1)%kind, places(2), ierror)
    call MPI_Get_address(all(1)%name, places(3), ierror)
    call MPI_Type_create_struct(3, [1, 1, 4], places - base, [MPI_REAL8, MPI_INTEGER, MPI_CHARACTER], type, ierror)
    call MPI_Type_create_resized(type, 0_MPI_ADDRESS_KIND, int(storage_size(one) / 8, MPI_ADDRESS_KIND), whole, ierror)
    call MPI_Type_commit(whole, ierror)
    call MPI_Type_get_extent(whole, lb, extent, ierror)
    call check('extent', lb == 0 .and. extent == 16)
    all%mass = 0
    if (rank == 0) all = [particle(1, 2, 'ab'), particle(3, 4, 'cd'), particle(5, 6, 'efgh')]
    call MPI_Bcast(all, 3, whole, 0, MPI_COMM_WORLD, ierror)
    call check('particles', all(3)%mass == 5 .and. all(2)%kind == 4 .and. all(3)%name == 'efgh')
    one = particle(rank, rank, 'one')
    call MPI_Get_address(one, places(1), ierror)
    call MPI_Type_create_hindexed(1, [1], places, whole, type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, type, size - 1, MPI_COMM_WORLD, ierror)
    call check('from the bottom', one%kind == size - 1)

    call MPI_Type_create_f90_real(15, MPI_UNDEFINED, type, ierror)
    call MPI_Type_create_f90_real(15, MPI_UNDEFINED, same, ierror)
    call check('the same type', type == same)
    call MPI_Type_size(type, bytes, ierror)
    call check('real(8)', bytes == 8)
    call MPI_Type_get_envelope(type, integers, addresses, types_, combiner, ierror)
    call check('envelope', integers == 2 .and. addresses == 0 .and. types_ == 0 .and. combiner == MPI_COMBINER_F90_REAL)
    call MPI_Type_get_contents(type, 2, 0, 0, contents, no_addresses, no_types, ierror)
    call check('contents', contents(1) == 15 .and. contents(2) == MPI_UNDEFINED)
    call MPI_Type_create_f90_integer(12, type, ierror)
    call MPI_Type_size(type, bytes, ierror)
    call check('integer(8)', bytes == 8)
    call MPI_Allreduce(MPI_IN_PLACE, base, 1, type, MPI_MAX, MPI_COMM_WORLD, ierror)
    call MPI_Type_create_f90_complex(30, 400, type, ierror)
    twin = cmplx(1, rank, 16)
    call MPI_Allreduce(MPI_IN_PLACE, twin, 1, type, MPI_SUM, MPI_COMM_WORLD, ierror)
    call check('complex(16)', twin == cmplx(size, size * (size - 1) / 2, 16))
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Type_free(type, ierror)
    call check('a type that stays', ierror == MPI_ERR_TYPE)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    exact = 1 / 3.0_16
    call MPI_Allreduce(MPI_IN_PLACE, exact, 1, MPI_REAL16, MPI_MAX, MPI_COMM_WORLD, ierror)
    call check('real(16)', exact == 1 / 3.0_16)
    call MPI_Sizeof(exact, bytes, ierror)
    call check('size of real(16)', bytes == 16)
    call MPI_Sizeof(one%name, bytes, ierror)
    call check('size of a text', bytes == 4)
    call MPI_Sizeof(places, bytes, ierror)
    call check('size of an element', bytes == 8)
  end subroutine

  subroutine others()
    character(MPI_MAX_INFO_VAL) :: value
    character(8) :: key
    integer :: info, graph, request, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2), count, ierror
    integer :: incoming, outgoing, provided, values(2), next
    integer(MPI_ADDRESS_KIND) :: extra
    logical :: flag, weighted
    call MPI_Query_thread(provided, ierror)
    call check('threads', provided == MPI_THREAD_SINGLE .or. provided == MPI_THREAD_FUNNELED .or. &
                          provided == MPI_THREAD_SERIALIZED)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, ' host  ', '  a node', ierror)
    value = 'untouched'
    call MPI_Info_get(info, 'none', MPI_MAX_INFO_VAL, value, flag, ierror)
    call check('no such key', .not. flag .and. value == 'untouched')
    call MPI_Info_get(info, 'host', MPI_MAX_INFO_VAL, value, flag, ierror)
    call check('value', flag .and. value == 'a node')
    call MPI_Info_get_nthkey(info, 0, key, ierror)
    call check('key', key == 'host')
    call MPI_Info_get_valuelen(info, 'host', count, flag, ierror)
    call check('length', flag .and. count == 6)
    next = mod(rank + 1, size)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [mod(rank + size - 1, size)], MPI_UNWEIGHTED, 1, [next], &
                                        MPI_UNWEIGHTED, info, .false., graph, ierror)
    call MPI_Dist_graph_neighbors_count(graph, incoming, outgoing, weighted, ierror)
    call check('graph', incoming == 1 .and. outgoing == 1 .and. .not. weighted)
    call MPI_Info_free(info, ierror)
    extra = 6
    call MPI_Grequest_start(query, release, cancel, extra, request, ierror)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, count, ierror)
    call check('own request', count == 6 .and. status(MPI_TAG) == 4 .and. released == 6 .and. extra == -6)
    values = [rank, 0]
    call MPI_Irecv(values(2), 1, MPI_INTEGER, MPI_ANY_SOURCE, 9, graph, requests(1), ierror)
    call MPI_Isend(values(1), 1, MPI_INTEGER, next, 9, graph, requests(2), ierror)
    call MPI_Waitall(2, requests, statuses, ierror)
    call check('ring', values(2) == mod(rank + size - 1, size) .and. statuses(MPI_SOURCE, 1) == values(2))
    call MPI_Ibarrier(graph, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Comm_free(graph, ierror)
  end subroutine

  ! Simulated, and as long on the library's clock as on each of the language's.
  subroutine clocks()
    real(8) :: begin, end, used, used_after
    integer(8) :: ticks, ticks_after, rate
    integer :: values(8), values_after(8)
    real(4) :: old(2), old_after(2), before, after
    call cpu_time(used)
    call system_clock(ticks, rate)
    call date_and_time(values=values)
    before = etime(old)
    begin = MPI_Wtime()
    call sleep(2)
    end = MPI_Wtime()
    call cpu_time(used_after)
    call system_clock(ticks_after)
    call date_and_time(values=values_after)
    after = etime(old_after)
    call check('two seconds', abs(end - begin - 2) < 1d-3)
    call check('cpu_time', abs(used_after - used - 2) < 1d-3)
    call check('system_clock', abs((ticks_after - ticks) / real(rate, 8) - 2) < 2d-3)
    call check('date_and_time', mod(values_after(7) - values(7) + 60, 60) == 2)
    call check('etime', abs(after - before - 2) < 1e-3)
    call check('tick', MPI_Wtick() > 0)
  end subroutine

  ! Units, random numbers, arguments.
  subroutine own()
    logical :: is_open
    integer :: number, ierror
    real :: random, all(64)
    character(16) :: text
    inquire (unit=10, opened=is_open)
    call check('unit 10 closed', .not. is_open)
    open (10, status='scratch')
    write (10, *) rank
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    rewind (10)
    read (10, *) number
    call check('what was written', number == rank)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    close (10)
    call random_seed(put=[(number * 0 + 7, number = 1, 33)])
    call random_number(random)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call random_number(random)
    call MPI_Allgather(random, 1, MPI_REAL, all, 1, MPI_REAL, MPI_COMM_WORLD, ierror)
    call check('random numbers', .not. any(all(2:size) /= all(1)))
    if (command_argument_count() == 0) return
    call get_command_argument(1, text)
    call check('argument', text == 'a word')
    read (*, *, iostat=number) text
    if (rank == 0) call check('line of input', number == 0 .and. text == 'input')
    if (rank /= 0) call check('no input', number < 0)
  end subroutine
end module

program new
  use checks
  implicit none
  integer :: all, ierror, provided
  call MPI_Init_thread(MPI_THREAD_SERIALIZED, provided, ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call attributes()
  call windows()
  call types()
  call others()
  call clocks()
  call own()
  call MPI_Reduce(failures, all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (rank == 0 .and. all == 0) write (*, '(a)') 'all is well'
  call MPI_Finalize(ierror)
end program
