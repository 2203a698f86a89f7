! SPDX-License-Identifier: BSD-3-Clause
! The heat equation of heat_problem.F90 with partitions: the two outer columns are computed first, a
! part of their points at a time, and each part is sent as soon as it is there, out of the field and
! into the neighbour's. The neighbour begins a part when what it needs for it has arrived. The same
! program for every host, whose own modules need not have these calls.
!
!     heat_partitions [points along each side [time steps [parts of a column]]]

program heat_partitions
  use mpi_f08
  use mpix_f08
  use heat_problem
  implicit none

  integer, parameter :: before = 1, after = 2 ! sides
  integer :: parts = 4, step, neighbors(2)
  real(real64) :: started, seconds
  ! The field after even and odd steps, whose outer columns are sent, and come from the neighbours.
  real(real64), allocatable, asynchronous :: u(:, :, :)
  type(MPI_Request) :: sends(2, 0:1), receives(2, 0:1), energy_sum
  real(real64), asynchronous :: my_energy, energy
  real(real64) :: initial_energy
  logical :: right

  call MPI_Init()
  call set_up()
  call read_number(3, parts)
  if (parts < 1 .or. modulo(points, max(parts, 1)) /= 0) &
    call give_up('the parts of a column have to be equal')
  call make_fields()
  call bind_operations()

  initial_energy = total_energy(u(:, :, 0))
  call MPI_Barrier(line)
  started = MPI_Wtime()
  call start_exchange(0)
  call MPI_Pready_range(0, parts - 1, sends(before, 0))
  call MPI_Pready_range(0, parts - 1, sends(after, 0))
  do step = 1, steps
    call advance(modulo(step - 1, 2), modulo(step, 2))
    if (step > 1) call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
    my_energy = energy_here(u(:, :, modulo(step, 2)))
    call MPI_Start(energy_sum)
  end do
  call finish_exchange(modulo(steps, 2))
  call MPI_Wait(energy_sum, MPI_STATUS_IGNORE)
  seconds = MPI_Wtime() - started

  call check_and_report(u(:, :, modulo(steps, 2)), energy, initial_energy, seconds, right)
  call free_operations()
  call MPI_Comm_free(line)
  call MPI_Finalize()
  if (.not. right) stop 1

contains

  ! Nothing is written where there is no neighbour: the border stays 0.
  subroutine make_fields()
    allocate (u(0:points + 1, 0:columns + 1, 0:1))
    call set_field(u(:, :, 0))
    u(:, :, 1) = 0
    call MPI_Cart_shift(line, 0, 1, neighbors(before), neighbors(after))
  end subroutine make_fields

  subroutine bind_operations()
    integer :: which

    do which = 0, 1
      call bind_column(1, 0, before, which)
      call bind_column(columns, columns + 1, after, which)
    end do
    call MPI_Allreduce_init(my_energy, energy, 1, MPI_DOUBLE_PRECISION, MPI_SUM, line, &
                            MPI_INFO_NULL, energy_sum)
  end subroutine bind_operations

  ! What goes to one side and what comes from there; a message has the tag of the side it goes to.
  subroutine bind_column(own, theirs, side, which)
    integer, intent(in) :: own, theirs, side, which
    integer(MPI_COUNT_KIND) :: length

    length = points / parts
    call MPI_Psend_init(u(1:points, own, which), parts, length, MPI_DOUBLE_PRECISION, &
                        neighbors(side), 2 * which + side, line, MPI_INFO_NULL, sends(side, which))
    call MPI_Precv_init(u(1:points, theirs, which), parts, length, MPI_DOUBLE_PRECISION, &
                        neighbors(side), 2 * which + before + after - side, line, MPI_INFO_NULL, &
                        receives(side, which))
  end subroutine bind_column

  subroutine start_exchange(which)
    integer, intent(in) :: which
    call MPI_Startall(2, receives(:, which))
    call MPI_Startall(2, sends(:, which))
  end subroutine start_exchange

  subroutine finish_exchange(which)
    integer, intent(in) :: which
    call MPI_Waitall(2, sends(:, which), MPI_STATUSES_IGNORE)
    call MPI_Waitall(2, receives(:, which), MPI_STATUSES_IGNORE)
  end subroutine finish_exchange

  ! One time step: the outer columns part by part, then the inner ones while the parts travel.
  subroutine advance(old, new)
    integer, intent(in) :: old, new
    integer :: part

    call start_exchange(new)
    do part = 0, parts - 1
      call wait_for(part, old)
      call update_part(part, 1, old, new)
      if (columns > 1) call update_part(part, columns, old, new)
      call MPI_Pready(part, sends(before, new))
      call MPI_Pready(part, sends(after, new))
    end do
    call update(u(:, :, old), u(:, :, new), 1, points, 2, columns - 1)
    call finish_exchange(old)
  end subroutine advance

  subroutine wait_for(part, which)
    integer, intent(in) :: part, which
    integer :: side
    logical :: is_there

    do side = before, after
      is_there = .false.
      do while (.not. is_there)
        call MPI_Parrived(receives(side, which), part, is_there)
      end do
    end do
  end subroutine wait_for

  subroutine update_part(part, column, old, new)
    integer, intent(in) :: part, column, old, new
    integer :: length

    length = points / parts
    call update(u(:, :, old), u(:, :, new), part * length + 1, (part + 1) * length, column, column)
  end subroutine update_part

  subroutine free_operations()
    integer :: side, which

    do which = 0, 1
      do side = before, after
        call MPI_Request_free(sends(side, which))
        call MPI_Request_free(receives(side, which))
      end do
    end do
    call MPI_Request_free(energy_sum)
  end subroutine free_operations

end program heat_partitions
