! SPDX-License-Identifier: BSD-3-Clause
!
! Partitioned sends and receives round a ring, through either module: every way to mark and to ask.
! The elements of partition p in a round are known by arithmetic.
#include "handles.inc"
! MPICH 4.0 declares the flag of MPI_Parrived in its module mpi as an INTEGER, and Open MPI 5.0 as
! INTENT(IN) (ompi #14229): the compiler has to be told that it changes.
#ifdef INTEGER_FLAG
#define FLAG integer
#define IS(flag) (flag /= 0)
#else
#define FLAG logical
#define IS(flag) flag
#endif

module pairs
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  implicit none

  integer, parameter :: rounds = 4, partitions = 6, n = 3
  integer :: rank, ranks, before, after, ierror
  integer, asynchronous :: send(n, 0:partitions - 1), recv(n, 0:partitions - 1)
  REQUEST :: requests(2) ! sender, receiver

contains

  elemental function element(from, round, partition) result(value)
    integer, intent(in) :: from, round, partition
    integer :: value
    value = 1000 * from + 100 * round + partition
  end function element

  subroutine bind()
    call MPI_Psend_init(send, partitions, int(n, MPI_COUNT_KIND), MPI_INTEGER, after, 7, &
                        MPI_COMM_WORLD, MPI_INFO_NULL, requests(1), ierror)
    call MPI_Precv_init(recv, partitions, int(n, MPI_COUNT_KIND), MPI_INTEGER, before, 7, &
                        MPI_COMM_WORLD, MPI_INFO_NULL, requests(2), ierror)
  end subroutine bind

  subroutine fill(round)
    integer, intent(in) :: round
    integer :: p
    do p = 0, partitions - 1
      send(:, p) = element(rank, round, p)
    end do
    recv = -1
    call MPI_Startall(2, requests, ierror)
  end subroutine fill

  ! What has arrived before the completion may be read.
  subroutine check_partition(round, partition)
    integer, intent(in) :: round, partition
    integer :: i
    call expect('partition', recv(:, partition), [(element(before, round, partition), i=1, n)])
  end subroutine check_partition

  subroutine finish(round)
    integer, intent(in) :: round
    integer :: p
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
    do p = 0, partitions - 1
      call check_partition(round, p)
    end do
  end subroutine finish

  subroutine test_numbers()
    FLAG, volatile :: flag
    integer :: round

    call bind()
    do round = 1, rounds
      call fill(round)
      call MPI_Pready(partitions - 1, requests(1), ierror)
      do
        call MPI_Parrived(requests(2), partitions - 1, flag, ierror)
        if (IS(flag)) exit
      end do
      call check_partition(round, partitions - 1)
      call MPI_Pready_range(1, 2, requests(1), ierror)
      call MPI_Pready_list(3, [4, 0, 3], requests(1), ierror)
      call finish(round)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine test_numbers

  subroutine test_segments()
    logical :: flag
    integer :: round

    call bind()
    do round = 1, rounds
      call fill(round)
      if (round == 3) call MPIX_Pbuf_prepareall(2, requests)
      call MPIX_Pready_extended(partitions - 1, MPIX_ALL_DESTS, requests(1))
      do
        call MPIX_Parrived_extended(requests(2), partitions - 1, before, flag)
        if (flag) exit
      end do
      call check_partition(round, partitions - 1)
      call MPIX_Pready_range_extended(1, 2, after, requests(1))
      call MPIX_Pready_list_extended(3, [4, 0, 3], MPIX_ALL_DESTS, requests(1), ierror)
      do
        call MPIX_Parrived_extended(requests(2), 0, MPIX_ALL_SOURCES, flag, ierror)
        if (flag) exit
      end do
      call finish(round)
    end do
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine test_segments

  ! Places in a list count from one, partitions from nought.
  subroutine test_lists()
    REQUEST :: one
    integer :: round, found, outcount, indices(3)
    logical :: flag

    call bind()
    call MPIX_Partition_request(requests(2), 5, one)
    do round = 1, rounds
      call fill(round)
      call MPIX_Parrived_any(requests(2), 3, [0, 1, 2], found, flag)
      call check(.not. flag .and. found == MPI_UNDEFINED, 'none of a list')
      call MPIX_Parrived_some(requests(2), 3, [0, 1, 2], outcount, indices)
      call check(outcount == 0 .or. outcount == MPI_UNDEFINED, 'some of none')
      ! Nobody marks before all have asked.
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
      call MPI_Pready(2, requests(1), ierror)
      do
        call MPIX_Parrived_any(requests(2), 3, [0, 1, 2], found, flag)
        if (flag) exit
      end do
      call check(found == 3, 'any of a list')
      call MPIX_Parrived_some(requests(2), 3, [2, 0, 4], outcount, indices)
      call expect('some of a list', indices(:outcount), [1])
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
      call MPI_Pready(5, requests(1), ierror)
      call MPI_Wait(one, MPI_STATUS_IGNORE, ierror)
      call check_partition(round, 5)
      call MPI_Pready_range(0, 1, requests(1), ierror)
      call MPI_Pready_range(3, 4, requests(1), ierror)
      call finish(round)
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end do
    call MPI_Request_free(one, ierror)
    call MPI_Request_free(requests(1), ierror)
    call MPI_Request_free(requests(2), ierror)
  end subroutine test_lists

  ! Sends of large counts, in each mode: the receiver is there first.
#if defined(F08)
#define INIT_C(name) name/**/_init
#else
#define INIT_C(name) name/**/_init_c
#endif
  subroutine test_large_counts()
    REQUEST :: pair(2)
    integer, asynchronous :: data(n), came(n)
    integer, save, asynchronous :: attached(1024) ! to the end
    integer(MPI_COUNT_KIND), parameter :: length = n
    integer :: mode, round

    call MPI_Buffer_attach(attached, 4096, ierror)
    do mode = 1, 4
      call INIT_C(MPI_Recv)(came, length, MPI_INTEGER, before, mode, MPI_COMM_WORLD, pair(1), &
                            ierror)
      if (mode == 1) call INIT_C(MPI_Send)(data, length, MPI_INTEGER, after, mode, &
                                           MPI_COMM_WORLD, pair(2), ierror)
      if (mode == 2) call INIT_C(MPI_Bsend)(data, length, MPI_INTEGER, after, mode, &
                                            MPI_COMM_WORLD, pair(2), ierror)
      if (mode == 3) call INIT_C(MPI_Ssend)(data, length, MPI_INTEGER, after, mode, &
                                            MPI_COMM_WORLD, pair(2), ierror)
      if (mode == 4) call INIT_C(MPI_Rsend)(data, length, MPI_INTEGER, after, mode, &
                                            MPI_COMM_WORLD, pair(2), ierror)
      do round = 1, rounds
        data = element(rank, round, mode)
        came = -1
        call MPI_Start(pair(1), ierror)
        call MPI_Barrier(MPI_COMM_WORLD, ierror)
        call MPI_Start(pair(2), ierror)
        call MPI_Wait(pair(1), MPI_STATUS_IGNORE, ierror)
        call MPI_Wait(pair(2), MPI_STATUS_IGNORE, ierror)
        call check(all(came == element(before, round, mode)), 'large count')
      end do
      call MPI_Request_free(pair(1), ierror)
      call MPI_Request_free(pair(2), ierror)
    end do
  end subroutine test_large_counts

end module pairs

program main
  use pairs
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  before = modulo(rank - 1, ranks)
  after = modulo(rank + 1, ranks)
  call test_numbers()
  call test_segments()
  call test_lists()
  call test_large_counts()
  call conclude()
end program main
