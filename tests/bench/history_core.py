"""Processor time that the C passes of the prototype history_hmm.py take.

	history_core.py <folder of history_hmm.py> <its core.so> <file>

Each line of the file is one history. Prints milliseconds for 1,000 points of
the passes alone: what the prototype does in numpy beside them is not counted.
"""
import ctypes
import sys
import time

folder, core, path = sys.argv[1:]
sys.path.insert(0, folder)
import history_hmm

spent = 0.0


class Timed:
    """A foreign function whose processor time is counted."""

    def __init__(self, function):
        self.__dict__["function"] = function

    def __setattr__(self, name, value):
        setattr(self.function, name, value)

    def __call__(self, *arguments):
        global spent
        start = time.process_time()
        code = self.function(*arguments)
        spent += time.process_time() - start
        return code


class Library:
    def __init__(self, name):
        self.fb = Timed(load(name).fb)


load, ctypes.CDLL = ctypes.CDLL, Library
history_hmm.CORE = history_hmm.load_core(core)
ctypes.CDLL = load
points = 0
with open(path) as lines:
    for line in lines:
        values = [float(text) for text in line.split()]
        if values:
            points += len(values)
            history_hmm.detect(values)
print("%.3f" % (spent * 1e6 / points))
