! SPDX-License-Identifier: Apache-2.0
! Each main noun once from Fortran: a graph from arrays, a mapping, an order and its split, a
! schedule, a triangular solve; strings and errors.
program test_module
    use cleave
    implicit none
    integer, parameter :: n = 12
    type(cleave_error) :: err
    type(c_ptr) :: graph
    integer :: failures
    failures = 0
    call strings()
    call make_ring()
    call mapped()
    call ordered()
    call solved()
    call cleave_graph_free(graph)
    call cleave_graph_free(c_null_ptr)
    if (failures > 0) stop 1
    print '(a)', 'ok'

contains

    subroutine check(what, condition)
        character(len=*), intent(in) :: what
        logical, intent(in) :: condition
        if (condition) return
        print '(3a)', 'failed: ', what, ' '//cleave_message(err)
        failures = failures + 1
    end subroutine check

    subroutine strings()
        type(c_ptr) :: none
        character(len=:), allocatable :: text
        text = cleave_text(cleave_version())
        call check('version', index(text, '.') > 0 .and. len(text) >= 5)
        call check('text of NULL', cleave_text(c_null_ptr) == '')
        call check('status', cleave_text(cleave_status_text(CLEAVE_ENOMEM)) == 'out of memory')
        call check('no target', cleave_target_parse(none, cleave_c_string('meh:4  '), err) == &
            CLEAVE_EINVAL)
        call check('message', index(cleave_message(err), '"meh:4" is not a target') == 1)
        call check('nothing handed out', .not. c_associated(none))
    end subroutine strings

    ! Vertex v has neighbours v - 1 and v + 1.
    subroutine make_ring()
        type(cleave_csr), target :: csr
        integer(c_int64_t), target :: xadj(n + 1)
        integer(c_int32_t), target :: adj(2*n)
        integer :: v
        xadj = [(2*v, v=0, n)]
        adj = [(modulo(v - 1, n), modulo(v + 1, n), v=0, n - 1)]
        call cleave_init(csr)
        csr%nvtx = n
        csr%xadj = c_loc(xadj)
        csr%adj = c_loc(adj)
        call check('graph', cleave_graph_create(graph, c_loc(csr), 0, err) == CLEAVE_OK)
        call check('vertices', cleave_graph_vertices(graph) == n)
        call check('edges', cleave_graph_edges(graph) == n)
        adj(1) = 5 ! one way: refused
        call check('one way', refused(csr))
    end subroutine make_ring

    logical function refused(csr)
        type(cleave_csr), target, intent(in) :: csr
        type(c_ptr) :: other
        refused = cleave_graph_create(other, c_loc(csr), 0, err) == CLEAVE_EINVAL
    end function refused

    subroutine mapped()
        type(c_ptr) :: machine, mapping
        type(cleave_options), target :: options
        type(cleave_map_report), target :: report
        type(cleave_metrics) :: metrics
        integer(c_int32_t), pointer :: part(:)
        call cleave_init(options)
        call cleave_init(report)
        call check('default', abs(options%imbalance - 0.03d0) < 1d-12 .and. options%seed == 1)
        options%report = c_loc(report)
        call check('target', cleave_target_parse(machine, cleave_c_string('2,1'), err) == 0)
        call check('map', cleave_map(mapping, graph, machine, c_loc(options), err) == 0)
        call c_f_pointer(cleave_mapping_parts(mapping), part, [n])
        call check('parts', count(part == 0) == 8 .and. count(part == 1) == 4)
        call check('cut', report%cut == 2 .and. report%balanced == 1)
        call cleave_init(metrics)
        call check('evaluate', cleave_evaluate(metrics, graph, mapping, c_null_ptr, err) == 0)
        call check('pieces', metrics%pieces == 2 .and. metrics%cut == 2)
        call cleave_mapping_free(mapping)
        call cleave_target_free(machine)
    end subroutine mapped

    subroutine ordered()
        type(c_ptr) :: order, machine
        integer(c_int32_t) :: begin(3), end(3)
        call check('order', cleave_order_build(order, graph, c_null_ptr, err) == CLEAVE_OK)
        call check('target', cleave_target_parse(machine, cleave_c_string('2,1,1'), err) == 0)
        call check('split', cleave_order_split(begin, end, order, machine, c_null_ptr, err) == 0)
        call check('shares', all(end - begin == [6, 3, 3]))
        call cleave_target_free(machine)
        call cleave_order_free(order)
    end subroutine ordered

    ! 2 on the diagonal, 1 before it.
    subroutine solved()
        type(cleave_triangle), target :: triangle
        type(cleave_run_info) :: info
        type(c_ptr) :: plan
        integer(c_int64_t), target :: xadj(4) = [0_c_int64_t, 1_c_int64_t, 3_c_int64_t, &
            5_c_int64_t]
        integer(c_int32_t), target :: idx(5) = [0, 0, 1, 1, 2]
        real(c_double), target :: val(5) = [2d0, 1d0, 2d0, 1d0, 2d0]
        real(c_double) :: x(3), b(3)
        b = [2d0, 3d0, 3d0]
        call cleave_init(triangle)
        triangle%n = 3
        triangle%xadj = c_loc(xadj)
        triangle%idx = c_loc(idx)
        triangle%val = c_loc(val)
        call check('plan', cleave_trsv_create(plan, c_loc(triangle), c_null_ptr, err) == 0)
        call check('solve', cleave_trsv_solve(plan, x, b, err) == CLEAVE_OK)
        call check('solution', all(abs(x - 1) < 1d-15))
        call cleave_init(info)
        call cleave_trsv_info(plan, info)
        call check('non-zeros', info%nonzeros == 5)
        call cleave_trsv_free(plan)
    end subroutine solved
end program test_module
