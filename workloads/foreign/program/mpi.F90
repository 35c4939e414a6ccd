! SPDX-License-Identifier: Apache-2.0
! The module mpi, which ringmesh fc compiles: a compiler reads modules of its own version only.
#define SIZEOF(name, type) \
subroutine name(x, size, ierror); \
  type, dimension(..), intent(in) :: x; \
  integer, intent(out) :: size, ierror; \
  size = int(storage_size(x) / 8); \
  ierror = MPI_SUCCESS; \
end subroutine

module mpi
  implicit none
#include "constants.inc"
  interface
#include "interfaces.inc"
  end interface
  interface MPI_SIZEOF
    module procedure of_integer1, of_integer2, of_integer4, of_integer8
    module procedure of_logical1, of_logical2, of_logical4, of_logical8
    module procedure of_real4, of_real8, of_complex4, of_complex8, of_character
#ifdef __GFC_INT_16__
    module procedure of_integer16, of_logical16
#endif
#ifdef __GFC_REAL_10__
    module procedure of_real10, of_complex10
#endif
#ifdef __GFC_REAL_16__
    module procedure of_real16, of_complex16
#endif
  end interface
  private :: of_integer1, of_integer2, of_integer4, of_integer8
  private :: of_logical1, of_logical2, of_logical4, of_logical8
  private :: of_real4, of_real8, of_complex4, of_complex8, of_character
contains
SIZEOF(of_integer1, integer(1))
SIZEOF(of_integer2, integer(2))
SIZEOF(of_integer4, integer(4))
SIZEOF(of_integer8, integer(8))
SIZEOF(of_logical1, logical(1))
SIZEOF(of_logical2, logical(2))
SIZEOF(of_logical4, logical(4))
SIZEOF(of_logical8, logical(8))
SIZEOF(of_real4, real(4))
SIZEOF(of_real8, real(8))
SIZEOF(of_complex4, complex(4))
SIZEOF(of_complex8, complex(8))
SIZEOF(of_character, character(len=*))
#ifdef __GFC_INT_16__
SIZEOF(of_integer16, integer(16))
SIZEOF(of_logical16, logical(16))
#endif
#ifdef __GFC_REAL_10__
SIZEOF(of_real10, real(10))
SIZEOF(of_complex10, complex(10))
#endif
#ifdef __GFC_REAL_16__
SIZEOF(of_real16, real(16))
SIZEOF(of_complex16, complex(16))
#endif
end module
