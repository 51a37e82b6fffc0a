! SPDX-License-Identifier: Apache-2.0
! partition_mesh MESH PARTS OUT - divide the elements of a METIS mesh, or the vertices of a
! graph in any other format, into parts, and write the part of each to OUT (cellDecomposition:
! for OpenFOAM).
!   gfortran -c "$(pkg-config --variable=fortran cleave)/cleave.f90"
!   gfortran -o partition_mesh partition_mesh.f90 cleave.o $(pkg-config --libs cleave)
program partition_mesh
    use cleave
    implicit none
    character(len=1024) :: mesh, number, output
    character(kind=c_char, len=5), target :: dual = 'dual'//c_null_char
    character(kind=c_char, len=1), target :: none = c_null_char
    type(cleave_error) :: err
    type(cleave_read_options), target :: reading
    type(cleave_options), target :: options
    type(cleave_map_report), target :: report
    type(c_ptr) :: graph, machine, mapping
    integer(c_int32_t), pointer :: part(:)
    integer :: parts, length, ios, p

    if (command_argument_count() /= 3) call fail('usage: partition_mesh MESH PARTS OUT')
    call get_command_argument(1, mesh, length)
    call get_command_argument(2, number)
    call get_command_argument(3, output)
    read (number, *, iostat=ios) parts
    if (ios /= 0 .or. parts < 1) call fail('usage: partition_mesh MESH PARTS OUT')

    ! Elements of a mesh that share an edge are neighbours.
    call cleave_init(reading)
    if (index(mesh, '.mesh') > 0) then
        reading%mesh = c_loc(dual)
        reading%common = 2
        reading%coords = c_loc(none)
    end if
    call check(cleave_graph_read(graph, cleave_c_string(mesh), c_loc(reading), err))
    call check(cleave_target_create(machine, int(parts, c_int32_t), c_null_ptr, err))

    call cleave_init(options)
    call cleave_init(report)
    options%effort = CLEAVE_EFFORT_QUALITY
    options%report = c_loc(report)
    call check(cleave_map(mapping, graph, machine, c_loc(options), err))

    call c_f_pointer(cleave_mapping_parts(mapping), part, [cleave_mapping_vertices(mapping)])
    print '(a,i0,a,i0,a,i0)', 'vertices ', size(part), ', parts ', parts, ', cut ', report%cut
    do p = 0, parts - 1
        print '(a,i0,a,i0)', 'part ', p, ': vertices ', count(part == p)
    end do
    call check(cleave_mapping_write(mapping, cleave_c_string(output), err))
    call cleave_mapping_free(mapping)
    call cleave_target_free(machine)
    call cleave_graph_free(graph)

contains

    subroutine check(status)
        integer(c_int), intent(in) :: status
        if (status /= CLEAVE_OK) call fail('partition_mesh: '//cleave_message(err))
    end subroutine check

    subroutine fail(text)
        use, intrinsic :: iso_fortran_env, only: error_unit
        character(len=*), intent(in) :: text
        write (error_unit, '(a)') text
        stop 1
    end subroutine fail
end program partition_mesh
