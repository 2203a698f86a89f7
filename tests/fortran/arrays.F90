! SPDX-License-Identifier: BSD-3-Clause
!
! Buffers as Fortran has them, through either module: any type and rank, arrays of every kind, rows and
! other sections, and the constants of MPI that are known by their address. The calls are the library's
! own on every host.
#include "handles.inc"

module arrays
  use, intrinsic :: iso_fortran_env, only: real64, int64
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  implicit none

  integer(MPI_COUNT_KIND), parameter :: one = 1, two = 2
  integer :: rank, ranks, ierror
  REQUEST :: request

contains

  ! Root marks what is asked of it, and the request is freed.
  subroutine finish(partitions)
    integer, intent(in) :: partitions
    call MPI_Start(request, ierror)
    if (rank == 0) call MPI_Pready_range(0, partitions - 1, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
  end subroutine finish

  subroutine test_types()
    real(real64), asynchronous :: scalar
    complex, allocatable, asynchronous :: cube(:, :, :)
    character(len=5), asynchronous :: words(2)
    logical, target, asynchronous :: flags(4)
    logical, pointer, asynchronous :: pointed(:)

    scalar = merge(2.5_real64, 0._real64, rank == 0)
    call MPIX_Pbcast_init(scalar, 1, one, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(1)
    call check(abs(scalar - 2.5_real64) < epsilon(scalar), 'scalar')

    allocate (cube(2, 3, 2))
    cube = merge((1., 2.), (0., 0.), rank == 0)
    call MPIX_Pbcast_init(cube, 6, two, MPI_COMPLEX, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call finish(6)
    call check(all(abs(cube - (1., 2.)) < epsilon(1.)), 'three dimensions')

    words = merge(['hello', 'world'], ['     ', '     '], rank == 0)
    call MPIX_Pbcast_init(words, 2, 5_MPI_COUNT_KIND, MPI_CHARACTER, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(2)
    call check(words(1) == 'hello' .and. words(2) == 'world', 'characters')

    flags = rank == 0
    pointed => flags
    call MPIX_Pbcast_init(pointed, 1, 4_MPI_COUNT_KIND, MPI_LOGICAL, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(1)
    call check(all(flags), 'pointer')
  end subroutine test_types

  subroutine test_dummies()
    integer, asynchronous :: values(0:3)
    integer :: i

    values = merge([(i, i=1, 4)], 0, rank == 0)
    call of_assumed_shape(values)
    call expect('assumed shape', values, [1, 2, 3, 4])
    values = merge([(i, i=5, 8)], 0, rank == 0)
    call of_assumed_size(values)
    call expect('assumed size', values, [5, 6, 7, 8])
    call of_assumed_shape(values(1:0))
  end subroutine test_dummies

  subroutine of_assumed_shape(values)
    integer, asynchronous :: values(:)
    call MPIX_Pbcast_init(values, 1, size(values, kind=MPI_COUNT_KIND), MPI_INTEGER, 0, &
                          MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call finish(1)
  end subroutine of_assumed_shape

  subroutine of_assumed_size(values)
    integer, asynchronous :: values(*)
    call MPIX_Pbcast_init(values, 1, 4_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(1)
  end subroutine of_assumed_size

  ! A row with a partition for each two elements, from a plane of other shape; backwards; a plane of a
  ! cube.
  subroutine test_sections()
    integer, asynchronous :: matrix(3, 8), cube(2, 3, 2), line(9)
    integer :: i, row(8)

    row = [(i, i=1, 8)]
    matrix = -1
    if (rank == 0) matrix(2, :) = row
    call MPIX_Pbcast_init(matrix(2, :), 4, two, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &
                          request)
    call finish(4)
    call expect('row', matrix(2, :), row)
    call check(all(matrix(1, :) == -1) .and. all(matrix(3, :) == -1), 'beside the row')

    line = merge([(i, i=1, 9)], -1, rank == 0)
    call MPIX_Pbcast_init(line(9:1:-2), 1, 5_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(1)
    if (rank > 0) call expect('backwards', line, [1, -1, 3, -1, 5, -1, 7, -1, 9])

    cube = merge(5, -1, rank == 0)
    call MPIX_Pbcast_init(cube(2, :, :), 2, 3_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(2)
    call check(all(cube(2, :, :) == 5), 'plane')
    if (rank > 0) call check(all(cube(1, :, :) == -1), 'beside the plane')
  end subroutine test_sections

  ! Matrices and cubes in larger ones. Each rank has them elsewhere, and what is beside them stays.
  subroutine test_several_distances()
    integer, asynchronous :: matrix(6, 7), cube(4, 4, 4)
    integer :: i, row, column, inner(3, 4), half(2, 2, 2)

    inner = reshape([(i, i=1, 12)], [3, 4])
    row = 1 + mod(rank, 3)
    column = 1 + mod(rank, 2)
    matrix = -1
    if (rank == 0) matrix(row:row + 2, column:column + 3) = inner
    call MPIX_Pbcast_init(matrix(row:row + 2, column:column + 3), 4, 3_MPI_COUNT_KIND, MPI_INTEGER, 0, &
                          MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call finish(4)
    call check(all(matrix(row:row + 2, column:column + 3) == inner), 'matrix in a matrix')
    call check(count(matrix == -1) == 30, 'beside the matrix')

    matrix = -1
    if (rank == 0) matrix(5:1:-2, 7:1:-2) = inner
    call MPIX_Pbcast_init(matrix(5:1:-2, 7:1:-2), 2, 6_MPI_COUNT_KIND, MPI_INTEGER, 0, &
                          MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call finish(2)
    call check(all(matrix(5:1:-2, 7:1:-2) == inner), 'matrix backwards')
    call check(count(matrix == -1) == 30, 'beside the matrix backwards')

    half = reshape([(i, i=1, 8)], [2, 2, 2])
    cube = -1
    if (rank == 0) cube(2:3, ::2, 1:4:3) = half
    call MPIX_Pbcast_init(cube(2:3, ::2, 1:4:3), 2, 4_MPI_COUNT_KIND, MPI_INTEGER, 0, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request)
    call finish(2)
    call check(all(cube(2:3, ::2, 1:4:3) == half), 'cube in a cube')
    call check(count(cube == -1) == 56, 'beside the cube')
  end subroutine test_several_distances

  ! Each rank has a column for every one, in the middle of a matrix and above each other.
  subroutine test_blocks()
    integer, asynchronous :: mine(4, 2*ranks), theirs(2, ranks)
    integer :: i

    mine = -1
    mine(2:3, 1::2) = reshape([(10*rank + i, 100*rank + i, i=0, ranks - 1)], [2, ranks])
    call MPIX_Palltoall_init(mine(2:3, 1::2), 1, two, MPI_INTEGER, theirs, 1, two, MPI_INTEGER, &
                             MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Start(request, ierror)
    call MPI_Pready_range(0, ranks - 1, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    call expect('columns', reshape(theirs, [2*ranks]), &
                [(10*i + rank, 100*i + rank, i=0, ranks - 1)])
  end subroutine test_blocks

  ! Rows are gathered in columns: the two ends of a transfer need not be alike.
  subroutine test_mixed()
    integer, asynchronous :: matrix(2, 3), all_rows(3, ranks)
    integer :: i

    matrix(1, :) = rank
    matrix(2, :) = -1
    call MPIX_Pgather_init(matrix(1, :), 3, one, MPI_INTEGER, all_rows, 1, 3_MPI_COUNT_KIND, &
                           MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Start(request, ierror)
    call MPI_Pready_range(0, 2, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    do i = 1, merge(ranks, 0, rank == 0)
      call expect('row of a rank', all_rows(:, i), [i - 1, i - 1, i - 1])
    end do
  end subroutine test_mixed

  subroutine test_in_place()
    integer, asynchronous :: sums(3)
    DATATYPE :: types(ranks)
    integer, asynchronous :: blocks(ranks)
    integer :: i

    sums = [rank, 2 * rank, 1]
    call MPIX_Pallreduce_init(MPI_IN_PLACE, sums, 3, one, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request)
    call MPI_Start(request, ierror)
    call MPI_Pready_range(0, 2, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    call expect('in place', sums, [ranks * (ranks - 1) / 2, ranks * (ranks - 1), ranks])

    ! Arguments of the send side may be anything then: here there is one datatype alone.
    types = MPI_INTEGER
    blocks = [(10 * rank + i, i=0, ranks - 1)]
    call MPIX_Palltoallw_init(MPI_IN_PLACE, [0], [0_MPI_COUNT_KIND], [0_MPI_ADDRESS_KIND], &
                              types(1:1), blocks, [(1, i=1, ranks)], [(one, i=1, ranks)], &
                              [(int(4 * i, MPI_ADDRESS_KIND), i=0, ranks - 1)], types, &
                              MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Start(request, ierror)
    call MPI_Pready_range(0, ranks - 1, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    call expect('alltoallw in place', blocks, [(10 * i + rank, i=0, ranks - 1)])
  end subroutine test_in_place

  subroutine test_bottom()
    integer, asynchronous :: values(2)
    integer(MPI_ADDRESS_KIND) :: address(1)
    DATATYPE :: type

    values = merge([3, 4], [0, 0], rank == 0)
    call MPI_Get_address(values, address(1), ierror)
    call MPI_Type_create_hindexed(1, [2], address, MPI_INTEGER, type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPIX_Pbcast_init(MPI_BOTTOM, 1, one, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call MPI_Type_free(type, ierror)
    call finish(1)
    call MPI_Get_address(values, address(1), ierror) ! the compiler sees that values may have changed
    call expect('bottom', values, [3, 4])
  end subroutine test_bottom

  subroutine check_refused(what, code)
    character(len=*), intent(in) :: what
    integer, intent(in) :: code
    character(len=MPI_MAX_ERROR_STRING) :: text
    integer :: class, length

    call MPI_Error_class(code, class, ierror)
    call check(class == MPI_ERR_BUFFER, 'class of ' // what)
    call MPI_Error_string(code, text, length, ierror)
    call check(index(text, 'no contiguous array') > 0, 'text of ' // what // ': ' // text)
  end subroutine check_refused

  subroutine test_refused()
    integer, asynchronous :: matrix(4, 4), line(8), whole(4)
    REQUEST :: none
    integer :: code, i

    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPIX_Pbcast_init(matrix(2:3, 2:3), 4, one, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &
                          none, code)
    call check_refused('parts of columns', code)
    call MPIX_Pallgatherv_init(line, 1, one, MPI_INTEGER, matrix(2:3, 2:3), [(1, i=1, ranks)], &
                               [(one, i=1, ranks)], [(0_MPI_ADDRESS_KIND, i=1, ranks)], MPI_INTEGER, &
                               MPI_COMM_WORLD, MPI_INFO_NULL, none, code)
    call check_refused('two distances', code)
    call MPIX_Pbcast_init(line(::2), 1, two, MPI_INTEGER8, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &
                          none, code)
    call check_refused('elements of another size', code)
    call MPIX_Pallreduce_init(line(::2), whole, 1, 4_MPI_COUNT_KIND, MPI_INTEGER, MPI_SUM, &
                              MPI_COMM_WORLD, MPI_INFO_NULL, none, code)
    call check_refused('a reduction', code)
    call MPIX_Pallreduce_init(whole, whole, 1, 4_MPI_COUNT_KIND, MPI_INTEGER, MPI_SUM, &
                              MPI_COMM_SELF, MPI_INFO_NULL, request)
    call MPIX_Request_rebind(request, line(::2), whole, code)
    call check_refused('a rebind', code)
    call MPI_Request_free(request, ierror)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
  end subroutine test_refused

end module arrays

program main
  use arrays
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call test_types()
  call test_dummies()
  call test_sections()
  call test_several_distances()
  call test_blocks()
  call test_mixed()
  call test_in_place()
  call test_bottom()
  call test_refused()
  call conclude()
end program main
