# SPDX-License-Identifier: Apache-2.0
"""The program when its nth allocation fails (tests/support/failing_malloc.c): status 4 and one
sentence, or the same result as always; never half an output."""
import os
import random
import shutil
import subprocess
import tempfile
from collections import Counter

COMMANDS = [
    ("info", "g.graph"),
    ("check", "g.graph"),
    ("convert", "g.graph", "out.mtx"),
    ("convert", "g.graph", "out.dot"),
    ("convert", "g.graph", "out.clv.gz"),
    ("generate", "rgg:60:5", "-o", "out.graph", "--coords", ""),
    ("partition", "g.graph", "-k", "4", "-o", "out"),
    ("partition", "d.dot", "-k", "3", "-o", "out", "--part-order", "out.order"),
    ("map", "g.graph", "-t", "mesh:2x3", "-o", "out"),
    ("order", "g.graph", "--method", "nd", "-o", "out"),
    ("split", "g.order", "-t", "3,2,1", "-o", "out"),
    ("remap", "g.graph", "g.part", "-t", "5", "-o", "out"),
    ("schedule", "d.dot", "-p", "3", "-o", "out"),
    ("evaluate", "g.graph", "g.part", "-t", "mesh:2x3"),
    ("view", "g.graph", "-o", "out.svg"),
    ("view", "d.dot", "-o", "out.html"),
]
COUNTED = "allocations"


class Denials:
    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, library, folder
        self.counts, self.invalid = Counter(), []
        for arguments in [("generate", "grid2d:8x8", "-o", "g.graph", "--coords", ""),
                          ("generate", "stencil:4x4:4", "-o", "d.dot"),
                          ("order", "g.graph", "-o", "g.order"),
                          ("partition", "g.graph", "-k", "6", "-o", "g.part")]:
            subprocess.run([program] + list(arguments), cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)

    def outputs(self):
        """Names and contents of what was written, without the figures of the clock."""
        found = {}
        for name in sorted(os.listdir(self.folder)):
            if name.startswith("out"):
                with open(os.path.join(self.folder, name), "rb") as file:
                    found[name] = file.read()
        return found

    def run(self, arguments, nth):
        for name in self.outputs():
            os.remove(os.path.join(self.folder, name))
        done = subprocess.run(
            [self.program] + list(arguments) + (["--threads", "1"] if arguments[0] not in
                                                ("split", "view") else []),
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, timeout=30,
            env=dict(os.environ, LD_PRELOAD=self.library, CLEAVE_FAIL_AT=str(nth),
                     CLEAVE_FAIL_COUNT=os.path.join(self.folder, COUNTED)))
        return done.returncode, done.stderr.decode("utf-8", "replace").splitlines()

    def judge(self, arguments, nth, status, said, usual, outputs):
        what = "cleave %s, allocation %d: " % (" ".join(arguments), nth)
        if status == usual:
            if self.outputs() != outputs:
                self.invalid.append((nth, what + "another result"))
        elif status != 4:
            self.invalid.append((nth, what + "exit status %d, %s" % (status, said)))
        elif len(said) != 1 or not said[0].startswith("cleave: "):
            self.invalid.append((nth, what + "it says %s" % said))
        elif not set(self.outputs().items()) <= set(outputs.items()):
            self.invalid.append((nth, what + "half an output"))

    def deny_all(self, arguments, step, rng):
        status, said = self.run(arguments, 0)
        outputs = self.outputs()
        with open(os.path.join(self.folder, COUNTED)) as file:
            total = int(file.read())
        if total == 0 or status > 1:
            self.invalid.append((0, "cleave %s: %s" % (" ".join(arguments), said)))
        for nth in range(1 + rng.randrange(step), total + 1, step):
            denied, said = self.run(arguments, nth)
            self.counts[arguments[0], denied] += 1
            self.judge(arguments, nth, denied, said, status, outputs)


def run_denials(program, library, seed, step):
    """Every step-th allocation of each command."""
    folder = tempfile.mkdtemp(prefix="campaign-deny-",
                              dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    rng = random.Random("%d denials" % seed)
    denials = Denials(program, library, folder)
    for arguments in COMMANDS:
        denials.deny_all(arguments, step, rng)
    shutil.rmtree(folder, ignore_errors=True)
    return denials.counts, denials.invalid
