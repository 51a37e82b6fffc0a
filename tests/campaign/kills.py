# SPDX-License-Identifier: Apache-2.0
"""Runs of the program that are ended by a signal while they read, search or write.

Whenever SIGKILL, SIGTERM, SIGINT or SIGHUP comes: the output file is what was there before, if
anything, or a whole new one, and nothing else is in its folder.  The one exception is documented
(docs/formats.md, Writing): SIGKILL in the moment in which an older file is replaced.
"""
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter

import small_graphs

OLD = b"what was there before\n"
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def obey_signals():
    """In the background, or under nohup, some signals are ignored."""
    for number in SIGNALS[1:]:
        signal.signal(number, signal.SIG_DFL)


class Job:
    """A command that writes `output`, and what a whole new one looks like: always the same, or,
    where the best so far is written, `whole` knows."""

    def __init__(self, program, folder, output, arguments, whole=None):
        self.program, self.folder, self.output = program, folder, output
        self.arguments, self.whole = arguments, whole
        begin = time.monotonic()
        self.start(False).wait(timeout=60)
        self.seconds = time.monotonic() - begin
        with open(self.path(output), "rb") as file:
            self.new = file.read()

    def path(self, name):
        return os.path.join(self.folder, "outputs", name)

    def start(self, replace):
        shutil.rmtree(os.path.join(self.folder, "outputs"), ignore_errors=True)
        os.mkdir(os.path.join(self.folder, "outputs"))
        if replace:
            with open(self.path(self.output), "wb") as file:
                file.write(OLD)
        return subprocess.Popen([self.program] + self.arguments, cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, preexec_fn=obey_signals)

    def is_new(self, data):
        if data == self.new:
            return True
        try:
            return self.whole is not None and self.whole(self.path(self.output))
        except ValueError:
            return False

    def judge(self, number, replace, pid, status):
        """Why the files are not as they must be, or None; and how it ended."""
        left = sorted(os.listdir(os.path.join(self.folder, "outputs")))
        data = None
        if self.output in left:
            with open(self.path(self.output), "rb") as file:
                data = file.read()
        before = OLD if replace else None
        end = "%s, %s" % (number.name, "nothing new" if data == before else "new file")
        others = [name for name in left if name != self.output]
        if others == ["%s.%d-0.tmp" % (self.output, pid)] and number == signal.SIGKILL \
                and replace and data == OLD:
            others, end = [], end + ", caught while replacing"
        if others:
            return "files left: %s" % others, end
        if data != before and not self.is_new(data):
            return "neither the old file nor a whole new one", end
        fine = (0, -number) if number == signal.SIGKILL else (0, 1, 128 + number, -number)
        return ("exit status %d" % status if status not in fine else None), end

    def kill_once(self, rng):
        number, replace = rng.choice(SIGNALS), rng.random() < 0.5
        process = self.start(replace)
        time.sleep(rng.uniform(0, 1.1 * self.seconds))
        process.send_signal(number)
        return self.judge(number, replace, process.pid, process.wait(timeout=60))


def make_jobs(program, folder, side):
    def run(*arguments):
        subprocess.run([program] + list(arguments), cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    size = "%dx%d" % (side, side)
    run("generate", "grid2d:" + size, "-o", "g.clv", "--coords", "")
    run("generate", "stencil:%dx%d:10" % (side // 4, side // 4), "-o", "d.clv")
    return [
        Job(program, folder, "o.dot", ["convert", "g.clv", "outputs/o.dot"]),
        Job(program, folder, "o.graph.gz", ["convert", "g.clv", "outputs/o.graph.gz"]),
        Job(program, folder, "o.clv", ["generate", "rgg:%d:8" % (side * side), "-o",
                                       "outputs/o.clv", "--coords", ""]),
        Job(program, folder, "o.order", ["order", "g.clv", "--method", "nd", "--effort", "fast",
                                         "-o", "outputs/o.order"],
            lambda path: len(small_graphs.read_order(path, side * side)) == side * side),
        Job(program, folder, "o.part", ["partition", "g.clv", "-k", "8", "--effort", "fast",
                                        "-o", "outputs/o.part"],
            lambda path: len(small_graphs.read_parts(path, side * side, 8)) == side * side),
        Job(program, folder, "o.schedule", ["schedule", "d.clv", "-p", "2", "--method", "grow",
                                            "-o", "outputs/o.schedule"],
            lambda path: subprocess.run([program, "schedule", "d.clv", "--check", path], cwd=folder,
                                        stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL).returncode == 0),
        Job(program, folder, "o.svg", ["view", "g.clv", "-o", "outputs/o.svg"]),
    ]


def run_kills(program, seed, count, side):
    """Counts of how runs ended, and what is invalid."""
    counts, invalid = Counter(), []
    folder = tempfile.mkdtemp(prefix="campaign-kill-")
    rng = random.Random("%d kills" % seed)
    jobs = make_jobs(program, folder, side)
    for i in range(count):
        job = jobs[i % len(jobs)]
        wrong, end = job.kill_once(rng)
        counts[end] += 1
        if wrong:
            invalid.append((i, "cleave %s, %s: %s" % (" ".join(job.arguments), end, wrong)))
    shutil.rmtree(folder, ignore_errors=True)
    return counts, invalid
