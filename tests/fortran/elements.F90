! SPDX-License-Identifier: BSD-3-Clause
!
! What ranks send to each other in the tests of collectives: every element is known by arithmetic.
module elements
  implicit none

  integer, parameter :: rounds = 3, n = 6
  integer :: rank, ranks, round
  integer, allocatable, asynchronous :: send(:), recv(:)

contains

  ! Element i of what a rank has for another one.
  elemental function element(from, to, i) result(value)
    integer, intent(in) :: from, to, i
    integer :: value
    value = 1000000 * round + 10000 * from + 100 * to + i
  end function element

  function block(from, to, length) result(values)
    integer, intent(in) :: from, to, length
    integer :: values(length), i
    values = element(from, to, [(i, i=1, length)])
  end function block

  ! The block of each rank for all, of n elements or of one more than its rank.
  function blocks_of_all(grow) result(values)
    logical, intent(in) :: grow
    integer, allocatable :: values(:)
    integer :: i
    values = [(block(i, 0, merge(i + 1, n, grow)), i=0, ranks - 1)]
  end function blocks_of_all

  ! The sum over ranks 0 to last of their blocks for one rank.
  function sums(last, to, length) result(values)
    integer, intent(in) :: last, to, length
    integer :: values(length), i
    values = 0
    do i = 0, last
      values = values + block(i, to, length)
    end do
  end function sums

  subroutine make_buffers(to_send, to_receive)
    integer, intent(in) :: to_send, to_receive
    if (allocated(send)) deallocate (send, recv)
    allocate (send(to_send), recv(to_receive))
    send = -1
    recv = -1
  end subroutine make_buffers

end module elements
