! SPDX-License-Identifier: BSD-3-Clause
! Plain collectives from a program that knows nothing of mpix, in each of Fortran's ways to MPI:
! HOW is 1 for mpif.h, 2 for mpi, 3 for mpi_f08. Exit code 1 where an answer is wrong.
program plain
#if HOW == 3
  use mpi_f08
#elif HOW == 2
  use mpi
#endif
  implicit none
#if HOW == 1
  include 'mpif.h'
#endif
  integer, parameter :: length = 5
  integer :: rank, ranks, round, i, wrong, any_wrong, error
  integer :: told(length), block(length)
  double precision :: values(length), sums(length)
  integer, allocatable :: all(:)
  integer, allocatable, asynchronous :: later(:)
#if HOW == 3
  type(MPI_Request) :: requests(2)
#else
  integer :: requests(2)
#endif

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  allocate(all(length * ranks), later(length * ranks))
  wrong = 0
  do round = 1, 20
    told = merge(round, -1, rank == ranks - 1)
    call MPI_Bcast(told, length, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD, error)
    if (any(told /= round)) wrong = wrong + 1
    values = rank + round
    call MPI_Allreduce(values, sums, length, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Allreduce(MPI_IN_PLACE, values, length, MPI_DOUBLE_PRECISION, MPI_SUM, &
                       MPI_COMM_WORLD, error)
    if (any(sums /= values) .or. any(sums /= ranks * round + ranks * (ranks - 1) / 2)) &
      wrong = wrong + 1
    block = 100 * rank + round
    call MPI_Allgather(block, length, MPI_INTEGER, all, length, MPI_INTEGER, MPI_COMM_WORLD, error)
    do i = 0, ranks - 1
      if (any(all(i * length + 1:(i + 1) * length) /= 100 * i + round)) wrong = wrong + 1
    end do
    told = merge(2 * round, -1, rank == 0)
    call MPI_Ibcast(told, length, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(1), error)
    call MPI_Iallgather(block, length, MPI_INTEGER, later, length, MPI_INTEGER, MPI_COMM_WORLD, &
                        requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (any(told /= 2 * round) .or. any(later /= all)) wrong = wrong + 1
    do i = 1, 2
      if (requests(i) /= MPI_REQUEST_NULL) wrong = wrong + 1
    end do
    call MPI_Barrier(MPI_COMM_WORLD, error)
  end do
  call MPI_Reduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
  call MPI_Bcast(any_wrong, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  if (any_wrong /= 0 .and. rank == 0) print *, 'wrong: ', any_wrong
  call MPI_Finalize(error)
  if (any_wrong /= 0) stop 1
end program plain
