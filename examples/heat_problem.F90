! SPDX-License-Identifier: BSD-3-Clause
! The heat equation u_t = u_xx + u_yy on the unit square with u = 0 on its border, explicit in time, as
! heat and heat_partitions solve it: the columns are dealt out along a line of processes. The first
! sine mode decays in a known way, which is what the end is checked against.

module heat_problem
  use, intrinsic :: iso_fortran_env, only: real64, error_unit
  use mpi_f08
  implicit none

  real(real64), parameter :: pi = acos(-1.0_real64)
  real(real64), parameter :: ratio = 0.2_real64 ! time step over width**2, stable up to 0.25
  real(real64), parameter :: rounding = 1e-10_real64

  integer :: points = 64, steps = 1000
  integer :: rank, ranks, first, columns
  real(real64) :: width
  type(MPI_Comm) :: line

contains

  ! Rank r owns columns points*r/ranks + 1 to points*(r+1)/ranks, here 1 to columns; columns 0 and
  ! columns + 1 are the neighbours'.
  subroutine set_up()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.false.], .false., line)
    call MPI_Comm_rank(line, rank)
    call read_arguments()
    first = points * rank / ranks + 1
    columns = points * (rank + 1) / ranks - first + 1
    width = 1.0_real64 / (points + 1)
  end subroutine set_up

  subroutine read_arguments()
    call read_number(1, points)
    call read_number(2, steps)
    if (points >= ranks .and. steps >= 1) return
    call give_up('needs a point for each rank, and one step')
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
    call give_up('not a number: ' // trim(text))
  end subroutine read_number

  subroutine give_up(why)
    character(len=*), intent(in) :: why
    if (rank == 0) write (error_unit, '(2a)') 'heat: ', why
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end subroutine give_up

  subroutine set_field(u)
    real(real64), intent(out) :: u(0:, 0:)
    integer :: i, j

    u = 0
    do j = 1, columns
      do i = 1, points
        u(i, j) = sine_mode(i, j)
      end do
    end do
  end subroutine set_field

  pure function energy_here(u) result(mine)
    real(real64), intent(in) :: u(0:, 0:)
    real(real64) :: mine
    mine = sum(u(1:points, 1:columns)**2)
  end function energy_here

  pure function sine_mode(i, j) result(value)
    integer, intent(in) :: i, j
    real(real64) :: value
    value = sin(pi * i * width) * sin(pi * (first + j - 1) * width)
  end function sine_mode

  ! One time step of some rows of some columns.
  subroutine update(u, next, top, bottom, from, to)
    real(real64), intent(in) :: u(0:, 0:)
    real(real64), intent(inout) :: next(0:, 0:)
    integer, intent(in) :: top, bottom, from, to
    integer :: i, j

    do j = from, to
      do i = top, bottom
        next(i, j) = u(i, j) + ratio * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) &
                                        - 4 * u(i, j))
      end do
    end do
  end subroutine update

  function total_energy(u) result(total)
    real(real64), intent(in) :: u(0:, 0:)
    real(real64) :: total
    call MPI_Allreduce(energy_here(u), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, line)
  end function total_energy

  ! The greatest difference of u, over all ranks, from the sine mode times a factor.
  function distance_from_mode(u, factor) result(greatest)
    real(real64), intent(in) :: u(0:, 0:), factor
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
  subroutine check_and_report(u, energy, initial_energy, seconds, all_right)
    real(real64), intent(in) :: u(0:, 0:), energy, initial_energy, seconds
    logical, intent(out) :: all_right
    real(real64) :: scheme, equation, error, decay, slowest

    scheme = (1 - 8 * ratio * sin(pi * width / 2)**2)**steps
    equation = exp(-2 * pi**2 * steps * ratio * width**2)
    decay = sqrt(energy / initial_energy)
    error = distance_from_mode(u, scheme) / scheme
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

end module heat_problem
