! SPDX-License-Identifier: Apache-2.0
! cleave.f90 - interface to the C library for Fortran 2003, with iso_c_binding.
!
! Compile this file with your own compiler and link to libcleave:
!   gfortran -c "$(pkg-config --variable=fortran cleave)/cleave.f90"
!   gfortran program.f90 cleave.o $(pkg-config --libs cleave)
! Names, arguments and meanings are those of the headers <cleave/*.h>, which document them.
!
! Handles    Graphs, targets, mappings, orders, matrices, schedules and plans are type(c_ptr),
!            c_null_ptr for NULL; free them with the matching _free.
! Structs    have the members of C in the same order (a test compares them).  Initialise them
!            with call cleave_init(opt).  For a pointer to const, or one that may be NULL, pass
!            c_loc(opt) of a target variable, or c_null_ptr for defaults.
! Strings    Arguments are zero-terminated: cleave_c_string('mesh.graph').  Members of structs
!            need c_loc of such a variable, which must be a target and live as long.
! Arrays     Vertices and parts count from 0, as in C.  Arrays returned as type(c_ptr) are
!            converted with call c_f_pointer(pointer, array, [n]).
! Omitted    circuits, pictures, the arrays inside orders and schedules, single precision, and
!            files of numbers, which Fortran can read.  Similar interface blocks can declare them.
! Errors     Functions return a status, CLEAVE_OK = 0; cleave_message(err) is the message.
module cleave
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! ---- Constants ------------------------------------------------------------------------
    integer(c_int), parameter :: CLEAVE_OK = 0, CLEAVE_EINVAL = -1, CLEAVE_ENOMEM = -2
    integer(c_int), parameter :: CLEAVE_EIO = -3, CLEAVE_EPARSE = -4, CLEAVE_ERANGE = -5
    integer(c_int), parameter :: CLEAVE_ECYCLE = -6, CLEAVE_ECANCEL = -7, CLEAVE_EBALANCE = -8

    integer(c_int), parameter :: CLEAVE_UNDIRECTED = 0, CLEAVE_DAG = 1
    integer(c_int), parameter :: CLEAVE_BORROW = 1, CLEAVE_REPAIR = 2, CLEAVE_TRUST = 4
    integer(c_int), parameter :: CLEAVE_DROP_LOOPS = 8

    integer(c_int), parameter :: CLEAVE_EFFORT_FAST = 0, CLEAVE_EFFORT_DEFAULT = 1
    integer(c_int), parameter :: CLEAVE_EFFORT_QUALITY = 2, CLEAVE_EFFORT_BEST = 3
    integer(c_int), parameter :: CLEAVE_OBJECTIVE_CUT = 0, CLEAVE_OBJECTIVE_VOLUME = 1
    integer(c_int), parameter :: CLEAVE_OBJECTIVE_COST = 2, CLEAVE_OBJECTIVE_CONGESTION = 3

    ! ---- Structs ----------------------------------------------------------------------------
    type, bind(c) :: cleave_error
        integer(c_int) :: status
        character(kind=c_char), dimension(252) :: message
    end type cleave_error

    type, bind(c) :: cleave_csr
        integer(c_size_t) :: size
        integer(c_int) :: kind
        integer(c_int32_t) :: nvtx
        type(c_ptr) :: xadj
        type(c_ptr) :: adj
        type(c_ptr) :: vwgt
        type(c_ptr) :: ewgt
        integer(c_int32_t) :: ncon
        integer(c_int32_t) :: ndim
        type(c_ptr) :: vsize
        type(c_ptr) :: coords
        type(c_ptr) :: names
    end type cleave_csr

    type, bind(c) :: cleave_read_options
        integer(c_size_t) :: size
        type(c_ptr) :: format
        type(c_ptr) :: as
        type(c_ptr) :: symmetrise
        type(c_ptr) :: weights
        real(c_double) :: scale
        type(c_ptr) :: coords
        type(c_ptr) :: mesh
        integer(c_int32_t) :: common
        integer(c_int) :: binarise
        integer(c_int) :: flags
        integer(c_int) :: threads
        type(c_ptr) :: repairs
        type(c_funptr) :: progress
        type(c_ptr) :: payload
        integer(c_int) :: condense
        type(c_ptr) :: components
    end type cleave_read_options

    type, bind(c) :: cleave_write_options
        integer(c_size_t) :: size
        type(c_ptr) :: format
        type(c_ptr) :: part
        type(c_funptr) :: progress
        type(c_ptr) :: payload
        type(c_ptr) :: place
        type(c_ptr) :: encoding
        type(c_ptr) :: mesh_file
        type(c_ptr) :: mesh
        type(c_ptr) :: mesh_coords
        integer(c_int) :: no_sync
    end type cleave_write_options

    type, bind(c) :: cleave_constraints
        integer(c_size_t) :: size
        type(c_ptr) :: fixed
        type(c_ptr) :: groups
        type(c_ptr) :: shares
        type(c_ptr) :: imbalance
        type(c_ptr) :: min
        type(c_ptr) :: max
        integer(c_int) :: connected
        type(c_ptr) :: start
    end type cleave_constraints

    type, bind(c) :: cleave_map_report
        integer(c_size_t) :: size
        integer(c_int64_t) :: cut
        integer(c_int64_t) :: volume
        real(c_double) :: imbalance
        integer(c_int32_t) :: empty_parts
        integer(c_int32_t) :: balanced
        integer(c_int32_t) :: levels
        integer(c_int32_t) :: threads
        integer(c_int32_t) :: cycles
        integer(c_int32_t) :: timed_out
        real(c_double) :: seconds
        real(c_double) :: seconds_coarsen
        real(c_double) :: seconds_initial
        real(c_double) :: seconds_refine
        integer(c_int32_t) :: acyclic
        integer(c_int64_t) :: critical_path
        integer(c_int64_t) :: cost
        integer(c_int64_t) :: cost_identity
        real(c_double) :: residual
        integer(c_int32_t) :: converged
    end type cleave_map_report

    type, bind(c) :: cleave_options
        integer(c_size_t) :: size
        real(c_double) :: imbalance
        integer(c_int64_t) :: seed
        integer(c_int) :: effort
        integer(c_int) :: objective
        integer(c_int) :: threads
        real(c_double) :: time_limit
        type(c_ptr) :: constraints
        type(c_ptr) :: report
        type(c_funptr) :: progress
        type(c_ptr) :: payload
        type(c_ptr) :: method
        type(c_ptr) :: params
        integer(c_int) :: one_to_one
    end type cleave_options

    type, bind(c) :: cleave_generate_options
        integer(c_size_t) :: size
        integer(c_int64_t) :: seed
        integer(c_int) :: threads
    end type cleave_generate_options

    type, bind(c) :: cleave_matrix_csr
        integer(c_size_t) :: size
        integer(c_int32_t) :: nrow
        integer(c_int32_t) :: ncol
        type(c_ptr) :: xadj
        type(c_ptr) :: col
        type(c_ptr) :: val
    end type cleave_matrix_csr

    type, bind(c) :: cleave_quotient_csr
        integer(c_size_t) :: size
        integer(c_int) :: kind
        integer(c_int32_t) :: nparts
        integer(c_int32_t) :: ncon
        type(c_ptr) :: xadj
        type(c_ptr) :: adj
        type(c_ptr) :: weight
        type(c_ptr) :: cut
    end type cleave_quotient_csr

    type, bind(c) :: cleave_evaluate_options
        integer(c_size_t) :: size
        type(c_ptr) :: shares
        real(c_double) :: imbalance
        integer(c_int64_t) :: cost_vertex
        integer(c_int64_t) :: cost_inside
        integer(c_int64_t) :: cost_cut
    end type cleave_evaluate_options

    type, bind(c) :: cleave_metrics
        integer(c_size_t) :: size
        integer(c_int32_t) :: parts
        integer(c_int32_t) :: empty_parts
        integer(c_int64_t) :: cut
        integer(c_int64_t) :: volume
        integer(c_int64_t) :: max_volume
        real(c_double) :: imbalance
        integer(c_int32_t) :: balanced
        integer(c_int32_t) :: pieces
        integer(c_int64_t) :: setups
        integer(c_int32_t) :: acyclic
        integer(c_int32_t) :: convex
        integer(c_int64_t) :: critical_path
        integer(c_int64_t) :: min_weight
        integer(c_int64_t) :: max_weight
    end type cleave_metrics

    type, bind(c) :: cleave_order_options
        integer(c_size_t) :: size
        type(c_ptr) :: method
        type(c_ptr) :: params
        integer(c_int64_t) :: seed
        integer(c_int) :: effort
        integer(c_int) :: threads
        type(c_funptr) :: progress
        type(c_ptr) :: payload
        real(c_double) :: time_limit
    end type cleave_order_options

    type, bind(c) :: cleave_split_options
        integer(c_size_t) :: size
        real(c_double) :: imbalance
        type(c_ptr) :: grouping
    end type cleave_split_options

    type, bind(c) :: cleave_remap_report
        integer(c_size_t) :: size
        character(kind=c_char), dimension(16) :: strategy
        integer(c_int64_t) :: cut
        integer(c_int64_t) :: cut_before
        integer(c_int64_t) :: migration
        integer(c_int64_t) :: migration_bound
    end type cleave_remap_report

    type, bind(c) :: cleave_remap_options
        integer(c_size_t) :: size
        real(c_double) :: migration_price
        type(c_ptr) :: strategy
        type(c_ptr) :: from
        type(c_ptr) :: order
        type(c_ptr) :: options
        type(c_ptr) :: report
    end type cleave_remap_options

    type, bind(c) :: cleave_target_metrics
        integer(c_size_t) :: size
        integer(c_int64_t) :: cost
        integer(c_int64_t) :: cost_identity
        integer(c_int64_t) :: cut
        real(c_double) :: average_dilation
        integer(c_int64_t) :: max_link_load
        real(c_double) :: average_link_load
        integer(c_int64_t) :: max_pe_traffic
        real(c_double) :: imbalance
        integer(c_int32_t) :: levels
        integer(c_int64_t), dimension(16) :: cost_level
        integer(c_int64_t), dimension(16) :: cost_level_identity
    end type cleave_target_metrics

    type, bind(c) :: cleave_order_metrics
        integer(c_size_t) :: size
        integer(c_int64_t) :: fill
        real(c_double) :: operations
        integer(c_int64_t) :: largest_column
        integer(c_int32_t) :: height
    end type cleave_order_metrics

    type, bind(c) :: cleave_schedule_costs
        integer(c_size_t) :: size
        real(c_double) :: sync
        real(c_double) :: read
    end type cleave_schedule_costs

    type, bind(c) :: cleave_schedule_options
        integer(c_size_t) :: size
        type(c_ptr) :: method
        type(c_ptr) :: params
        integer(c_int32_t) :: threads
        type(c_ptr) :: costs
        integer(c_int) :: split_rows
        integer(c_int64_t) :: seed
        real(c_double) :: time_limit
        integer(c_int) :: workers
        type(c_funptr) :: solver
        type(c_ptr) :: solver_payload
        type(c_funptr) :: progress
        type(c_ptr) :: payload
    end type cleave_schedule_options

    type, bind(c) :: cleave_schedule_metrics
        integer(c_size_t) :: size
        integer(c_int32_t) :: levels
        integer(c_int32_t) :: layers
        integer(c_int32_t) :: threads_used
        integer(c_int64_t) :: work_total
        integer(c_int64_t) :: work_max
        integer(c_int64_t) :: crossing_edges
        real(c_double) :: cost
        real(c_double) :: cost_serial
        real(c_double) :: predicted_speedup
        real(c_double) :: mean_parallelism
    end type cleave_schedule_metrics

    type, bind(c) :: cleave_run_options
        integer(c_size_t) :: size
        type(c_ptr) :: method
        type(c_ptr) :: params
        type(c_ptr) :: costs
        integer(c_int) :: threads
        type(c_ptr) :: team
        type(c_ptr) :: sync
        integer(c_int64_t) :: expected_calls
        integer(c_int) :: split_rows
        integer(c_int) :: pair
        integer(c_int64_t) :: seed
    end type cleave_run_options

    type, bind(c) :: cleave_run_info
        integer(c_size_t) :: size
        type(c_ptr) :: method
        type(c_ptr) :: sync
        integer(c_int32_t) :: layers
        integer(c_int32_t) :: threads
        integer(c_int64_t) :: nonzeros
        integer(c_int64_t) :: bytes
        integer(c_int64_t) :: waits
        real(c_double) :: seconds_analysis
        integer(c_int32_t) :: split_rows
    end type cleave_run_info

    type, bind(c) :: cleave_triangle
        integer(c_size_t) :: size
        integer(c_int32_t) :: n
        type(c_ptr) :: xadj
        type(c_ptr) :: idx
        type(c_ptr) :: val
        type(c_ptr) :: val32
        integer(c_int) :: by_columns
        integer(c_int) :: upper
        integer(c_int) :: unit
        integer(c_int) :: transpose
        integer(c_int) :: part
    end type cleave_triangle

    ! ---- Functions of the library -----------------------------------------------------------
    interface
        function cleave_status_text(status) bind(c)
            import
            integer(c_int), value :: status
            type(c_ptr) :: cleave_status_text
        end function cleave_status_text
        function cleave_version() bind(c)
            import
            type(c_ptr) :: cleave_version
        end function cleave_version
        function cleave_features() bind(c)
            import
            type(c_ptr) :: cleave_features
        end function cleave_features
        subroutine cleave_csr_init(csr, size) bind(c)
            import
            type(cleave_csr), intent(inout) :: csr
            integer(c_size_t), value :: size
        end subroutine cleave_csr_init
        function cleave_graph_create(out, csr, flags, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: csr
            integer(c_int), value :: flags
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_create
        end function cleave_graph_create
        subroutine cleave_graph_free(g) bind(c)
            import
            type(c_ptr), value :: g
        end subroutine cleave_graph_free
        function cleave_builder_create(out, kind, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            integer(c_int), value :: kind
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_builder_create
        end function cleave_builder_create
        function cleave_builder_add(b, count, tail, head, wgt, err) bind(c)
            import
            type(c_ptr), value :: b
            integer(c_int64_t), value :: count
            integer(c_int32_t), dimension(*), intent(in) :: tail
            integer(c_int32_t), dimension(*), intent(in) :: head
            type(c_ptr), value :: wgt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_builder_add
        end function cleave_builder_add
        function cleave_builder_symmetrise(b, rule, err) bind(c)
            import
            type(c_ptr), value :: b
            character(kind=c_char), dimension(*), intent(in) :: rule
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_builder_symmetrise
        end function cleave_builder_symmetrise
        function cleave_builder_finish(out, b, nvtx, attributes, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: b
            integer(c_int32_t), value :: nvtx
            type(c_ptr), value :: attributes
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_builder_finish
        end function cleave_builder_finish
        subroutine cleave_builder_free(b) bind(c)
            import
            type(c_ptr), value :: b
        end subroutine cleave_builder_free
        function cleave_graph_vertices(g) bind(c)
            import
            type(c_ptr), value :: g
            integer(c_int32_t) :: cleave_graph_vertices
        end function cleave_graph_vertices
        function cleave_graph_edges(g) bind(c)
            import
            type(c_ptr), value :: g
            integer(c_int64_t) :: cleave_graph_edges
        end function cleave_graph_edges
        subroutine cleave_graph_view(g, view) bind(c)
            import
            type(c_ptr), value :: g
            type(cleave_csr), intent(inout) :: view
        end subroutine cleave_graph_view
        function cleave_graph_name(g, v) bind(c)
            import
            type(c_ptr), value :: g
            integer(c_int32_t), value :: v
            type(c_ptr) :: cleave_graph_name
        end function cleave_graph_name
        subroutine cleave_read_options_init(opt, size) bind(c)
            import
            type(cleave_read_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_read_options_init
        function cleave_graph_read(out, path, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_read
        end function cleave_graph_read
        subroutine cleave_write_options_init(opt, size) bind(c)
            import
            type(cleave_write_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_write_options_init
        function cleave_graph_write(g, path, opt, err) bind(c)
            import
            type(c_ptr), value :: g
            character(kind=c_char), dimension(*), intent(in) :: path
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_write
        end function cleave_graph_write
        function cleave_graph_write_coords(g, path, err) bind(c)
            import
            type(c_ptr), value :: g
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_write_coords
        end function cleave_graph_write_coords
        function cleave_graph_generate(out, spec, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: spec
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_generate
        end function cleave_graph_generate
        function cleave_graph_topological_order(g, order, err) bind(c)
            import
            type(c_ptr), value :: g
            integer(c_int32_t), dimension(*), intent(inout) :: order
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_topological_order
        end function cleave_graph_topological_order
        function cleave_graph_subgraph(out, g, count, vertices, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            integer(c_int32_t), value :: count
            integer(c_int32_t), dimension(*), intent(in) :: vertices
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_subgraph
        end function cleave_graph_subgraph
        subroutine cleave_quotient_csr_init(csr, size) bind(c)
            import
            type(cleave_quotient_csr), intent(inout) :: csr
            integer(c_size_t), value :: size
        end subroutine cleave_quotient_csr_init
        function cleave_quotient_create(out, g, m, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_quotient_create
        end function cleave_quotient_create
        subroutine cleave_quotient_view(q, view) bind(c)
            import
            type(c_ptr), value :: q
            type(cleave_quotient_csr), intent(inout) :: view
        end subroutine cleave_quotient_view
        function cleave_quotient_write(q, path, opt, err) bind(c)
            import
            type(c_ptr), value :: q
            character(kind=c_char), dimension(*), intent(in) :: path
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_quotient_write
        end function cleave_quotient_write
        subroutine cleave_quotient_free(q) bind(c)
            import
            type(c_ptr), value :: q
        end subroutine cleave_quotient_free
        function cleave_graph_quotient(out, g, m, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_graph_quotient
        end function cleave_graph_quotient
        subroutine cleave_matrix_csr_init(csr, size) bind(c)
            import
            type(cleave_matrix_csr), intent(inout) :: csr
            integer(c_size_t), value :: size
        end subroutine cleave_matrix_csr_init
        function cleave_matrix_read(out, path, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_read
        end function cleave_matrix_read
        function cleave_matrix_create(out, csr, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: csr
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_create
        end function cleave_matrix_create
        subroutine cleave_matrix_view(a, view) bind(c)
            import
            type(c_ptr), value :: a
            type(cleave_matrix_csr), intent(inout) :: view
        end subroutine cleave_matrix_view
        function cleave_matrix_write(a, path, err) bind(c)
            import
            type(c_ptr), value :: a
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_write
        end function cleave_matrix_write
        subroutine cleave_matrix_free(a) bind(c)
            import
            type(c_ptr), value :: a
        end subroutine cleave_matrix_free
        function cleave_matrix_ic0(out, a, shift, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: a
            type(c_ptr), value :: shift
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_ic0
        end function cleave_matrix_ic0
        function cleave_matrix_ilu0(out, a, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: a
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_ilu0
        end function cleave_matrix_ilu0
        function cleave_matrix_cholesky(out, permutation, a, order, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: permutation
            type(c_ptr), value :: a
            type(c_ptr), value :: order
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_matrix_cholesky
        end function cleave_matrix_cholesky
        function cleave_mapping_create(out, nvtx, nparts, part, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            integer(c_int32_t), value :: nvtx
            integer(c_int32_t), value :: nparts
            integer(c_int32_t), dimension(*), intent(in) :: part
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_mapping_create
        end function cleave_mapping_create
        function cleave_mapping_read(out, path, nvtx, nparts, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            integer(c_int32_t), value :: nvtx
            integer(c_int32_t), value :: nparts
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_mapping_read
        end function cleave_mapping_read
        function cleave_mapping_write(m, path, err) bind(c)
            import
            type(c_ptr), value :: m
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_mapping_write
        end function cleave_mapping_write
        function cleave_mapping_vertices(m) bind(c)
            import
            type(c_ptr), value :: m
            integer(c_int32_t) :: cleave_mapping_vertices
        end function cleave_mapping_vertices
        function cleave_mapping_nparts(m) bind(c)
            import
            type(c_ptr), value :: m
            integer(c_int32_t) :: cleave_mapping_nparts
        end function cleave_mapping_nparts
        function cleave_mapping_parts(m) bind(c)
            import
            type(c_ptr), value :: m
            type(c_ptr) :: cleave_mapping_parts
        end function cleave_mapping_parts
        subroutine cleave_mapping_free(m) bind(c)
            import
            type(c_ptr), value :: m
        end subroutine cleave_mapping_free
        function cleave_mapping_part_order(g, m, order, err) bind(c)
            import
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            integer(c_int32_t), dimension(*), intent(inout) :: order
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_mapping_part_order
        end function cleave_mapping_part_order
        function cleave_target_parse(out, spec, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: spec
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_target_parse
        end function cleave_target_parse
        function cleave_target_create(out, npes, speeds, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            integer(c_int32_t), value :: npes
            type(c_ptr), value :: speeds
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_target_create
        end function cleave_target_create
        function cleave_target_pes(t) bind(c)
            import
            type(c_ptr), value :: t
            integer(c_int32_t) :: cleave_target_pes
        end function cleave_target_pes
        function cleave_target_speed(t, pe) bind(c)
            import
            type(c_ptr), value :: t
            integer(c_int32_t), value :: pe
            real(c_double) :: cleave_target_speed
        end function cleave_target_speed
        function cleave_target_distance(t, p, q) bind(c)
            import
            type(c_ptr), value :: t
            integer(c_int32_t), value :: p
            integer(c_int32_t), value :: q
            integer(c_int32_t) :: cleave_target_distance
        end function cleave_target_distance
        function cleave_target_write(t, path, err) bind(c)
            import
            type(c_ptr), value :: t
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_target_write
        end function cleave_target_write
        subroutine cleave_target_free(t) bind(c)
            import
            type(c_ptr), value :: t
        end subroutine cleave_target_free
        subroutine cleave_constraints_init(constraints, size) bind(c)
            import
            type(cleave_constraints), intent(inout) :: constraints
            integer(c_size_t), value :: size
        end subroutine cleave_constraints_init
        subroutine cleave_map_report_init(report, size) bind(c)
            import
            type(cleave_map_report), intent(inout) :: report
            integer(c_size_t), value :: size
        end subroutine cleave_map_report_init
        subroutine cleave_options_init(opt, size) bind(c)
            import
            type(cleave_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_options_init
        function cleave_map(out, g, t, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: t
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_map
        end function cleave_map
        function cleave_launch_write(path, form, m, t, hosts, err) bind(c)
            import
            character(kind=c_char), dimension(*), intent(in) :: path
            character(kind=c_char), dimension(*), intent(in) :: form
            type(c_ptr), value :: m
            type(c_ptr), value :: t
            type(c_ptr), value :: hosts
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_launch_write
        end function cleave_launch_write
        subroutine cleave_evaluate_options_init(opt, size) bind(c)
            import
            type(cleave_evaluate_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_evaluate_options_init
        subroutine cleave_metrics_init(metrics, size) bind(c)
            import
            type(cleave_metrics), intent(inout) :: metrics
            integer(c_size_t), value :: size
        end subroutine cleave_metrics_init
        function cleave_evaluate(metrics, g, m, opt, err) bind(c)
            import
            type(cleave_metrics), intent(inout) :: metrics
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_evaluate
        end function cleave_evaluate
        function cleave_evaluate_parts(g, m, weight, volume, pieces, err) bind(c)
            import
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            type(c_ptr), value :: weight
            type(c_ptr), value :: volume
            type(c_ptr), value :: pieces
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_evaluate_parts
        end function cleave_evaluate_parts
        subroutine cleave_target_metrics_init(metrics, size) bind(c)
            import
            type(cleave_target_metrics), intent(inout) :: metrics
            integer(c_size_t), value :: size
        end subroutine cleave_target_metrics_init
        function cleave_evaluate_target(metrics, g, m, t, err) bind(c)
            import
            type(cleave_target_metrics), intent(inout) :: metrics
            type(c_ptr), value :: g
            type(c_ptr), value :: m
            type(c_ptr), value :: t
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_evaluate_target
        end function cleave_evaluate_target
        subroutine cleave_order_options_init(opt, size) bind(c)
            import
            type(cleave_order_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_order_options_init
        function cleave_order_build(out, g, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_build
        end function cleave_order_build
        function cleave_order_create(out, nvtx, vertex, weight, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            integer(c_int32_t), value :: nvtx
            integer(c_int32_t), dimension(*), intent(in) :: vertex
            type(c_ptr), value :: weight
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_create
        end function cleave_order_create
        subroutine cleave_order_free(o) bind(c)
            import
            type(c_ptr), value :: o
        end subroutine cleave_order_free
        function cleave_order_vertices(o) bind(c)
            import
            type(c_ptr), value :: o
            integer(c_int32_t) :: cleave_order_vertices
        end function cleave_order_vertices
        function cleave_order_view(o) bind(c)
            import
            type(c_ptr), value :: o
            type(c_ptr) :: cleave_order_view
        end function cleave_order_view
        function cleave_order_read(out, path, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_read
        end function cleave_order_read
        function cleave_order_open(out, path, flags, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            integer(c_int), value :: flags
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_open
        end function cleave_order_open
        function cleave_order_write(o, path, err) bind(c)
            import
            type(c_ptr), value :: o
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_write
        end function cleave_order_write
        subroutine cleave_split_options_init(opt, size) bind(c)
            import
            type(cleave_split_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_split_options_init
        function cleave_order_split(begin, end, o, t, opt, err) bind(c)
            import
            integer(c_int32_t), dimension(*), intent(inout) :: begin
            integer(c_int32_t), dimension(*), intent(inout) :: end
            type(c_ptr), value :: o
            type(c_ptr), value :: t
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_split
        end function cleave_order_split
        function cleave_order_mapping(out, o, npes, begin, end, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: o
            integer(c_int32_t), value :: npes
            integer(c_int32_t), dimension(*), intent(in) :: begin
            integer(c_int32_t), dimension(*), intent(in) :: end
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_mapping
        end function cleave_order_mapping
        function cleave_order_split_refine(out, g, o, t, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: o
            type(c_ptr), value :: t
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_order_split_refine
        end function cleave_order_split_refine
        subroutine cleave_remap_options_init(opt, size) bind(c)
            import
            type(cleave_remap_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_remap_options_init
        subroutine cleave_remap_report_init(report, size) bind(c)
            import
            type(cleave_remap_report), intent(inout) :: report
            integer(c_size_t), value :: size
        end subroutine cleave_remap_report_init
        function cleave_remap(out, g, old, t, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: old
            type(c_ptr), value :: t
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_remap
        end function cleave_remap
        subroutine cleave_schedule_options_init(opt, size) bind(c)
            import
            type(cleave_schedule_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_schedule_options_init
        function cleave_schedule_build(out, g, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: g
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_schedule_build
        end function cleave_schedule_build
        subroutine cleave_schedule_free(s) bind(c)
            import
            type(c_ptr), value :: s
        end subroutine cleave_schedule_free
        function cleave_schedule_read(out, path, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_schedule_read
        end function cleave_schedule_read
        function cleave_schedule_write(s, path, err) bind(c)
            import
            type(c_ptr), value :: s
            character(kind=c_char), dimension(*), intent(in) :: path
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_schedule_write
        end function cleave_schedule_write
        subroutine cleave_schedule_metrics_init(m, size) bind(c)
            import
            type(cleave_schedule_metrics), intent(inout) :: m
            integer(c_size_t), value :: size
        end subroutine cleave_schedule_metrics_init
        function cleave_evaluate_schedule(m, g, s, costs, err) bind(c)
            import
            type(cleave_schedule_metrics), intent(inout) :: m
            type(c_ptr), value :: g
            type(c_ptr), value :: s
            type(c_ptr), value :: costs
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_evaluate_schedule
        end function cleave_evaluate_schedule
        function cleave_team_create(out, threads, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            integer(c_int), value :: threads
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_team_create
        end function cleave_team_create
        subroutine cleave_team_free(team) bind(c)
            import
            type(c_ptr), value :: team
        end subroutine cleave_team_free
        subroutine cleave_run_options_init(opt, size) bind(c)
            import
            type(cleave_run_options), intent(inout) :: opt
            integer(c_size_t), value :: size
        end subroutine cleave_run_options_init
        subroutine cleave_run_info_init(info, size) bind(c)
            import
            type(cleave_run_info), intent(inout) :: info
            integer(c_size_t), value :: size
        end subroutine cleave_run_info_init
        subroutine cleave_triangle_init(t, size) bind(c)
            import
            type(cleave_triangle), intent(inout) :: t
            integer(c_size_t), value :: size
        end subroutine cleave_triangle_init
        subroutine cleave_triangle_of_matrix(t, size, a) bind(c)
            import
            type(cleave_triangle), intent(inout) :: t
            integer(c_size_t), value :: size
            type(c_ptr), value :: a
        end subroutine cleave_triangle_of_matrix
        function cleave_trsv_create(out, t, opt, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: t
            type(c_ptr), value :: opt
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_trsv_create
        end function cleave_trsv_create
        function cleave_trsv_create_from(out, from, t, reused, err) bind(c)
            import
            type(c_ptr), intent(out) :: out
            type(c_ptr), value :: from
            type(c_ptr), value :: t
            type(c_ptr), value :: reused
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_trsv_create_from
        end function cleave_trsv_create_from
        subroutine cleave_trsv_free(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine cleave_trsv_free
        function cleave_trsv_solve(plan, x, b, err) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), dimension(*), intent(inout) :: x
            real(c_double), dimension(*), intent(in) :: b
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_trsv_solve
        end function cleave_trsv_solve
        function cleave_trsv_solve_many(plan, nrhs, x, ldx, b, ldb, err) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int32_t), value :: nrhs
            real(c_double), dimension(*), intent(inout) :: x
            integer(c_int64_t), value :: ldx
            real(c_double), dimension(*), intent(in) :: b
            integer(c_int64_t), value :: ldb
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_trsv_solve_many
        end function cleave_trsv_solve_many
        function cleave_trsv_update_values(plan, val, err) bind(c)
            import
            type(c_ptr), value :: plan
            real(c_double), dimension(*), intent(in) :: val
            type(cleave_error), intent(inout) :: err
            integer(c_int) :: cleave_trsv_update_values
        end function cleave_trsv_update_values
        subroutine cleave_trsv_info(plan, info) bind(c)
            import
            type(c_ptr), value :: plan
            type(cleave_run_info), intent(inout) :: info
        end subroutine cleave_trsv_info
        ! Of the C library: the length of a string.
        function cleave_strlen(text) bind(c, name='strlen')
            import
            type(c_ptr), value, intent(in) :: text
            integer(c_size_t) :: cleave_strlen
        end function cleave_strlen
    end interface

    ! Any struct with its size and every default: call cleave_init(opt).
    interface cleave_init
        module procedure init_csr
        module procedure init_read_options
        module procedure init_write_options
        module procedure init_matrix_csr
        module procedure init_constraints
        module procedure init_map_report
        module procedure init_options
        module procedure init_evaluate_options
        module procedure init_metrics
        module procedure init_target_metrics
        module procedure init_order_options
        module procedure init_split_options
        module procedure init_remap_options
        module procedure init_remap_report
        module procedure init_schedule_options
        module procedure init_schedule_metrics
        module procedure init_run_options
        module procedure init_run_info
        module procedure init_triangle
    end interface cleave_init
    private :: init_csr
    private :: init_read_options
    private :: init_write_options
    private :: init_matrix_csr
    private :: init_constraints
    private :: init_map_report
    private :: init_options
    private :: init_evaluate_options
    private :: init_metrics
    private :: init_target_metrics
    private :: init_order_options
    private :: init_split_options
    private :: init_remap_options
    private :: init_remap_report
    private :: init_schedule_options
    private :: init_schedule_metrics
    private :: init_run_options
    private :: init_run_info
    private :: init_triangle

contains

    ! A zero-terminated string for C.
    pure function cleave_c_string(text) result(string)
        character(len=*), intent(in) :: text
        character(kind=c_char, len=:), allocatable :: string
        string = trim(text)//c_null_char
    end function cleave_c_string

    ! A string returned by C; '' for NULL.
    function cleave_text(string) result(text)
        type(c_ptr), intent(in) :: string
        character(len=:), allocatable :: text
        character(kind=c_char), pointer :: letters(:)
        integer :: i, n
        if (.not. c_associated(string)) then
            text = ''
            return
        end if
        n = int(cleave_strlen(string))
        call c_f_pointer(string, letters, [n])
        allocate (character(len=n) :: text)
        do i = 1, n
            text(i:i) = letters(i)
        end do
    end function cleave_text

    ! The message of an error.
    pure function cleave_message(err) result(text)
        type(cleave_error), intent(in) :: err
        character(len=:), allocatable :: text
        integer :: i, n
        n = 0
        do while (n < size(err%message))
            if (err%message(n + 1) == c_null_char) exit
            n = n + 1
        end do
        allocate (character(len=n) :: text)
        do i = 1, n
            text(i:i) = err%message(i)
        end do
    end function cleave_message

    subroutine init_csr(it)
        type(cleave_csr), intent(inout) :: it
        call cleave_csr_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_csr

    subroutine init_read_options(it)
        type(cleave_read_options), intent(inout) :: it
        call cleave_read_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_read_options

    subroutine init_write_options(it)
        type(cleave_write_options), intent(inout) :: it
        call cleave_write_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_write_options

    subroutine init_matrix_csr(it)
        type(cleave_matrix_csr), intent(inout) :: it
        call cleave_matrix_csr_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_matrix_csr

    subroutine init_constraints(it)
        type(cleave_constraints), intent(inout) :: it
        call cleave_constraints_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_constraints

    subroutine init_map_report(it)
        type(cleave_map_report), intent(inout) :: it
        call cleave_map_report_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_map_report

    subroutine init_options(it)
        type(cleave_options), intent(inout) :: it
        call cleave_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_options

    subroutine init_evaluate_options(it)
        type(cleave_evaluate_options), intent(inout) :: it
        call cleave_evaluate_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_evaluate_options

    subroutine init_metrics(it)
        type(cleave_metrics), intent(inout) :: it
        call cleave_metrics_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_metrics

    subroutine init_target_metrics(it)
        type(cleave_target_metrics), intent(inout) :: it
        call cleave_target_metrics_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_target_metrics

    subroutine init_order_options(it)
        type(cleave_order_options), intent(inout) :: it
        call cleave_order_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_order_options

    subroutine init_split_options(it)
        type(cleave_split_options), intent(inout) :: it
        call cleave_split_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_split_options

    subroutine init_remap_options(it)
        type(cleave_remap_options), intent(inout) :: it
        call cleave_remap_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_remap_options

    subroutine init_remap_report(it)
        type(cleave_remap_report), intent(inout) :: it
        call cleave_remap_report_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_remap_report

    subroutine init_schedule_options(it)
        type(cleave_schedule_options), intent(inout) :: it
        call cleave_schedule_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_schedule_options

    subroutine init_schedule_metrics(it)
        type(cleave_schedule_metrics), intent(inout) :: it
        call cleave_schedule_metrics_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_schedule_metrics

    subroutine init_run_options(it)
        type(cleave_run_options), intent(inout) :: it
        call cleave_run_options_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_run_options

    subroutine init_run_info(it)
        type(cleave_run_info), intent(inout) :: it
        call cleave_run_info_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_run_info

    subroutine init_triangle(it)
        type(cleave_triangle), intent(inout) :: it
        call cleave_triangle_init(it, int(size(transfer(it, [c_null_char])), c_size_t))
    end subroutine init_triangle
end module cleave
