* SPDX-License-Identifier: Apache-2.0
*     MPI-1 as programs of fixed form call it, by mpif.h.
      program old
      implicit none
      include 'mpif.h'
      integer rank, size, failures, all, ierr
      common /checks/ rank, size, failures
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      failures = 0
      call messages
      call requests
      call types
      call reductions
      call attributes
      call texts
      call grids
      call errors
      call MPI_REDUCE(failures, all, 1, MPI_INTEGER, MPI_SUM, 0,
     &                MPI_COMM_WORLD, ierr)
      if (rank .eq. 0 .and. all .eq. 0) write(*, '(a)') 'all is well'
      call MPI_FINALIZE(ierr)
      end

      subroutine check(what, so)
      character*(*) what
      logical so
      integer rank, size, failures
      common /checks/ rank, size, failures
      if (so) return
      failures = failures + 1
      print *, 'rank', rank, ': not ', what
      end

      subroutine messages
      implicit none
      include 'mpif.h'
      integer rank, size, failures
      common /checks/ rank, size, failures
      integer status(MPI_STATUS_SIZE), next, last, count, ierr, i
      integer attached(1000), room
      double precision here(100), there(100)
      complex numbers(3)
      character*10 text
      logical truths(2), flag
      next = mod(rank + 1, size)
      last = mod(rank + size - 1, size)
      do i = 1, 100
         here(i) = 1000d0 * rank + i
      end do
      call MPI_SENDRECV(here, 100, MPI_DOUBLE_PRECISION, next, 5,
     &                  there, 100, MPI_DOUBLE_PRECISION,
     &                  MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
     &                  status, ierr)
      call check('success', ierr .eq. MPI_SUCCESS)
      call check('source', status(MPI_SOURCE) .eq. last)
      call check('tag', status(MPI_TAG) .eq. 5)
      call MPI_GET_COUNT(status, MPI_DOUBLE_PRECISION, count, ierr)
      call check('count', count .eq. 100)
      call check('numbers', there(100) .eq. 1000d0 * last + 100)
      call MPI_BUFFER_ATTACH(attached, 4000, ierr)
      call MPI_BSEND('some text', 9, MPI_CHARACTER, next, 6,
     &               MPI_COMM_WORLD, ierr)
      text = 'xxxxxxxxxx'
      call MPI_RECV(text, 10, MPI_CHARACTER, last, 6, MPI_COMM_WORLD,
     &              MPI_STATUS_IGNORE, ierr)
      call check('text', text .eq. 'some textx')
      call MPI_BUFFER_DETACH(attached, room, ierr)
      call check('room', room .eq. 4000)
      numbers(1) = (1.0, 2.0)
      numbers(2) = cmplx(rank)
      call MPI_BCAST(numbers, 2, MPI_COMPLEX, size - 1,
     &               MPI_COMM_WORLD, ierr)
      call check('complex', numbers(2) .eq. cmplx(size - 1))
      truths(1) = .true.
      truths(2) = rank .eq. 0
      call MPI_SENDRECV_REPLACE(truths, 2, MPI_LOGICAL, next, 1, last,
     &              1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      call check('logical', truths(1))
      call check('logical of 0', truths(2) .eqv. last .eq. 0)
      call MPI_IPROBE(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, flag, status,
     &                ierr)
      call check('nothing there', .not. flag)
      call MPI_SEND(here, 1, MPI_REAL8, MPI_PROC_NULL, 1,
     &              MPI_COMM_WORLD, ierr)
      call PMPI_BARRIER(MPI_COMM_WORLD, ierr)
      end

      subroutine requests
      implicit none
      include 'mpif.h'
      integer rank, size, failures
      common /checks/ rank, size, failures
      integer handles(3), indices(3), done, index, ierr, i, all
      integer values(3), statuses(MPI_STATUS_SIZE, 3)
      logical flag
      do i = 1, 3
         call MPI_IRECV(values(i), 1, MPI_INTEGER, rank, i,
     &                  MPI_COMM_WORLD, handles(i), ierr)
      end do
      call MPI_SEND(22, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, ierr)
      call MPI_WAITANY(3, handles, index, statuses, ierr)
      call check('waitany', index .eq. 2 .and. values(2) .eq. 22)
      call check('null', handles(2) .eq. MPI_REQUEST_NULL)
      call MPI_TESTANY(3, handles, index, flag, MPI_STATUS_IGNORE,
     &                 ierr)
      call check('testany', .not. flag .and. index .eq. MPI_UNDEFINED)
      call MPI_SEND(33, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, ierr)
      call MPI_WAITSOME(3, handles, done, indices, statuses, ierr)
      call check('waitsome', done .eq. 1 .and. indices(1) .eq. 3)
      call check('its tag', statuses(MPI_TAG, 1) .eq. 3)
      call MPI_SEND(11, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, ierr)
      all = 0
 10   call MPI_TESTSOME(3, handles, done, indices, MPI_STATUSES_IGNORE,
     &                  ierr)
      all = all + done
      if (all .eq. 0) goto 10
      call check('testsome', indices(1) .eq. 1 .and. values(1) .eq. 11)
      call MPI_TESTSOME(3, handles, done, indices, MPI_STATUSES_IGNORE,
     &                  ierr)
      call check('none', done .eq. MPI_UNDEFINED)
      call MPI_WAITANY(3, handles, index, MPI_STATUS_IGNORE, ierr)
      call check('none of them', index .eq. MPI_UNDEFINED)
      call MPI_SEND_INIT(values, 1, MPI_INTEGER, rank, 4,
     &                   MPI_COMM_WORLD, handles(1), ierr)
      call MPI_RECV_INIT(values(2), 1, MPI_INTEGER, rank, 4,
     &                   MPI_COMM_WORLD, handles(2), ierr)
      call MPI_STARTALL(2, handles, ierr)
      call MPI_WAITALL(2, handles, MPI_STATUSES_IGNORE, ierr)
      call check('persistent', values(2) .eq. 11)
      call MPI_REQUEST_FREE(handles(1), ierr)
      call MPI_REQUEST_FREE(handles(2), ierr)
      end

      subroutine types
      implicit none
      include 'mpif.h'
      integer rank, size, failures
      common /checks/ rank, size, failures
      integer whole, lengths(2), places(2), parts(2), ierr, extent
      integer bytes, position
      integer number
      double precision real
      common /apart/ number, real
      character packed(100)
      lengths(1) = 1
      lengths(2) = 1
      parts(1) = MPI_INTEGER
      parts(2) = MPI_DOUBLE_PRECISION
      call MPI_ADDRESS(number, places(1), ierr)
      call MPI_ADDRESS(real, places(2), ierr)
      call check('places', places(2) - places(1) .eq. 8)
      call MPI_TYPE_STRUCT(2, lengths, places, parts, whole, ierr)
      call MPI_TYPE_COMMIT(whole, ierr)
      number = rank + 7
      real = rank + 0.5d0
      call MPI_BCAST(MPI_BOTTOM, 1, whole, 0, MPI_COMM_WORLD, ierr)
      call check('number', number .eq. 7)
      call check('real', real .eq. 0.5d0)
      call MPI_TYPE_SIZE(whole, bytes, ierr)
      call check('size', bytes .eq. 12)
      call MPI_TYPE_FREE(whole, ierr)
      call check('gone', whole .eq. MPI_DATATYPE_NULL)
      call MPI_TYPE_HVECTOR(2, 1, 16, MPI_INTEGER, whole, ierr)
      call MPI_TYPE_EXTENT(whole, extent, ierr)
      call check('extent', extent .eq. 20)
      call MPI_TYPE_FREE(whole, ierr)
      position = 0
      call MPI_PACK(number, 1, MPI_INTEGER, packed, 100, position,
     &              MPI_COMM_WORLD, ierr)
      call MPI_PACK(real, 1, MPI_DOUBLE_PRECISION, packed, 100,
     &              position, MPI_COMM_WORLD, ierr)
      call check('packed', position .eq. 12)
      position = 4
      real = 0
      call MPI_UNPACK(packed, 100, position, real, 1,
     &                MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
      call check('unpacked', real .eq. 0.5d0)
      end

*     The order of ranks matters.
      subroutine first(in, inout, count, type)
      integer count, type, i
      integer in(count), inout(count)
      do i = 1, count
         inout(i) = in(i)
      end do
      end

      subroutine reductions
      implicit none
      include 'mpif.h'
      integer rank, size, failures
      common /checks/ rank, size, failures
      external first
      integer op, ierr, i, sums(2), pair(2), place(2), gathered(64)
      double precision value(2), found(2)
      real short(2), nearest(2)
      logical mine, any, every
      double complex sum
      value(1) = mod(rank * 5, 7)
      value(2) = rank
      call MPI_ALLREDUCE(value, found, 1, MPI_2DOUBLE_PRECISION,
     &                   MPI_MAXLOC, MPI_COMM_WORLD, ierr)
      i = nint(found(2))
      call check('maxloc', nint(found(1)) .eq. mod(i * 5, 7))
      short(1) = -rank
      short(2) = rank
      call MPI_ALLREDUCE(short, nearest, 1, MPI_2REAL, MPI_MINLOC,
     &                   MPI_COMM_WORLD, ierr)
      call check('minloc', nearest(2) .eq. size - 1)
      pair(1) = rank
      pair(2) = 100 + rank
      call MPI_ALLREDUCE(pair, place, 1, MPI_2INTEGER, MPI_MAXLOC,
     &                   MPI_COMM_WORLD, ierr)
      call check('2integer', place(2) .eq. 99 + size)
      mine = rank .eq. size - 1
      call MPI_ALLREDUCE(mine, any, 1, MPI_LOGICAL, MPI_LOR,
     &                   MPI_COMM_WORLD, ierr)
      call MPI_ALLREDUCE(mine, every, 1, MPI_LOGICAL, MPI_LAND,
     &                   MPI_COMM_WORLD, ierr)
      call check('lor', any)
      call check('land', every .eqv. size .eq. 1)
      call MPI_OP_CREATE(first, .false., op, ierr)
      sums(1) = rank + 4
      sums(2) = -rank
      call MPI_ALLREDUCE(MPI_IN_PLACE, sums, 2, MPI_INTEGER, op,
     &                   MPI_COMM_WORLD, ierr)
      call check('own operation', sums(1) .eq. 4)
      call MPI_OP_FREE(op, ierr)
      sum = (1d0, 2d0)
      call MPI_ALLREDUCE(MPI_IN_PLACE, sum, 1, MPI_DOUBLE_COMPLEX,
     &                   MPI_SUM, MPI_COMM_WORLD, ierr)
      call check('complex', sum .eq. size * (1d0, 2d0))
      gathered(rank + 1) = rank * rank
      call MPI_ALLGATHER(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered,
     &                   1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
      call check('gathered', gathered(size) .eq. (size - 1)**2)
      end

      subroutine copies(comm, key, extra, in, out, flag, ierr)
      integer comm, key, extra, in, out, ierr
      logical flag
      out = in + extra
      flag = .true.
      ierr = 0
      end

      subroutine deletes(comm, key, value, extra, ierr)
      integer comm, key, value, extra, ierr, deleted
      common /deletions/ deleted
      deleted = deleted + value
      ierr = 0
      end

      subroutine attributes
      implicit none
      include 'mpif.h'
      external copies, deletes
      integer key, other, third, comm, value, deleted, ierr
      logical flag
      common /deletions/ deleted
      deleted = 0
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
      call check('tag_ub', flag .and. value .ge. 32767)
      call MPI_KEYVAL_CREATE(copies, deletes, key, 100, ierr)
      call MPI_KEYVAL_CREATE(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN,
     &                       other, 0, ierr)
      call MPI_KEYVAL_CREATE(MPI_DUP_FN, MPI_NULL_DELETE_FN, third, 0,
     &                       ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, key, -5, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, other, 6, ierr)
      call MPI_ATTR_PUT(MPI_COMM_WORLD, third, 7, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      call MPI_ATTR_GET(comm, key, value, flag, ierr)
      call check('copied', flag .and. value .eq. 95)
      call MPI_ATTR_GET(comm, other, value, flag, ierr)
      call check('not copied', .not. flag)
      call MPI_ATTR_GET(comm, third, value, flag, ierr)
      call check('the same', flag .and. value .eq. 7)
      call MPI_COMM_FREE(comm, ierr)
      call check('deleted', deleted .eq. 95)
      call MPI_ATTR_DELETE(MPI_COMM_WORLD, key, ierr)
      call check('deleted too', deleted .eq. 90)
      call MPI_KEYVAL_FREE(key, ierr)
      call check('free', key .eq. MPI_KEYVAL_INVALID)
      end

      subroutine texts
      implicit none
      include 'mpif.h'
      character*(MPI_MAX_ERROR_STRING) text
      character*(MPI_MAX_OBJECT_NAME) name
      character*4 short
      integer length, ierr
      call MPI_GET_PROCESSOR_NAME(name, length, ierr)
      call check('its length', len_trim(name) .eq. length)
      call check('blanks', name(length + 1:) .eq. ' ')
      call MPI_ERROR_STRING(MPI_ERR_TAG, text, length, ierr)
      call check('error', text(1:11) .eq. 'MPI_ERR_TAG')
      call MPI_COMM_SET_NAME(MPI_COMM_WORLD, 'a world     ', ierr)
      call MPI_COMM_GET_NAME(MPI_COMM_WORLD, name, length, ierr)
      call check('name', name .eq. 'a world' .and. length .eq. 7)
      call MPI_COMM_GET_NAME(MPI_COMM_WORLD, short, length, ierr)
      call check('cut', short .eq. 'a wo')
      call MPI_COMM_SET_NAME(MPI_COMM_WORLD, ' b', ierr)
      call MPI_COMM_GET_NAME(MPI_COMM_WORLD, name, length, ierr)
      call check('blank before', name .eq. ' b' .and. length .eq. 2)
      call MPI_TYPE_GET_NAME(MPI_INTEGER, name, length, ierr)
      call check('type', name .eq. 'MPI_INTEGER')
      end

      subroutine grids
      implicit none
      include 'mpif.h'
      integer rank, size, failures
      common /checks/ rank, size, failures
      integer comm, row, dims(2), coords(2), ierr, from, to, kind
      integer group, part, ranges(3, 1), count, members
      logical periods(2), remain(2), flag
      dims(1) = size
      dims(2) = 1
      periods(1) = .false.
      periods(2) = .true.
      call MPI_CART_CREATE(MPI_COMM_WORLD, 2, dims, periods, .true.,
     &                     comm, ierr)
      periods(1) = .true.
      call MPI_CART_GET(comm, 2, dims, periods, coords, ierr)
      call check('periods', .not. periods(1) .and. periods(2))
      call check('coords', coords(1) .eq. rank .and. coords(2) .eq. 0)
      call MPI_CART_SHIFT(comm, 0, 1, from, to, ierr)
      if (rank .eq. 0) call check('end', from .eq. MPI_PROC_NULL)
      call MPI_TOPO_TEST(comm, kind, ierr)
      call check('kind', kind .eq. MPI_CART)
      remain(1) = .false.
      remain(2) = .true.
      call MPI_CART_SUB(comm, remain, row, ierr)
      call MPI_COMM_SIZE(row, count, ierr)
      call check('row', count .eq. 1)
      call MPI_COMM_TEST_INTER(comm, flag, ierr)
      call check('one group', .not. flag)
      call MPI_COMM_GROUP(comm, group, ierr)
      ranges(1, 1) = 0
      ranges(2, 1) = size - 1
      ranges(3, 1) = 2
      call MPI_GROUP_RANGE_INCL(group, 1, ranges, part, ierr)
      call MPI_GROUP_SIZE(part, members, ierr)
      call check('every other', members .eq. (size + 1) / 2)
      call MPI_COMM_FREE(comm, ierr)
      end

      subroutine handles(comm, code)
      integer comm, code, seen
      common /seen/ seen
      seen = code
      end

      subroutine errors
      implicit none
      include 'mpif.h'
      external handles
      integer handler, code, seen, ierr
      common /seen/ seen
      call MPI_ERRHANDLER_CREATE(handles, handler, ierr)
      call MPI_ERRHANDLER_SET(MPI_COMM_WORLD, handler, ierr)
      call MPI_SEND(seen, 1, MPI_INTEGER, 0, -7, MPI_COMM_WORLD, code)
      call check('handled', seen .eq. MPI_ERR_TAG)
      call check('told', code .eq. MPI_ERR_TAG)
      call MPI_ERRHANDLER_SET(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL,
     &                        ierr)
      end
