! SPDX-License-Identifier: BSD-3-Clause
!
! Channels round a ring, through either module: bound and unbound in every way, with one slot and with
! two, whose elements are known by arithmetic.
#include "handles.inc"

module channels
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  implicit none

  integer, parameter :: rounds = 6, n = 3
  integer :: rank, ranks, before, after, ierror
  integer, asynchronous :: send(2 * n), recv(2 * n)
  REQUEST, asynchronous :: ends(2), channel(2) ! sender, receiver; nonblocking binds write later
  INFO :: info

contains

  elemental function element(from, round, i) result(value)
    integer, intent(in) :: from, round, i
    integer :: value
    value = 1000 * from + 10 * round + i
  end function element

  subroutine make_ends()
    call MPI_Send_init(send, n, MPI_INTEGER, after, 3, MPI_COMM_WORLD, ends(1), ierror)
    call MPI_Recv_init(recv, n, MPI_INTEGER, before, 3, MPI_COMM_WORLD, ends(2), ierror)
    channel = MPI_REQUEST_NULL
  end subroutine make_ends

  subroutine wait_for(requests)
    REQUEST, intent(inout) :: requests(2)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, ierror)
  end subroutine wait_for

  subroutine exchange(what)
    character(len=*), intent(in) :: what
    integer :: round, i

    do round = 1, rounds
      send(:n) = element(rank, round, [(i, i=1, n)])
      recv = -1
      call MPI_Start(channel(2), ierror)
      call MPI_Start(channel(1), ierror)
      call wait_for(channel)
      call expect(what, recv(:n), [(element(before, round, i), i=1, n)])
    end do
  end subroutine exchange

  ! Two starts at each end before the first completion, each with a buffer of its own.
  subroutine exchange_two(what)
    character(len=*), intent(in) :: what
    integer :: round, i

    do round = 1, rounds
      send = element(rank, round, [(i, i=1, 2 * n)])
      recv = -1
      do i = 1, 2
        call MPI_Start(channel(2), ierror)
        call MPI_Start(channel(1), ierror)
      end do
      call wait_for(channel)
      call wait_for(channel)
      call expect(what, recv, [(element(before, round, i), i=1, 2 * n)])
    end do
  end subroutine exchange_two

  subroutine free_ends()
    call MPI_Request_free(ends(1), ierror)
    call MPI_Request_free(ends(2), ierror)
    call check(channel(1) == MPI_REQUEST_NULL .and. channel(2) == MPI_REQUEST_NULL, 'unbound')
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine free_ends

  subroutine test_single()
    call make_ends()
    call MPIX_Ibind_channel(ends(2), channel(2), MPI_INFO_NULL)
    call MPIX_Bind_channel(ends(1), channel(1), MPI_INFO_NULL, ierror)
    call MPI_Wait(ends(2), MPI_STATUS_IGNORE, ierror)
    call exchange('channel')
    call MPIX_Unbind_channel(channel(1))
    call MPIX_Iunbind_channel(channel(2), MPI_INFO_NULL, ierror)
    call MPI_Wait(channel(2), MPI_STATUS_IGNORE, ierror)
    call free_ends()

    call make_ends()
    call MPIX_Ibind_slack_channel(ends(2), channel(2), 2, info)
    call MPIX_Bind_slack_channel(ends(1), channel(1), 2, info)
    call MPI_Wait(ends(2), MPI_STATUS_IGNORE, ierror)
    call exchange_two('slack channel')
    call MPIX_Unbind_channels(channel, 2)
    call free_ends()
  end subroutine test_single

  ! An array of infos may be left out.
  subroutine test_arrays()
    call make_ends()
    call MPIX_Bind_channels(ends, channel, 2, ierror=ierror)
    call exchange('channels')
    call MPIX_Unbind_channels(channel, 2)
    call free_ends()

    call make_ends()
    call MPIX_Ibind_channels(ends, channel, 2, [MPI_INFO_NULL, MPI_INFO_NULL])
    call wait_for(ends)
    call exchange('nonblocking channels')
    call MPIX_Iunbind_channels(channel, 2)
    call wait_for(channel)
    call free_ends()

    call make_ends()
    call MPIX_Bind_slack_channels(ends, channel, 2, [2, 2], [info, info], ierror)
    call exchange_two('slack channels')
    call MPIX_Unbind_channels(channel, 2)
    call free_ends()

    call make_ends()
    call MPIX_Ibind_slack_channels(ends, channel, 2, [2, 2], [info, info])
    call wait_for(ends)
    call exchange_two('nonblocking slack channels')
    call MPIX_Unbind_channels(channel, 2)
    call free_ends()
  end subroutine test_arrays

  subroutine test_inits()
    call MPIX_Send_channel_init(send, int(n, MPI_COUNT_KIND), MPI_INTEGER, after, 4, &
                                MPI_COMM_WORLD, MPI_INFO_NULL, channel(1))
    call MPIX_Recv_channel_init(recv, int(n, MPI_COUNT_KIND), MPI_INTEGER, before, 4, &
                                MPI_COMM_WORLD, MPI_INFO_NULL, channel(2), ierror)
    call exchange('channel of its own')
    call MPIX_Unbind_channels(channel, 2)
  end subroutine test_inits

  ! A bind that fails leaves its request usable, and out a null request.
  subroutine test_failure()
    REQUEST :: out(2)
    integer :: code, class

    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call make_ends()
    out = ends
    call MPIX_Bind_slack_channels(ends, out, 2, [0, 0], [MPI_INFO_NULL, MPI_INFO_NULL], code)
    call MPI_Error_class(code, class, ierror)
    call check(class == MPI_ERR_ARG, 'class of a failed bind')
    call check(out(1) == MPI_REQUEST_NULL .and. out(2) == MPI_REQUEST_NULL, 'failed bind')
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call free_ends()
  end subroutine test_failure

end module channels

program main
  use channels
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  before = modulo(rank - 1, ranks)
  after = modulo(rank + 1, ranks)
  call MPI_Info_create(info, ierror)
  call MPI_Info_set(info, 'ADDRESS_BASE_INCREMENT', '3', ierror)
  call test_single()
  call test_arrays()
  call test_inits()
  call test_failure()
  call MPI_Info_free(info, ierror)
  call conclude()
end program main
