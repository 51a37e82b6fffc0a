# SPDX-License-Identifier: Apache-2.0
# bash completion for cleave(1): verbs, options, the values of options, files.

_cleave_formats()
{
    "${COMP_WORDS[0]}" help formats 2>/dev/null | while read -r name _; do echo "$name"; done
}

_cleave_kinds()
{
    "${COMP_WORDS[0]}" generate --list 2>/dev/null | sed 's/^ *//; s/[^a-z0-9].*//'
}

_cleave_options()
{
    local input="--from --as --symmetrise --weights --scale --coords --trust --threads --dual"
    input="$input --nodal --binarise --help"
    case $1 in
    info) echo "-t --target --json $input" ;;
    check) echo "--repair -o --output --to --json $input" ;;
    convert) echo "-o --output -t --target --to --write-coords --part --order --encoding --no-sync $input" ;;
    generate)
        echo "-o --output --to --seed --threads --coords --of --order --values --no-sync --json --list --help"
        ;;
    partition)
        echo "-k -t --target -o --output --effort --objective --imbalance --seed --time-limit" \
            "--shares --min --max --fix --groups --connected --start --report --json --part-order" \
            "--quotient --condense --method --grouping --order --match --initial --refine" \
            "--coarsen --constrain" \
            "--runs --params --separator $input"
        ;;
    map)
        echo "-k -t --target -o --output --launch --hosts --one-to-one --acyclic --method" \
            "--policy --grouping --effort --objective --imbalance --seed --time-limit --shares --min" \
            "--max --fix --groups --connected --start --report --json --part-order --quotient" \
            "--condense $input"
        ;;
    order) echo "-o --output --method --leaves --effort --seed --time-limit --json $input" ;;
    split)
        echo "-o --output -k -t --target --imbalance --grouping --graph --refine --time-limit" \
            "--seed --json $input"
        ;;
    remap)
        echo "-t --target -o --output --from --migration-price --strategy --order --effort" \
            "--objective --imbalance --seed --time-limit --shares --min --max --fix --groups" \
            "--connected --report --json --part-order --quotient --condense --format" \
            "${input#--from }"
        ;;
    schedule)
        echo "-p -o --output --objective -t --target --bandwidth --latency --effort --method --split-rows --costs --check --layers --no-window" \
            "--no-components --no-coarsening --alpha --ws --wc --params --solver" \
            "--export-model --time-limit --seed --report --json $input"
        ;;
    run)
        echo "--lower --upper --ic0 --ilu0 --factor --transpose --unit -p --method --params" \
            "--sync --split-rows --no-split-rows --costs -b --rhs -o --output --trace --float" \
            "--batch --random --query --space --repeat --seed --report --json --help"
        ;;
    bench) echo "-o --output --threads --json --help" ;;
    evaluate) echo "-k -t --target --shares --imbalance --costs --parts --strict --order --json $input" ;;
    view)
        echo "-o --output --parts -k -t --target --machine --order --before --schedule --costs --format --layout --title --width" \
            "--height --imbalance --json $input"
        ;;
    help) echo "--help" ;;
    esac
}

_cleave_words()
{
    local word
    while read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -W "$1" -- "$2")
}

_cleave_files()
{
    local file
    while IFS= read -r file; do
        COMPREPLY+=("$file")
    done < <(compgen -f -- "$1")
}

