! SPDX-License-Identifier: BSD-3-Clause
! The heat equation u_t = u_xx + u_yy on the unit square with u = 0 on its border, explicit in time.
! The columns are dealt out along a line of processes; a persistent neighbourhood collective carries
! the edges, and a persistent reduction sums u squared, one step behind. The first sine mode decays
! in a known way, which is what the end is checked against.
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
  use, intrinsic :: iso_fortran_env, only: real64, error_unit
  use persistent
  implicit none

  real(real64), parameter :: pi = acos(-1.0_real64)
  real(real64), parameter :: ratio = 0.2_real64 ! time step over width**2, stable up to 0.25
  real(real64), parameter :: rounding = 1e-10_real64

  integer :: points = 64, steps = 1000
  integer :: rank, ranks, first, columns, step
  real(real64) :: width, started, seconds
  type(MPI_Comm) :: line
  type(MPI_Request) :: halo, energy_sum
  real(real64), allocatable :: u(:, :), next(:, :)
  ! Buffers of a started collective may change, or be read, while Fortran does not look.
  real(real64), allocatable, asynchronous :: outgoing(:, :), incoming(:, :)
  real(real64), asynchronous :: my_energy, energy
  real(real64) :: initial_energy
  logical :: right

  call MPI_Init()
  call make_line()
  call read_arguments()
  call set_up_field()
  call bind_collectives()

  initial_energy = total_energy()
  call MPI_Barrier(line)
  started = MPI_Wtime()
  do step = 1, steps
    call advance()
    if (step > 1) call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
    my_energy = sum(u(1:points, 1:columns)**2)
    call MPI_Start(energy_sum)
  end do
  call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
  seconds = MPI_Wtime() - started

  call check_and_report(right)
  call MPI_Request_free(halo)
  call MPI_Request_free(energy_sum)
  call MPI_Comm_free(line)
  call MPI_Finalize()
  if (.not. right) stop 1

contains

  subroutine make_line()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., line)
    call MPI_Comm_rank(line, rank)
  end subroutine make_line

  subroutine read_arguments()
    call read_number(1, points)
    call read_number(2, steps)
    if (points >= ranks .and. steps >= 1) return
    if (rank == 0) write (error_unit, '(a)') 'heat: needs a point for each rank, and one step'
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end subroutine read_arguments

  subroutine read_number(position, number)
    integer, intent(in) :: position
    integer, intent(inout) :: number
    character(len=32) :: text
    integer :: status

    if (command_argument_count() < position) return
    call get_command_argument(position, text)
    read (text, *, iostat=status) number
    if (status == 0) return
    if (rank == 0) write (error_unit, '(2a)') 'heat: not a number: ', trim(text)
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end subroutine read_number

  ! Rank r owns columns points*r/ranks + 1 to points*(r+1)/ranks, here 1 to columns; columns 0 and
  ! columns + 1 are the neighbours'.
  subroutine set_up_field()
    integer :: i, j

    first = points * rank / ranks + 1
    columns = points * (rank + 1) / ranks - first + 1
    width = 1.0_real64 / (points + 1)
    allocate (u(0:points + 1, 0:columns + 1), next(0:points + 1, 0:columns + 1))
    allocate (outgoing(points, 2), incoming(points, 2))
    u = 0
    next = 0
    outgoing = 0
    incoming = 0 ! stays so where there is no neighbour: the border
    do j = 1, columns
      do i = 1, points
        u(i, j) = sine_mode(i, j)
      end do
    end do
  end subroutine set_up_field

  pure function sine_mode(i, j) result(value)
    integer, intent(in) :: i, j
    real(real64) :: value
    value = sin(pi * i * width) * sin(pi * (first + j - 1) * width)
  end function sine_mode

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
    call update(2, columns - 1)
    call MPI_Wait(halo, MPI_STATUS_IGNORE)
    u(1:points, 0) = incoming(:, 1)
    u(1:points, columns + 1) = incoming(:, 2)
    call update(1, 1)
    if (columns > 1) call update(columns, columns)
    u(1:points, 1:columns) = next(1:points, 1:columns)
  end subroutine advance

  subroutine update(from, to)
    integer, intent(in) :: from, to
    integer :: i, j

    do j = from, to
      do i = 1, points
        next(i, j) = u(i, j) + ratio * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) &
                                        - 4 * u(i, j))
      end do
    end do
  end subroutine update

  function total_energy() result(total)
    real(real64) :: mine, total
    mine = sum(u(1:points, 1:columns)**2)
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, line)
  end function total_energy

  ! The greatest difference of u, over all ranks, from the sine mode times a factor.
  function distance_from_mode(factor) result(greatest)
    real(real64), intent(in) :: factor
    real(real64) :: mine, greatest
    integer :: i, j

    mine = 0
    do j = 1, columns
      do i = 1, points
        mine = max(mine, abs(u(i, j) - factor * sine_mode(i, j)))
      end do
    end do
    call MPI_Allreduce(mine, greatest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, line)
  end function distance_from_mode

  ! The scheme multiplies the mode by a known factor in each step, which must hold to rounding, for
  ! the field and for the root of its energy. The equation damps the mode by exp(-2 pi**2 t): that
  ! rate must hold to the error of the scheme, which is of second order in the width.
  subroutine check_and_report(all_right)
    logical, intent(out) :: all_right
    real(real64) :: scheme, equation, error, decay, slowest

    scheme = (1 - 8 * ratio * sin(pi * width / 2)**2)**steps
    equation = exp(-2 * pi**2 * steps * ratio * width**2)
    decay = sqrt(energy / initial_energy)
    error = distance_from_mode(scheme) / scheme
    all_right = error < rounding .and. abs(decay / scheme - 1) < rounding &
                .and. abs(log(decay) / log(equation) - 1) < (pi * width)**2 / 2
    call MPI_Allreduce(seconds, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, line)
    if (rank /= 0) return
    print '(3(a, i0))', 'heat: ranks ', ranks, ', points ', points, ' x ', points
    print '(a, i0)', 'steps ', steps
    print '(a, f14.12)', 'decay ', decay
    print '(a, f14.12)', 'equation ', equation
    print '(a, es8.2)', 'error ', error
    print '(a, f12.6)', 'seconds ', slowest
    print '(a)', merge('right', 'WRONG', all_right)
  end subroutine check_and_report

end program heat
