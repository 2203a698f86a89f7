! SPDX-License-Identifier: BSD-3-Clause
!
! What the tests of the modules check with: a program goes on after a wrong answer, since the other
! ranks wait for it, and all return the verdict of all.
module checking
  use mpi_f08
  implicit none (type, external)
  private
  public :: check, expect, conclude

  logical :: is_right = .true.

contains

  subroutine check(right, what)
    logical, intent(in) :: right
    character(len=*), intent(in) :: what

    if (.not. right) print '(2a)', 'WRONG: ', what
    is_right = is_right .and. right
  end subroutine check

  subroutine expect(what, got, wanted)
    character(len=*), intent(in) :: what
    integer, intent(in) :: got(:), wanted(:)

    if (size(got) == size(wanted)) then
      if (all(got == wanted)) return
    end if
    print '(2a, *(1x, i0))', 'WRONG: ', what, got
    print '(a, *(1x, i0))', '   wanted', wanted
    is_right = .false.
  end subroutine expect

  subroutine conclude()
    integer :: wrong, any_wrong, ierror

    wrong = merge(0, 1, is_right)
    call MPI_Allreduce(wrong, any_wrong, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
    if (any_wrong /= 0) stop 1
  end subroutine conclude

end module checking
