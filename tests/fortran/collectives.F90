! SPDX-License-Identifier: BSD-3-Clause
!
! Every persistent collective, through either module, with counts of either kind: three rounds, and
! in each of them what arithmetic says.
#include "handles.inc"

module collectives
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  use elements
  implicit none

  integer :: ierror
  REQUEST :: request

contains

  subroutine run()
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  end subroutine run

#ifndef LARGE
  ! Nobody is through before everybody has come.
  subroutine test_barrier()
    integer :: i, word(1)
    logical :: flag

    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    word = 0
    do round = 1, rounds
      if (rank == 0) then
        call MPI_Start(request, ierror)
        call MPI_Test(request, flag, MPI_STATUS_IGNORE, ierror)
        call check(ranks == 1 .or. .not. flag, 'barrier')
        do i = 1, ranks - 1
          call MPI_Send(word, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, ierror)
        end do
      else
        call MPI_Recv(word, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call MPI_Start(request, ierror)
      end if
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    end do
    call MPI_Request_free(request, ierror)
  end subroutine test_barrier
#endif

  subroutine test_from_one()
    COUNT :: length, counts(0:ranks - 1)
    DISPLACEMENT :: displs(0:ranks - 1)
    integer :: i

    length = n
    call make_buffers(ranks * n, n)
    call INIT(MPI_Bcast)(recv, length, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &
                         request, ierror)
    do round = 1, rounds
      recv = merge(block(0, 1, n), -1, rank == ranks - 1)
      call run()
      call expect('bcast', recv, block(0, 1, n))
    end do
    call MPI_Request_free(request, ierror)

    call INIT(MPI_Scatter)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, 0, &
                           MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = [(block(0, i, n), i=0, ranks - 1)]
      call run()
      call expect('scatter', recv, block(0, rank, n))
    end do
    call MPI_Request_free(request, ierror)

    call make_buffers(ranks * ranks, rank + 1)
    counts = [(i + 1, i=0, ranks - 1)]
    displs = [(i * ranks, i=0, ranks - 1)]
    length = rank + 1
    call INIT(MPI_Scatterv)(send, counts, displs, MPI_INTEGER, recv, length, MPI_INTEGER, 0, &
                            MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = [(block(0, i, ranks), i=0, ranks - 1)]
      call run()
      call expect('scatterv', recv, block(0, rank, rank + 1))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine test_from_one

  subroutine test_to_one_or_all()
    COUNT :: length, counts(0:ranks - 1)
    DISPLACEMENT :: displs(0:ranks - 1)
    integer :: i

    length = n
    call make_buffers(n, ranks * n)
    call INIT(MPI_Gather)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, 0, &
                          MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = block(rank, 0, n)
      call run()
      if (rank == 0) call expect('gather', recv, blocks_of_all(.false.))
    end do
    call MPI_Request_free(request, ierror)

    call INIT(MPI_Allgather)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, &
                             MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = block(rank, 0, n)
      call run()
      call expect('allgather', recv, blocks_of_all(.false.))
    end do
    call MPI_Request_free(request, ierror)

    call make_buffers(rank + 1, ranks * (ranks + 1) / 2)
    counts = [(i + 1, i=0, ranks - 1)]
    displs = [(i * (i + 1) / 2, i=0, ranks - 1)]
    length = rank + 1
    call INIT(MPI_Gatherv)(send, length, MPI_INTEGER, recv, counts, displs, MPI_INTEGER, 0, &
                           MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = block(rank, 0, rank + 1)
      call run()
      if (rank == 0) call expect('gatherv', recv, blocks_of_all(.true.))
    end do
    call MPI_Request_free(request, ierror)

    call INIT(MPI_Allgatherv)(send, length, MPI_INTEGER, recv, counts, displs, MPI_INTEGER, &
                              MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = block(rank, 0, rank + 1)
      call run()
      call expect('allgatherv', recv, blocks_of_all(.true.))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine test_to_one_or_all

  subroutine test_alltoall()
    COUNT :: length, sent(0:ranks - 1), received(0:ranks - 1)
    DISPLACEMENT :: displs(0:ranks - 1)
    DATATYPE :: types(0:ranks - 1)
    integer :: i

    length = n
    call make_buffers(ranks * n, ranks * n)
    call INIT(MPI_Alltoall)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, &
                            MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call check_rounds('alltoall', n)

    ! Rank r sends r + i + 1 elements to rank i, out of room for 2 * ranks.
    call make_buffers(2 * ranks * ranks, 2 * ranks * ranks)
    sent = [(rank + i + 1, i=0, ranks - 1)]
    received = sent
    displs = [(2 * ranks * i, i=0, ranks - 1)]
    call INIT(MPI_Alltoallv)(send, sent, displs, MPI_INTEGER, recv, received, displs, &
                             MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call check_rounds('alltoallv', 2 * ranks)

    types = MPI_INTEGER
    displs = displs * storage_size(send) / 8
    call INIT(MPI_Alltoallw)(send, sent, displs, types, recv, received, displs, types, &
                             MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    call check_rounds('alltoallw', 2 * ranks)
  end subroutine test_alltoall

  ! Blocks stand room apart; each but the last ones of alltoallv and alltoallw is full.
  subroutine check_rounds(what, room)
    character(len=*), intent(in) :: what
    integer, intent(in) :: room
    integer :: i, length

    do round = 1, rounds
      send = [(block(rank, i, room), i=0, ranks - 1)]
      recv = -1
      call run()
      do i = 0, ranks - 1
        length = merge(n, rank + i + 1, what == 'alltoall')
        call expect(what, recv(room * i + 1:room * i + length), block(i, rank, length))
        call check(all(recv(room * i + length + 1:room * i + room) == -1), what // ' beyond')
      end do
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_rounds

  subroutine test_reductions()
    COUNT :: length

    length = n
    call make_buffers(n, n)
    call INIT(MPI_Reduce)(send, recv, length, MPI_INTEGER, MPI_SUM, ranks - 1, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request, ierror)
    call check_sums('reduce', n, ranks - 1, rank == ranks - 1)
    call INIT(MPI_Allreduce)(send, recv, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                             MPI_INFO_NULL, request, ierror)
    call check_sums('allreduce', n, ranks - 1, .true.)
    call INIT(MPI_Scan)(send, recv, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
                        request, ierror)
    call check_sums('scan', n, rank, .true.)
    call INIT(MPI_Exscan)(send, recv, length, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                          MPI_INFO_NULL, request, ierror)
    call check_sums('exscan', n, rank - 1, rank > 0)
  end subroutine test_reductions

  subroutine check_sums(what, length, last, is_told)
    character(len=*), intent(in) :: what
    integer, intent(in) :: length, last
    logical, intent(in) :: is_told

    do round = 1, rounds
      send = block(rank, 0, length)
      call run()
      if (is_told) call expect(what, recv, sums(last, 0, length))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_sums

  subroutine test_reduce_scatter()
    COUNT :: length, counts(0:ranks - 1)
    integer :: i

    length = n
    call make_buffers(ranks * n, n)
    call INIT(MPI_Reduce_scatter_block)(send, recv, length, MPI_INTEGER, MPI_SUM, &
                                        MPI_COMM_WORLD, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = [(block(rank, i, n), i=0, ranks - 1)]
      call run()
      call expect('reduce_scatter_block', recv, sums(ranks - 1, rank, n))
    end do
    call MPI_Request_free(request, ierror)

    counts = [(i + 1, i=0, ranks - 1)]
    call make_buffers(int(sum(counts)), rank + 1)
    call INIT(MPI_Reduce_scatter)(send, recv, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                                  MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = [(block(rank, i, i + 1), i=0, ranks - 1)]
      call run()
      call expect('reduce_scatter', recv, sums(ranks - 1, rank, rank + 1))
    end do
    call MPI_Request_free(request, ierror)
  end subroutine test_reduce_scatter

  ! A ring: the first block is for and from the rank before, the second for and from the rank after.
  subroutine test_neighborhoods()
    COMM :: ring
    COUNT :: length, counts(2)
    DISPLACEMENT :: displs(2)
    integer(MPI_ADDRESS_KIND) :: bytes(2)
    DATATYPE :: types(2)
    integer :: before, after

    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, ierror)
    call MPI_Cart_shift(ring, 0, 1, before, after, ierror)
    length = n
    counts = n
    displs = [0, n]
    bytes = displs * storage_size(send) / 8
    types = MPI_INTEGER

    call make_buffers(n, 2 * n)
    call INIT(MPI_Neighbor_allgather)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, &
                                      ring, MPI_INFO_NULL, request, ierror)
    call check_ring('neighbor_allgather', before, after, 0)
    call INIT(MPI_Neighbor_allgatherv)(send, length, MPI_INTEGER, recv, counts, displs, &
                                       MPI_INTEGER, ring, MPI_INFO_NULL, request, ierror)
    call check_ring('neighbor_allgatherv', before, after, 0)

    call make_buffers(2 * n, 2 * n)
    call INIT(MPI_Neighbor_alltoall)(send, length, MPI_INTEGER, recv, length, MPI_INTEGER, ring, &
                                     MPI_INFO_NULL, request, ierror)
    call check_ring('neighbor_alltoall', before, after, 1)
    call INIT(MPI_Neighbor_alltoallv)(send, counts, displs, MPI_INTEGER, recv, counts, displs, &
                                      MPI_INTEGER, ring, MPI_INFO_NULL, request, ierror)
    call check_ring('neighbor_alltoallv', before, after, 1)
    call MPI_Comm_free(ring, ierror)

    ! MPICH 4.0 reads the datatypes of mpi_f08 by the degrees of a graph, whatever the topology is.
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [before, rank], [1, 1], 2, &
                                        [after, rank], [1, 1], MPI_INFO_NULL, .false., ring, ierror)
    call INIT(MPI_Neighbor_alltoallw)(send, counts, bytes, types, recv, counts, bytes, types, &
                                      ring, MPI_INFO_NULL, request, ierror)
    do round = 1, rounds
      send = [block(rank, 1, n), block(rank, 2, n)]
      call run()
      call expect('neighbor_alltoallw', recv, [block(before, 1, n), block(rank, 2, n)])
    end do
    call MPI_Request_free(request, ierror)
    call MPI_Comm_free(ring, ierror)
  end subroutine test_neighborhoods

  ! Blocks are different by side, or there is one for both.
  subroutine check_ring(what, before, after, side)
    character(len=*), intent(in) :: what
    integer, intent(in) :: before, after, side

    do round = 1, rounds
      send = [block(rank, side, n), block(rank, 2 * side, size(send) - n)]
      recv = -1
      call run()
      call expect(what, recv, [block(before, 2 * side, n), block(after, side, n)])
    end do
    call MPI_Request_free(request, ierror)
  end subroutine check_ring

end module collectives

program main
  use collectives
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
#ifndef LARGE
  call test_barrier()
#endif
  call test_from_one()
  call test_to_one_or_all()
  call test_alltoall()
  call test_reductions()
  call test_reduce_scatter()
  call test_neighborhoods()
  call conclude()
end program main