_cleave()
{
    local word=$2 before=$3 verb=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _cleave_words "info check convert generate partition map order split remap schedule run evaluate view bench help --version --help" "$word"
        return
    fi
    # "--name=value" arrives as three words.
    if [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "$word" = = ]; then
        word=
    fi
    if [ "$verb" = run ] && [ "$COMP_CWORD" -eq 2 ]; then
        _cleave_words "solve circuit --help" "$word"
        return
    fi
    if [ "$verb" = run ] && [[ $before == --costs || $before == -b || $before == --batch ]]; then
        _cleave_files "$word"
        return
    fi
    # Of `cleave schedule` these are files; elsewhere --costs are numbers.
    if [ "$verb" = schedule ] && [[ $before == --costs || $before == --check ]]; then
        _cleave_files "$word"
        return
    fi
    if [ "$verb" = bench ] && [ "$COMP_CWORD" -eq 2 ]; then
        _cleave_words "calibrate $(_cleave_options bench)" "$word"
        return
    fi
    # Of `cleave remap` these are a machine and a file, and of these verbs a file.
    if { [ "$verb" = remap ] && [[ $before == --from || $before == --order ]]; } ||
        { [[ $verb == evaluate || $verb == convert ]] && [ "$before" = --order ]; }; then
        _cleave_files "$word"
        return
    fi
    if [ "$verb" = view ] && [[ $before == --order || $before == --parts || $before == --before || $before == --schedule ]]; then
        _cleave_files "$word"
        return
    fi
    if [ "$verb" = view ] && [ "$before" = --format ]; then
        _cleave_words "svg html dot vtk vtu json" "$word"
        return
    fi
    case $before in
    --layout) _cleave_words "2 3" "$word" ;;
    --strategy) _cleave_words "auto interval diffuse scratch" "$word" ;;
    --format | --from | --to) _cleave_words "$(_cleave_formats)" "$word" ;;
    --as)
        local kinds="undirected dag lower upper"
        [ "$verb" = convert ] && kinds="$kinds matrix"
        _cleave_words "$kinds" "$word"
        ;;
    --symmetrise) _cleave_words "sum max" "$word" ;;
    --weights) _cleave_words "values none" "$word" ;;
    --effort) _cleave_words "fast default quality best" "$word" ;;
    --objective)
        local objectives="cut volume"
        [ "$verb" = map ] && objectives="$objectives cost congestion"
        [ "$verb" = remap ] && objectives="cut cost"
        [ "$verb" = schedule ] && objectives="layers makespan"
        _cleave_words "$objectives" "$word"
        ;;
    --encoding) _cleave_words "ascii base64 raw" "$word" ;;
    --grouping) _cleave_words "auto simple binpacking" "$word" ;;
    --policy) _cleave_words "depth breadth size" "$word" ;;
    --launch)
        _cleave_words "rankfile= hostfile= cpu-bind= rank-order= permutation=" "$word"
        ;;
    --order)
        local orders="natural mindeg"
        [ "$verb" = partition ] && orders="rand top breadth"
        _cleave_words "$orders" "$word"
        ;;
    --method)
        local methods="multilevel rcb zci hci rsb dagp kernighan fauzia"
        [ "$verb" = map ] && methods="auto drb kway multisection rcb zci hci rsb"
        [[ $verb == schedule || $verb == run ]] && methods="auto graphopt grow levels serial"
        [[ $verb == schedule ]] && methods+=" heft lookahead cpop peft etf dls minmin maxmin sufferage dsc partition"
        [ "$verb" = order ] && methods="auto hci zci rcbi rsbi multilevel topo nd mindeg"
        _cleave_words "$methods" "$word"
        ;;
    --query) _cleave_words "sum max" "$word" ;;
    --space) _cleave_words "log linear" "$word" ;;
    --sync) _cleave_words "barrier p2p stale auto" "$word" ;;
    --solver) _cleave_words "builtin minizinc minizinc:" "$word" ;;
    --coarsen) _cleave_words "matching cotop cocyc cohyb none" "$word" ;;
    --constrain) _cleave_words "no clusters start" "$word" ;;
    --match) _cleave_words "rand hem nwhem" "$word" ;;
    --initial) _cleave_words "kern gp ker+gp greedy undirected" "$word" ;;
    --refine)
        if [ "$verb" = split ]; then
            _cleave_files "$word"
        else
            _cleave_words "topref acyckway fm" "$word"
        fi
        ;;
    -p | --rhs | --random | --repeat | --alpha | --ws | --wc | --leaves | --runs | --params | --hosts | --scale | --seed | --threads | --dual | -k | --imbalance | --costs | --time-limit | --migration-price) ;;
    *)
        if [ "$verb" = help ]; then
            _cleave_words "info check convert generate partition map order split remap schedule run evaluate bench help formats targets" "$word"
        elif [[ $word == -* ]]; then
            _cleave_words "$(_cleave_options "$verb")" "$word"
        elif [ "$verb" = generate ] && [ "$COMP_CWORD" -eq 2 ]; then
            _cleave_words "$(_cleave_kinds)" "$word"
        else
            _cleave_files "$word"
        fi
        ;;
    esac
}

complete -o filenames -F _cleave cleave
