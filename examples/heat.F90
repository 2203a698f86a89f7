! SPDX-License-Identifier: BSD-3-Clause
! The heat equation of heat_problem.F90: a persistent neighbourhood collective carries the edges, and a
! persistent reduction sums u squared, one step behind.
!
!     heat [points along each side [time steps]]
!
! Open MPI 4.1 spells the persistent collectives MPIX_: compile with -DMPIX_NAMES there.

module persistent
  use mpi_f08
#ifdef MPIX_NAMES
  use mpi_f08_ext, only: MPI_Allreduce_init => MPIX_Allreduce_init, &
                         MPI_Neighbor_alltoall_init => MPIX_Neighbor_alltoall_init
#endif
  implicit none
end module persistent

program heat
  use persistent
  use heat_problem
  implicit none

  integer :: step
  real(real64) :: started, seconds
  type(MPI_Request) :: halo, energy_sum
  real(real64), allocatable :: u(:, :), next(:, :)
  ! Buffers of a started collective may change, or be read, while Fortran does not look.
  real(real64), allocatable, asynchronous :: outgoing(:, :), incoming(:, :)
  real(real64), asynchronous :: my_energy, energy
  real(real64) :: initial_energy
  logical :: right

  call MPI_Init()
  call set_up()
  call make_fields()
  call bind_collectives()

  initial_energy = total_energy(u)
  call MPI_Barrier(line)
  started = MPI_Wtime()
  do step = 1, steps
    call advance()
    if (step > 1) call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
    my_energy = energy_here(u)
    call MPI_Start(energy_sum)
  end do
  call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
  seconds = MPI_Wtime() - started

  call check_and_report(u, energy, initial_energy, seconds, right)
  call MPI_Request_free(halo)
  call MPI_Request_free(energy_sum)
  call MPI_Comm_free(line)
  call MPI_Finalize()
  if (.not. right) stop 1

contains

  subroutine make_fields()
    allocate (u(0:points + 1, 0:columns + 1), next(0:points + 1, 0:columns + 1))
    allocate (outgoing(points, 2), incoming(points, 2))
    call set_field(u)
    outgoing = 0
    incoming = 0 ! stays so where there is no neighbour: the border
  end subroutine make_fields

  subroutine bind_collectives()
    call MPI_Neighbor_alltoall_init(outgoing, points, MPI_DOUBLE_PRECISION, &
                                    incoming, points, MPI_DOUBLE_PRECISION, line, &
                                    MPI_INFO_NULL, halo)
    call MPI_Allreduce_init(my_energy, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, line, &
                            MPI_INFO_NULL, energy_sum)
  end subroutine bind_collectives

  ! One time step: the inner columns while the edges travel, then the two outer ones.
  subroutine advance()
    outgoing(:, 1) = u(1:points, 1)
    outgoing(:, 2) = u(1:points, columns)
    call MPI_Start(halo)
    call update(u, next, 1, points, 2, columns - 1)
    call MPI_Wait(halo, MPI_STATUS_IGNORE)
    u(1:points, 0) = incoming(:, 1)
    u(1:points, columns + 1) = incoming(:, 2)
    call update(u, next, 1, points, 1, 1)
    if (columns > 1) call update(u, next, 1, points, columns, columns)
    u(1:points, 1:columns) = next(1:points, 1:columns)
  end subroutine advance

end program heat
