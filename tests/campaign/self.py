# SPDX-License-Identifier: Apache-2.0
"""self.py CAMPAIGN_INSTANCES CLEAVE: the campaign must detect wrong programs.

Results of the library are falsified before they are judged (--spoil); the program is replaced by
one that does something wrong after, or instead of, the real one.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import kills  # noqa: E402
import processes  # noqa: E402

SPOILS = {
    "api_map": ["part", "cut", "volume", "cost", "status", "pieces"],
    "api_remap": ["part", "migration", "cut"],
    "api_order": ["order", "crossing", "split", "fill", "separator", "part"],
    "api_schedule": ["layers", "work"],
    "api_solve": ["solution"],
    "api_metis": ["part", "cut", "order", "separator", "mesh"],
    "roundtrip": ["weight"],
}

# What a wrong program does; "$@" are its arguments, $real is the real one.
WRONG_PROGRAMS = {
    "dies": 'kill -SEGV $$',
    "status": '"$real" "$@"; exit 5',
    "silent": '"$real" "$@" 2>/dev/null; exit 3',
    "talks": '"$real" "$@"; code=$?; echo oops >&2; exit $code',
    "temporary": '"$real" "$@"; code=$?; : >left.tmp; exit $code',
    "part": '"$real" "$@"; code=$?; [ ! -s out.part ] || '
            'awk \'NR == 1 { $1 = $1 == 0 } 1\' out.part >x && mv x out.part; exit $code',
    "cut": '"$real" "$@" >x; code=$?; sed \'s/"cut":/"cut":1/\' x; rm -f x; exit $code',
    "order": '"$real" "$@"; code=$?; [ ! -s out.order ] || sed -i 2d out.order; exit $code',
    "graph": '"$real" "$@"; code=$?; [ ! -s last.graph ] || '
             'sed -i "1s/ [0-9]*/ 7777/" last.graph; exit $code',
    "schedule": '"$real" "$@"; code=$?; [ ! -s out.schedule ] || '
                'sed -i "\\$d" out.schedule; exit $code',
    "circuit": '"$real" "$@"; code=$?; [ ! -s out.txt ] || sed -i "1s/^-/-1/" out.txt; exit $code',
    "picture": '"$real" "$@"; code=$?; [ ! -s out.svg ] || : >out.svg; exit $code',
}
HALF_WRITER = 'for last; do :; done; "$real" "$@" && echo more >>"$last"; sleep 0.2'


def check_spoils(instances):
    unseen, tried = [], 0
    for target, ways in SPOILS.items():
        for way in ways:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([instances, "--spoil", way, "150", "1", target], cwd=folder,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            tried += 1
            if done.returncode != 1 or b"again: " not in done.stdout:
                unseen.append("%s of %s" % (way, target))
    return unseen, tried


def write_program(folder, real, script):
    path = os.path.join(folder, "wrong")
    with open(path, "w") as out:
        out.write("#!/bin/sh\nreal='%s'\n%s\n" % (real, script))
    os.chmod(path, 0o755)
    return path


def check_programs(real):
    unseen = []
    for name, script in WRONG_PROGRAMS.items():
        with tempfile.TemporaryDirectory() as folder:
            program = write_program(folder, real, script)
            _, invalid = processes.run_range(program, 1, 0, 200)
        if not invalid:
            unseen.append("program '%s'" % name)
    return unseen, len(WRONG_PROGRAMS)


def check_kills(real):
    """A program that continues to write after its output has its final name."""
    with tempfile.TemporaryDirectory() as folder:
        job = kills.Job(real, folder, "o.clv", ["generate", "grid2d:9x9", "-o", "outputs/o.clv",
                                                "--coords", ""])
        job.program = write_program(folder, real, HALF_WRITER.replace(
            'for last; do :; done', 'last=outputs/o.clv'))
        job.seconds = 0.2
        wrong = None
        for seed in range(20):
            wrong = wrong or job.kill_once(processes.random.Random(seed))[0]
    return ([] if wrong else ["kill of a program that appends"]), 1


def main():
    instances, real = map(os.path.abspath, sys.argv[1:3])
    unseen, count = [], 0
    for found, tried in [check_spoils(instances), check_programs(real), check_kills(real)]:
        unseen += found
        count += tried
    for what in unseen:
        print("not noticed: %s" % what)
    print("%d faults, %d not noticed" % (count, len(unseen)))
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
