! SPDX-License-Identifier: BSD-3-Clause
! Persistent sums from a program that says "use mpi_f08" and knows nothing of mpix. Whoever sees
! Start but not Wait (or the other way round) hangs here or gives a wrong sum.
! Exit code 1 where a sum is wrong.
program sums_f08
  use mpi_f08
#ifdef MPIX_NAMES
  use mpi_f08_ext
#define MPI_Allreduce_init MPIX_Allreduce_init
#define MPI_Bcast_init MPIX_Bcast_init
#endif
  implicit none
  integer, parameter :: operations = 4, length = 3
  integer, asynchronous, volatile :: in(length, operations), out(length, operations), told
  integer :: rank, ranks, round, i, wrong, any_wrong, index, expected
  type(MPI_Request) :: requests(operations), bcast
  type(MPI_Status) :: statuses(operations)
  logical :: done

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  do i = 1, operations
    call MPI_Allreduce_init(in(:, i), out(:, i), length, MPI_INTEGER, MPI_SUM, &
                            MPI_COMM_WORLD, MPI_INFO_NULL, requests(i))
  end do
  call MPI_Bcast_init(told, 1, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, MPI_INFO_NULL, bcast)

  wrong = 0
  do round = 1, 60
    do i = 1, operations
      in(:, i) = 100 * round + 10 * i + rank
    end do
    out = -1
    told = merge(round, -1, rank == ranks - 1)
    call MPI_Start(bcast)
    if (mod(round, 2) == 0) then
      call MPI_Startall(operations, requests)
    else
      do i = operations, 1, -1
        call MPI_Start(requests(i))
      end do
    end if
    select case (mod(round, 6))
    case (0)
      call MPI_Waitall(operations, requests, statuses)
    case (1)
      do i = 1, operations
        call MPI_Wait(requests(i), MPI_STATUS_IGNORE)
      end do
    case (2)
      do i = 1, operations
        done = .false.
        do while (.not. done)
          call MPI_Test(requests(i), done, MPI_STATUS_IGNORE)
        end do
      end do
    case (3)
      do i = 1, operations
        call MPI_Waitany(operations, requests, index, MPI_STATUS_IGNORE)
        ! The wrapper of MPICH 4.0.2 counts from 0 here, whatever is below it.
        if (index < 0 .or. index > operations) wrong = wrong + 1
      end do
    case (4)
      done = .false.
      do while (.not. done)
        call MPI_Testall(operations, requests, done, statuses)
      end do
    case default
      call MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE)
    end select
    call MPI_Wait(bcast, MPI_STATUS_IGNORE)
    if (told /= round) wrong = wrong + 1
    do i = 1, operations
      expected = (100 * round + 10 * i) * ranks + ranks * (ranks - 1) / 2
      if (any(out(:, i) /= expected)) wrong = wrong + 1
    end do
  end do

  do i = 1, operations
    call MPI_Request_free(requests(i))
    if (requests(i) /= MPI_REQUEST_NULL) wrong = wrong + 1
  end do
  call MPI_Request_free(bcast)
  call MPI_Allreduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (any_wrong /= 0 .and. rank == 0) print *, 'wrong: ', any_wrong
  call MPI_Finalize()
  if (any_wrong /= 0) stop 1
end program sums_f08
