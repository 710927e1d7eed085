# SPDX-License-Identifier: Apache-2.0
"""The probe library as Python functions. Without a library every call does nothing."""
import ctypes
import json
import os


class Probe:
    def __init__(self, path=None):
        path = path or os.environ.get("FORESIGHT_PROBE_LIBRARY")
        self.loaded = bool(path)
        if not path:
            return
        # PyDLL keeps the interpreter lock: these calls take a microsecond, giving it up would cost more.
        library = ctypes.PyDLL(path)
        self._push = library.foresight_probe_range_push
        self._mark = library.foresight_probe_mark
        for function in (self._push, self._mark):
            function.argtypes = [ctypes.c_char_p]
            function.restype = None
        self._pop = library.foresight_probe_range_pop
        self._gate = library.foresight_probe_gate
        self._open = library.foresight_probe_open_window
        self._close = library.foresight_probe_close_window
        for function in (self._pop, self._gate, self._open, self._close):
            function.argtypes = []
            function.restype = None
        # These may wait, so they give the lock up.
        waiting = ctypes.CDLL(path)
        self._flush = waiting.foresight_probe_flush
        self._release = waiting.foresight_probe_release
        for function in (self._flush, self._release):
            function.argtypes = []
            function.restype = None

    def push(self, text):
        if self.loaded:
            self._push(text.encode("utf-8", "replace"))

    def pop(self):
        if self.loaded:
            self._pop()

    def send(self, tag, **fields):
        """A message for the profile builder; `fs` must come first, that is how it is recognised."""
        if self.loaded:
            message = {"fs": tag}
            message.update(fields)
            self._mark(json.dumps(message, separators=(",", ":")).encode("utf-8", "replace"))

    def gate(self):
        if self.loaded:
            self._gate()

    def open_window(self):
        if self.loaded:
            self._open()

    def close_window(self):
        if self.loaded:
            self._close()

    def flush(self):
        if self.loaded:
            self._flush()

    def release(self):
        """Leaves CUPTI to whoever comes next; nothing is recorded after it."""
        if self.loaded:
            self._release()
