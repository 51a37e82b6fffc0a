# SPDX-License-Identifier: Apache-2.0
"""Long calls: progress, exceptions, Ctrl-C, other threads, other processes."""
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import cleave


def long_call(graph, progress=None, seconds=90.0):
    """Takes ``seconds`` unless it is stopped."""
    return cleave.partition(graph, 16, effort="best", time_limit=seconds, progress=progress)


class Progress(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = cleave.generate("rgg:30000:12")

    def test_is_told(self):
        said = []
        long_call(self.graph, said.append, 2.0)
        self.assertGreater(len(said), 1)
        for now in said:
            self.assertIsInstance(now, cleave.Progress)
            self.assertTrue(now.phase)
            self.assertTrue(now.level is None or now.level >= 0)
        self.assertTrue(any(now.cut for now in said))

    def test_false_cancels(self):
        calls = []

        def stop(now):
            calls.append(now)
            return False if len(calls) == 3 else None

        begun = time.monotonic()
        with self.assertRaises(cleave.Cancelled) as caught:
            long_call(self.graph, stop)
        self.assertLess(time.monotonic() - begun, 60)
        self.assertEqual(len(calls), 3)
        best = caught.exception.result
        self.assertEqual(len(best), 30000)
        self.assertEqual(best.cut, cleave.evaluate(self.graph, best).cut)

    def test_other_answers_go_on(self):
        answers = [True, None, 1, 0, "no"]

        def answer(now):
            return answers.pop() if answers else None

        long_call(self.graph, answer, 1.5)
        self.assertLess(len(answers), 5)

    def test_exceptions_come_out(self):
        class Mine(Exception):
            pass

        for error in (Mine("mine"), KeyboardInterrupt(), SystemExit(3)):

            def fail(now, error=error):
                raise error

            with self.assertRaises(type(error)) as caught:
                long_call(self.graph, fail)
            self.assertIs(caught.exception, error)
        self.assertEqual(cleave._progress._calls, {})

    def test_other_functions(self):
        """Every function with a callback stops when the callback requests it."""
        big = cleave.generate("rgg:100000:10")
        dag = cleave.generate("stencil:40x40:40")
        parts = np.arange(100000) % 8
        line = np.arange(100000)
        for name, action in {
            "order": lambda p: cleave.order(big, progress=p),
            "separator": lambda p: cleave.separator(big, effort="quality", progress=p),
            "remap": lambda p: cleave.remap(big, parts, 8, effort="quality", progress=p),
            "refine": lambda p: cleave.split(line, 64, refine=big, progress=p),
            "schedule": lambda p: cleave.schedule(dag, 2, progress=p),
        }.items():
            asked = []

            def stop(now):
                asked.append(now)
                return False

            with self.subTest(name):
                with self.assertRaises(cleave.Cancelled) as caught:
                    action(stop)
                self.assertEqual(len(asked), 1)
                if name in ("separator", "schedule"):
                    self.assertIsNotNone(caught.exception.result)

    def test_nested(self):
        """A callback may call the library."""
        small = cleave.generate("grid2d:8x8")
        cuts = []

        def inner(now):
            cuts.append(cleave.partition(small, 2).cut)

        long_call(self.graph, inner, 0.6)
        self.assertEqual(set(cuts), {8})


class Signals(unittest.TestCase):
    """A signal handler that raises stops the call, and its exception is propagated."""

    @classmethod
    def setUpClass(cls):
        cls.graph = cleave.generate("rgg:30000:12")

    def interrupt(self, number, kind, **options):
        timer = threading.Timer(0.5, os.kill, (os.getpid(), number))
        timer.start()
        begun = time.monotonic()
        try:
            with self.assertRaises(kind):
                long_call(self.graph, **options)
        finally:
            timer.join()
        self.assertLess(time.monotonic() - begun, 60)

    def test_control_c(self):
        before = sys.unraisablehook
        self.interrupt(signal.SIGINT, KeyboardInterrupt)
        self.interrupt(signal.SIGINT, KeyboardInterrupt, progress=lambda now: None)
        self.assertIs(sys.unraisablehook, before)

    def test_alarm(self):
        class Late(Exception):
            pass

        def handler(number, frame):
            raise Late

        before = signal.signal(signal.SIGALRM, handler)
        try:
            self.interrupt(signal.SIGALRM, Late)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_handler_that_does_not_raise(self):
        seen = []
        before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1))
        timer.start()
        try:
            long_call(self.graph, seconds=1.0)
        finally:
            timer.join()
            signal.signal(signal.SIGUSR1, before)
        self.assertEqual(seen, [signal.SIGUSR1])


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph = cleave.generate("rgg:30000:12")

    def test_lock_is_free(self):
        """While one thread computes for a second, another one counts.

        With the lock held it would not count at all; whatever else the machine does, it does
        at least a fiftieth of what it does alone.
        """

        def count(until):
            counted = 0
            while not until():
                counted += 1
            return counted

        end = time.monotonic() + 0.5
        alone = count(lambda: time.monotonic() > end) / 0.5
        ready = threading.Event()
        done = threading.Event()

        def compute():
            ready.set()
            long_call(self.graph, seconds=1.0)
            done.set()

        thread = threading.Thread(target=compute)
        thread.start()
        ready.wait()
        begun = time.monotonic()
        counted = count(done.is_set)
        spent = time.monotonic() - begun
        thread.join()
        self.assertGreater(spent, 0.5)
        self.assertGreater(counted / spent, alone / 50)

    def test_two_at_once(self):
        """Two calls overlap: both have begun before either ends."""
        times = [None, None]

        def compute(i):
            begun = time.monotonic()
            long_call(self.graph, seconds=0.8)
            times[i] = (begun, time.monotonic())

        threads = [threading.Thread(target=compute, args=(i,)) for i in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLess(max(begun for begun, _ in times), min(ended for _, ended in times))

    def test_same_results(self):
        graph = cleave.generate("rgg:4000:10")
        want = [cleave.partition(graph, 4, seed=seed) for seed in range(4)]
        wrong = []

        def compute(seed):
            for _ in range(5):
                if cleave.partition(graph, 4, seed=seed, threads=2) != want[seed]:
                    wrong.append(seed)

        threads = [threading.Thread(target=compute, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_callbacks_of_threads(self):
        """Each call has its own callback, on its own thread."""
        seen = {}

        def compute(i):
            def progress(now):
                seen.setdefault(i, set()).add(threading.get_ident())

            long_call(self.graph, progress, 0.8)
            seen[i].add(threading.get_ident())

        threads = [threading.Thread(target=compute, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([len(seen[i]) for i in range(3)], [1, 1, 1])


def in_child(graph):
    return cleave.partition(graph, 3).parts.tolist()


class Processes(unittest.TestCase):
    def test_children(self):
        """Forked and spawned processes compute, and graphs are passed to them."""
        graph = cleave.generate("grid2d:20x20")
        want = in_child(graph)
        for way in ("fork", "spawn"):
            with multiprocessing.get_context(way).Pool(2) as pool:
                self.assertEqual(pool.map(in_child, [graph] * 3), [want] * 3)

    def test_end_of_the_interpreter(self):
        """Objects that exist at exit do no harm."""
        program = (
            "import cleave, sys\n"
            "g = cleave.generate('grid2d:9x9')\n"
            "m = cleave.partition(g, 2)\n"
            "t = cleave.Team(2)\n"
            "sys.kept = [g, m, t, m.parts]\n"
            "sys.kept.append(sys.kept)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
