! SPDX-License-Identifier: BSD-3-Clause
!
! Every partitioned collective, through either module: the ranks that send mark their partitions, and
! the end is what arithmetic says. Segments of n elements have two partitions; where they differ,
! segment i has i + 1 partitions of one element.
#include "handles.inc"

module partitioned
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  use elements
  implicit none

  integer(MPI_COUNT_KIND), parameter :: half = n / 2, one = 1
  integer :: ierror
  integer, allocatable :: parts(:)
  integer(MPI_COUNT_KIND), allocatable :: counts(:)
  integer(MPI_ADDRESS_KIND), allocatable :: displs(:), bytes(:)
  DATATYPE, allocatable :: types(:)
  REQUEST :: request

contains

  ! Segments that grow, one after the other.
  subroutine make_arrays()
    integer :: i
    parts = [(i + 1, i=0, ranks - 1)]
    counts = [(one, i=0, ranks - 1)]
    displs = [(int(i * (i + 1) / 2, MPI_ADDRESS_KIND), i=0, ranks - 1)]
    bytes = displs * storage_size(i) / 8
    allocate (types(ranks))
    types = MPI_INTEGER
  end subroutine make_arrays

  ! With as many partitions to be marked here.
  subroutine run(marks)
    integer, intent(in) :: marks
    call MPI_Start(request, ierror)
    if (round == 2) call MPIX_Pbuf_prepare(request)
    if (marks > 0) call MPI_Pready_range(0, marks - 1, request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  end subroutine run

  subroutine test_from_one()
    call make_buffers(ranks * n, n)
    call MPIX_Pbcast_init(recv, 2, half, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &
                          request)
    do round = 1, rounds
      recv = merge(block(0, 1, n), -1, rank == ranks - 1)
      call run(merge(2, 0, rank == ranks - 1))
      call expect('pbcast', recv, block(0, 1, n))
    end do
    call MPI_Request_free(request, ierror)

    call MPIX_Pscatter_init(send, 2, half, MPI_INTEGER, recv, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, &
                            0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_scatter('pscatter', n, 2 * ranks)

    call make_buffers(sum(parts), rank + 1)
    call MPIX_Pscatterv_init(send, parts, counts, displs, MPI_INTEGER, recv, rank + 1, one, &
                             MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_scatter('pscatterv', rank + 1, sum(parts))
    call MPIX_Pscatterw_init(send, parts, counts, bytes, types, recv, rank + 1, one, &
                             MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_scatter('pscatterw', rank + 1, sum(parts))
  end subroutine test_from_one

  subroutine check_scatter(what, length, marks)
    character(len=*), intent(in) :: what
    integer, intent(in) :: length, marks
    integer :: i

    do round = 1, rounds
      if (what == 'pscatter') send = [(block(0, i, n), i=0, ranks - 1)]
      if (what /= 'pscatter') send = [(block(0, i, i + 1), i=0, ranks - 1)]
      call run(merge(marks, 0, rank == 0))
      call expect(what, recv, block(0, rank, length))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_scatter

  subroutine test_to_one_or_all()
    call make_buffers(n, ranks * n)
    call MPIX_Pgather_init(send, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, recv, 2, half, MPI_INTEGER, 0, &
                           MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_gather('pgather', 3, rank == 0)
    call MPIX_Pallgather_init(send, 2, half, MPI_INTEGER, recv, 2, half, MPI_INTEGER, &
                              MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_gather('pallgather', 2, .true.)

    call make_buffers(rank + 1, sum(parts))
    call MPIX_Pgatherv_init(send, rank + 1, one, MPI_INTEGER, recv, parts, counts, displs, &
                            MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_gather('pgatherv', rank + 1, rank == 0)
    call MPIX_Pallgatherv_init(send, rank + 1, one, MPI_INTEGER, recv, parts, counts, displs, &
                               MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_gather('pallgatherv', rank + 1, .true.)
  end subroutine test_to_one_or_all

  subroutine check_gather(what, marks, is_told)
    character(len=*), intent(in) :: what
    integer, intent(in) :: marks
    logical, intent(in) :: is_told

    do round = 1, rounds
      send = block(rank, 0, size(send))
      call run(marks)
      if (is_told) call expect(what, recv, blocks_of_all(index(what, 'gatherv') > 0))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_gather

  ! Segments alike; then each rank sends i + 1 elements to rank i, as two spellings have it.
  subroutine test_alltoall()
    integer :: own_parts(ranks), i
    integer(MPI_ADDRESS_KIND) :: own_displs(ranks)

    call make_buffers(ranks * n, ranks * n)
    call MPIX_Palltoall_init(send, 2, half, MPI_INTEGER, recv, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, &
                             MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_alltoall('palltoall', 2 * ranks)
    call MPIX_Palloall_init(send, 2, half, MPI_INTEGER, recv, 3, 2_MPI_COUNT_KIND, MPI_INTEGER, &
                            MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_alltoall('palltoall', 2 * ranks)

    call make_buffers(sum(parts), ranks * (rank + 1))
    own_parts = rank + 1
    own_displs = [(int(i * (rank + 1), MPI_ADDRESS_KIND), i=0, ranks - 1)]
    call MPIX_Palltoallv_init(send, parts, counts, displs, MPI_INTEGER, recv, own_parts, counts, &
                              own_displs, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_alltoall('palltoallv', sum(parts))
    own_displs = own_displs * storage_size(i) / 8
    call MPIX_Palltoallw_init(send, parts, counts, bytes, types, recv, own_parts, counts, &
                              own_displs, types, MPI_COMM_WORLD, MPI_INFO_NULL, request)
    call check_alltoall('palltoallw', sum(parts))
  end subroutine test_alltoall

  subroutine check_alltoall(what, marks)
    character(len=*), intent(in) :: what
    integer, intent(in) :: marks
    integer :: i, length

    length = size(recv) / ranks
    do round = 1, rounds
      if (what == 'palltoall') send = [(block(rank, i, n), i=0, ranks - 1)]
      if (what /= 'palltoall') send = [(block(rank, i, i + 1), i=0, ranks - 1)]
      call run(marks)
      call expect(what, recv, [(block(i, rank, length), i=0, ranks - 1)])
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_alltoall

  subroutine test_reductions()
    call make_buffers(n, n)
    call MPIX_Preduce_init(send, recv, 2, half, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, &
                           MPI_INFO_NULL, request)
    call check_sums('preduce', ranks - 1, rank == 0)
    call MPIX_Pallreduce_init(send, recv, 2, half, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                              MPI_INFO_NULL, request)
    call check_sums('pallreduce', ranks - 1, .true.)
    call MPIX_Pscan_init(send, recv, 2, half, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                         MPI_INFO_NULL, request)
    call check_sums('pscan', rank, .true.)
    call MPIX_Pexscan_init(send, recv, 2, half, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                           MPI_INFO_NULL, request)
    call check_sums('pexscan', rank - 1, rank > 0)
  end subroutine test_reductions

  subroutine check_sums(what, last, is_told)
    character(len=*), intent(in) :: what
    integer, intent(in) :: last
    logical, intent(in) :: is_told

    do round = 1, rounds
      send = block(rank, 0, n)
      call run(2)
      if (is_told) call expect(what, recv, sums(last, 0, n))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_sums

  subroutine test_reduce_scatter()
    integer :: i

    call make_buffers(ranks * n, n)
    call MPIX_Preduce_scatter_block_init(send, recv, 2, half, MPI_INTEGER, MPI_SUM, &
                                         MPI_COMM_WORLD, MPI_INFO_NULL, request)
    do round = 1, rounds
      send = [(block(rank, i, n), i=0, ranks - 1)]
      call run(2 * ranks)
      call expect('preduce_scatter_block', recv, sums(ranks - 1, rank, n))
    end do
    call MPI_Request_free(request, ierror)

    call make_buffers(sum(parts), rank + 1)
    call MPIX_Preduce_scatter_init(send, recv, parts, counts, MPI_INTEGER, MPI_SUM, &
                                   MPI_COMM_WORLD, MPI_INFO_NULL, request)
    do round = 1, rounds
      send = [(block(rank, i, i + 1), i=0, ranks - 1)]
      call run(sum(parts))
      call expect('preduce_scatter', recv, sums(ranks - 1, rank, rank + 1))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine test_reduce_scatter

  ! A ring, whose first block is for and from the rank before.
  subroutine test_neighborhoods()
    COMM :: ring
    integer :: before, after, two(2)
    integer(MPI_COUNT_KIND) :: lengths(2)
    integer(MPI_ADDRESS_KIND) :: places(2)
    DATATYPE :: integers(2)

    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, ierror)
    call MPI_Cart_shift(ring, 0, 1, before, after, ierror)
    two = 2
    lengths = half
    places = [0, n]
    integers = MPI_INTEGER

    call make_buffers(n, 2 * n)
    call MPIX_Pneighbor_allgather_init(send, 2, half, MPI_INTEGER, recv, 2, half, MPI_INTEGER, &
                                       ring, MPI_INFO_NULL, request)
    call check_ring('pneighbor_allgather', before, after, 0)
    call MPIX_Pneighbor_allgatherv_init(send, 2, half, MPI_INTEGER, recv, two, lengths, places, &
                                        MPI_INTEGER, ring, MPI_INFO_NULL, request)
    call check_ring('pneighbor_allgatherv', before, after, 0)

    call make_buffers(2 * n, 2 * n)
    call MPIX_Pneighbor_alltoall_init(send, 2, half, MPI_INTEGER, recv, 2, half, MPI_INTEGER, &
                                      ring, MPI_INFO_NULL, request)
    call check_ring('pneighbor_alltoall', before, after, 1)
    call MPIX_Pneighbor_alltoallv_init(send, two, lengths, places, MPI_INTEGER, recv, two, &
                                       lengths, places, MPI_INTEGER, ring, MPI_INFO_NULL, request)
    call check_ring('pneighbor_alltoallv', before, after, 1)
    places = places * storage_size(before) / 8
    call MPIX_Pneighbor_alltoallw_init(send, two, lengths, places, integers, recv, two, lengths, &
                                       places, integers, ring, MPI_INFO_NULL, request)
    call check_ring('pneighbor_alltoallw', before, after, 1)
    call MPI_Comm_free(ring, ierror)
  end subroutine test_neighborhoods

  ! Blocks are different by side, or there is one for both.
  subroutine check_ring(what, before, after, side)
    character(len=*), intent(in) :: what
    integer, intent(in) :: before, after, side

    do round = 1, rounds
      send = [block(rank, side, n), block(rank, 2 * side, size(send) - n)]
      call run(size(send) / int(half))
      call expect(what, recv, [block(before, 2 * side, n), block(after, side, n)])
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_ring

end module partitioned

program main
  use partitioned
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call make_arrays()
  call test_from_one()
  call test_to_one_or_all()
  call test_alltoall()
  call test_reductions()
  call test_reduce_scatter()
  call test_neighborhoods()
  call conclude()
end program main
