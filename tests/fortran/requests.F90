! SPDX-License-Identifier: BSD-3-Clause
!
! Requests made of others and of procedures, other buffers for one, and what the library tells,
! through either module.
#include "handles.inc"

module requests
  use HOST_MODULE
  use MPIX_MODULE
  use checking
  implicit none

  integer, parameter :: rounds = 3, n = 4
  integer :: rank, ranks, ierror
  ! What the procedures of generalized requests 1 and 2 were called for, in their order.
  character(len=32) :: calls = ''
  integer :: polls(2) = 0

contains

  subroutine note(call, extra_state)
    character, intent(in) :: call
    integer(MPI_ADDRESS_KIND), intent(in) :: extra_state
    calls = trim(calls) // call // achar(iachar('0') + int(extra_state))
  end subroutine note

  subroutine start(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    call note('s', extra_state)
    polls(extra_state) = 0
    ierror = MPI_SUCCESS
  end subroutine start

  subroutine poll(extra_state, flag, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: flag
    integer :: ierror
    polls(extra_state) = polls(extra_state) + 1
    flag = polls(extra_state) == 3
    ierror = MPI_SUCCESS
  end subroutine poll

  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    STATUS(status)
    integer :: ierror
    call note('q', extra_state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 5, ierror)
    TAG_OF(status) = 77
  end subroutine query

  subroutine end_state(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    call note('f', extra_state)
    ierror = MPI_SUCCESS
  end subroutine end_state

  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    call note(merge('C', 'c', complete), extra_state)
    ierror = MPI_SUCCESS
  end subroutine cancel

  subroutine make(number, request)
    integer, intent(in) :: number
    REQUEST, intent(out) :: request
    call MPIX_Pgrequest_init(start, poll, query, end_state, cancel, int(number, MPI_ADDRESS_KIND), &
                             request)
  end subroutine make

  subroutine check_calls(wanted)
    character(len=*), intent(in) :: wanted
    call check(calls == wanted, 'calls are ' // trim(calls) // ', not ' // wanted)
    calls = ''
  end subroutine check_calls

  subroutine test_generalized()
    REQUEST :: request
    STATUS(status)
    integer :: round, elements

    call make(1, request)
    do round = 1, rounds
      call MPI_Start(request, ierror)
      call MPI_Wait(request, status, ierror)
      call MPI_Get_count(status, MPI_INTEGER, elements, ierror)
      call check(elements == 5 .and. TAG_OF(status) == 77, 'status of a generalized request')
      call check_calls('s1q1')
    end do
    call MPI_Start(request, ierror)
    call MPI_Cancel(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    call check(calls == 's1c1q1f1' .or. calls == 's1C1q1f1', 'cancelled: ' // calls)
    calls = ''

    call MPIX_Pgrequest_init(start, poll, extra_state=2_MPI_ADDRESS_KIND, request=request, &
                             ierror=ierror)
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call MPI_Request_free(request, ierror)
    call check_calls('s2')
  end subroutine test_generalized

  ! Members count from one: the first waits for the second.
  subroutine test_order()
    REQUEST :: members(2), bundle
    integer :: round, i

    do i = 1, 2
      call make(i, members(i))
    end do
    call MPIX_Bundle_init(2, members, MPI_INFO_NULL, bundle)
    call MPIX_Bundle_after(bundle, 1, 2)
    do round = 1, rounds
      call MPI_Start(bundle, ierror)
      call MPI_Wait(bundle, MPI_STATUS_IGNORE, ierror)
      call check_calls('s2q2s1q1')
    end do
    call MPI_Request_free(bundle, ierror)
    call MPI_Request_free(members(1), ierror)
    call MPI_Request_free(members(2), ierror)
    call check_calls('f1f2')
  end subroutine test_order

  subroutine test_messages()
    REQUEST :: members(2), bundle
    integer, asynchronous :: send(n), recv(n)
    integer :: before, round, i

    before = modulo(rank - 1, ranks)
    call MPI_Recv_init(recv, n, MPI_INTEGER, before, 1, MPI_COMM_WORLD, members(1), ierror)
    call MPI_Send_init(send, n, MPI_INTEGER, modulo(rank + 1, ranks), 1, MPI_COMM_WORLD, &
                       members(2), ierror)
    call MPIX_Bundle_init(2, members, MPI_INFO_NULL, bundle, ierror)
    do round = 1, rounds
      send = [(100 * round + 10 * rank + i, i=1, n)]
      call MPI_Start(bundle, ierror)
      call MPI_Wait(bundle, MPI_STATUS_IGNORE, ierror)
      call expect('messages of a bundle', recv, [(100 * round + 10 * before + i, i=1, n)])
    end do
    call MPI_Request_free(bundle, ierror)
    call MPI_Request_free(members(1), ierror)
    call MPI_Request_free(members(2), ierror)
  end subroutine test_messages

  subroutine test_rebind()
    REQUEST :: request
    integer, asynchronous :: send(n), recv(n), other_send(n), other_recv(n)

    call MPI_Allreduce_init(send, recv, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
                            request, ierror)
    send = rank
    recv = -1
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call check(all(recv == ranks * (ranks - 1) / 2), 'before the rebind')
    call MPIX_Request_rebind(request, other_send, other_recv)
    other_send = 2 * rank
    recv = -1
    call MPI_Start(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    call check(all(other_recv == ranks * (ranks - 1)) .and. all(recv == -1), 'after the rebind')
    call MPI_Request_free(request, ierror)
  end subroutine test_rebind

  subroutine test_automatic()
    logical :: flag
    integer :: plans

    call MPIX_Auto_get(MPI_COMM_WORLD, flag, plans)
    call check(.not. flag .and. plans == 0, 'plain collectives at first')
    call MPIX_Auto_set(MPI_COMM_WORLD, .true.)
    call MPIX_Auto_get(MPI_COMM_WORLD, flag, ierror=ierror)
    call check(flag .or. ranks == 1, 'plain collectives on plans')
    call MPIX_Auto_set(MPI_COMM_WORLD, .false., ierror)
    call MPIX_Auto_get(MPI_COMM_WORLD, flag)
    call MPIX_Auto_get(MPI_COMM_WORLD, plans=plans)
    call check(.not. flag, 'plain collectives no more')
  end subroutine test_automatic

  subroutine test_texts()
    REQUEST :: request
    integer, asynchronous :: value(1), total(1)
    INFO :: info

    call check(index(MPIX_Describe(), MPIX_VERSION) > 0, 'description')
    call check(MPIX_Plan_name(MPI_REQUEST_NULL) == '', 'plan of no request')
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, 'mpix_plan', 'delegate', ierror)
    call MPI_Allreduce_init(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, info, request, &
                            ierror)
    call check(MPIX_Plan_name(request) == 'delegate', 'plan is ' // MPIX_Plan_name(request))
    call MPI_Info_free(info, ierror)
    call MPI_Request_free(request, ierror)
  end subroutine test_texts

end module requests

program main
  use requests
  implicit none

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  call test_generalized()
  call test_order()
  call test_messages()
  call test_rebind()
  call test_automatic()
  call test_texts()
  call conclude()
end program main
