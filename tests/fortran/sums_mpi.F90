! SPDX-License-Identifier: BSD-3-Clause
! Persistent sums from a program that says "use mpi" and knows nothing of mpix. Whoever sees
! Start but not Wait (or the other way round) hangs here or gives a wrong sum.
! Exit code 1 where a sum is wrong.
program sums_mpi
  use mpi
#ifdef MPIX_NAMES
  use mpi_ext
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#endif
  implicit none
  integer, parameter :: operations = 4, length = 3
  integer, volatile :: in(length, operations), out(length, operations), told
  integer :: requests(operations), bcast, rank, ranks, round, i, ierror
  integer :: wrong, any_wrong, index, expected
  integer :: statuses(MPI_STATUS_SIZE, operations)
  logical :: done

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  do i = 1, operations
    call MPI_Allreduce_init(in(1, i), out(1, i), length, MPI_INTEGER, MPI_SUM, &
                            MPI_COMM_WORLD, MPI_INFO_NULL, requests(i), ierror)
  end do
  call MPI_Bcast_init(told, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, bcast, ierror)

  wrong = 0
  do round = 1, 60
    do i = 1, operations
      in(:, i) = 100 * round + 10 * i + rank
    end do
    out = -1
    told = merge(round, -1, rank == ranks - 1)
    call MPI_Start(bcast, ierror)
    if (mod(round, 2) == 0) then
      call MPI_Startall(operations, requests, ierror)
    else
      do i = operations, 1, -1
        call MPI_Start(requests(i), ierror)
      end do
    end if
    select case (mod(round, 6))
    case (0)
      call MPI_Waitall(operations, requests, statuses, ierror)
    case (1)
      do i = 1, operations
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE, ierror)
      end do
    case (2)
      do i = 1, operations
        done = .false.
        do while (.not. done)
          call MPI_Test(requests(i), done, MPI_STATUS_IGNORE, ierror)
        end do
      end do
    case (3)
      do i = 1, operations
        call MPI_Waitany(operations, requests, index, MPI_STATUS_IGNORE, ierror)
        if (index < 1 .or. index > operations) wrong = wrong + 1
      end do
    case (4)
      done = .false.
      do while (.not. done)
        call MPI_Testall(operations, requests, done, statuses, ierror)
      end do
    case default
      call MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE, ierror)
    end select
    call MPI_Wait(bcast, MPI_STATUS_IGNORE, ierror)
    if (told /= round) wrong = wrong + 1
    do i = 1, operations
      expected = (100 * round + 10 * i) * ranks + ranks * (ranks - 1) / 2
      if (any(out(:, i) /= expected)) wrong = wrong + 1
    end do
  end do

  do i = 1, operations
    call MPI_Request_free(requests(i), ierror)
    if (requests(i) /= MPI_REQUEST_NULL) wrong = wrong + 1
  end do
  call MPI_Request_free(bcast, ierror)
  call MPI_Allreduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
  if (any_wrong /= 0 .and. rank == 0) print *, 'wrong: ', any_wrong
  call MPI_Finalize(ierror)
  if (any_wrong /= 0) stop 1
end program sums_mpi
