# SPDX-License-Identifier: Apache-2.0
"""The hook inside a PyTorch program: steps, module ranges, operator ranges, descriptions of operators.

A step is one call of the root module (the first module with children that is called from outside any module), or what
lies between two calls of foresight_torch.step(). After the warm-up come plain steps (only their kernels are recorded,
for undisturbed host timing) and then steps with a range per module and, through emit_nvtx, per operator. The first of
these also runs under ExecutionTraceObserver, which knows dtypes, strides and scalar arguments; its operators carry the
same ids as emit_nvtx's. After the last step everything is put back as it was.
"""
import atexit
import json
import os
import sys
import tempfile
import threading

from . import describe
from .probe import Probe

active = None
_OPS_PER_MESSAGE = 64
_LEAF_CALLS_BEFORE_ROOT = 32


def _number(name, default):
    try:
        return max(0, int(os.environ.get(name, default)))
    except ValueError:
        return default


class Hook:
    def __init__(self, torch, probe, warmup, plain, steps):
        self.torch = torch
        self.probe = probe
        self.plan = ["warm"] * warmup + ["plain"] * plain + ["ops"] * steps
        self.done = not steps
        self.texts = describe.ModuleTexts(torch)
        self.local = threading.local()
        self.root = None
        self.root_class = os.environ.get("FORESIGHT_HOOK_ROOT", "")
        self.leaf_calls = 0
        self.user_steps = False
        self.count = 0  # steps begun
        self.kind = None  # of the open step
        self.window = False
        self.recorded = 0
        self.nvtx = None
        self.observer = None
        self.traced = False
        self.trace_path = None
        self.cuda = bool(torch.cuda.is_available())
        self.original_call = torch.nn.Module.__call__
        self.original_prepare = None
        is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None)
        self.compiling = is_compiling or (lambda: False)

    # Installing

    def install(self):
        hook, original = self, self.original_call

        def __call__(module, *args, **kwargs):
            if hook.done or hook.compiling():
                return original(module, *args, **kwargs)
            return hook.call(module, args, kwargs)

        self.torch.nn.Module.__call__ = __call__
        self._watch_profiler()
        self.probe.gate()
        self.probe.send("info", torch=str(self.torch.__version__), cuda=str(self.torch.version.cuda or ""),
                        python=sys.version.split()[0])
        atexit.register(self.at_exit)

    def uninstall(self):
        self.done = True
        self.torch.nn.Module.__call__ = self.original_call
        if self.original_prepare is not None:
            self.torch.autograd.profiler.profile._prepare_trace = self.original_prepare

    def _watch_profiler(self):
        """torch.profiler takes CUPTI's buffers from us: say so rather than show half a profile."""
        profile = self.torch.autograd.profiler.profile
        original = getattr(profile, "_prepare_trace", None)
        if original is None:
            return
        hook = self

        def _prepare_trace(profiler):
            if not hook.done:
                hook.interrupted_by_profiler()
            return original(profiler)

        self.original_prepare = original
        profile._prepare_trace = _prepare_trace

    def interrupted_by_profiler(self):
        """Two cannot share CUPTI: end with the steps that are complete and leave it to the program's own profiler."""
        if self.kind is not None or not self.recorded:
            self.probe.send("disturbed", by="torch.profiler")
        else:
            self.probe.send("note", text="The program started torch.profiler, which ended this recording after %d steps."
                            % self.recorded)
        self.give_up(None)
        self._synchronize()
        self.probe.release()

    def give_up(self, reason):
        """Ends the recording early; the program must go on as if we were not there."""
        if reason:
            self.probe.send("note", text="The recording ended early: " + reason)
        try:
            self.plan = self.plan[:self.count]
            self.end_step()
        except Exception as error:
            self.probe.send("note", text="The recording could not be ended cleanly: %s" % error)
        self.finish()

    # Module calls

    def call(self, module, args, kwargs):
        local = self.local
        depth = getattr(local, "depth", 0)
        stepping = depth == 0 and not self.user_steps and self._is_root(module)
        if stepping:
            self._guarded(self.begin_step, module)
        ranged = self.kind == "ops"
        if ranged:
            try:
                text = self.texts.text(module, args, kwargs)
            except Exception:  # a module that cannot be described still is one
                text = json.dumps({"fs": "m", "c": type(module).__name__, "p": "", "a": {}, "in": []})
            self.probe.push(text)
        local.depth = depth + 1
        try:
            return self.original_call(module, *args, **kwargs)
        finally:
            local.depth = depth
            if ranged:
                self.probe.pop()
            # A backward pass may follow, and belongs to the step: then the next step's begin ends this one.
            if stepping and not self.torch.is_grad_enabled():
                self._guarded(self.end_step)

    def _guarded(self, action, *args):
        try:
            action(*args)
        except Exception as error:
            self.give_up("%s: %s" % (type(error).__name__, error))

    def _is_root(self, module):
        if self.root is not None:
            return module is self.root
        if self.root_class:
            chosen = type(module).__name__ == self.root_class
        else:
            self.leaf_calls += 1
            chosen = next(module.children(), None) is not None or self.leaf_calls > _LEAF_CALLS_BEFORE_ROOT
        if chosen:
            self.root = module
        return chosen

    # Steps

    def user_step(self):
        if self.done:
            return
        self.user_steps = True
        self._guarded(self.begin_step, self.root)

    def begin_step(self, module):
        self.end_step()
        if self.done:
            return
        kind = self.plan[self.count]
        self.count += 1
        if kind == "warm":
            return
        if kind == "ops" and module is not None:
            self.texts.name_from(module)
        self._synchronize()
        if not self.window:
            self.probe.open_window()
            self.window = True
        message = {"fs": "s", "i": self.count}
        if kind == "plain":
            message["plain"] = 1
        self.probe.push(json.dumps(message, separators=(",", ":")))
        self.kind = kind
        if kind == "ops":
            self._begin_operators()

    def end_step(self):
        kind, self.kind = self.kind, None
        if kind == "ops":
            self._end_operators()
        if kind is not None:
            self._synchronize()
            self.probe.pop()
            self.recorded += kind == "ops"
        if self.count >= len(self.plan) and not self.done:
            self.finish()

    def _begin_operators(self):
        # Both act on the calling thread alone, so this must be the model's own.
        if not self.traced:
            self.traced = True
            self._start_trace()
        if self.cuda:
            ranges = self.torch.autograd.profiler.emit_nvtx(record_shapes=True)
            ranges.__enter__()
            self.nvtx = ranges

    def _end_operators(self):
        if self.nvtx is not None:
            ranges, self.nvtx = self.nvtx, None
            ranges.__exit__(None, None, None)
        if self.observer is not None:
            observer, self.observer = self.observer, None
            observer.stop()
            observer.unregister_callback()

    def _start_trace(self):
        observer_type = getattr(self.torch.profiler, "ExecutionTraceObserver", None)
        if observer_type is None or not hasattr(observer_type, "register_callback"):
            self.probe.send("note", text="This PyTorch cannot tell the dtypes of operators (2.1 or later can).")
            return
        handle, path = tempfile.mkstemp(prefix="foresight-", suffix=".json")
        os.close(handle)
        try:
            observer = observer_type()
            observer.register_callback(path)
            observer.start()
        except Exception as error:
            os.unlink(path)
            self.probe.send("note", text="Dtypes of operators are not known: the execution trace failed (%s)." % error)
            return
        self.observer, self.trace_path = observer, path

    def _send_trace(self):
        if self.trace_path is None:
            return
        path, self.trace_path = self.trace_path, None
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                nodes = json.load(file).get("nodes", [])
        except (OSError, ValueError) as error:
            self.probe.send("note", text="Dtypes of operators are not known: the execution trace is unreadable (%s)."
                            % error)
            return
        finally:
            os.unlink(path)
        ops = [op for op in map(describe.trace_node, nodes) if op is not None]
        for start in range(0, len(ops), _OPS_PER_MESSAGE):
            self.probe.send("ops", l=ops[start:start + _OPS_PER_MESSAGE])

    def _synchronize(self):
        if self.cuda and self.torch.cuda.is_initialized():
            self.torch.cuda.synchronize()

    def finish(self):
        if self.done:
            return
        self.uninstall()
        if self.window:
            self.probe.close_window()
        self._send_trace()
        self.probe.flush()

    def at_exit(self):
        if self.done:
            return
        self._guarded(self.end_step)
        if self.done:
            return
        wanted = self.plan.count("ops")
        if self.recorded < wanted:
            warm = self.plan.count("warm") + self.plan.count("plain")
            self.probe.send("note", text="Only %d of %d steps were recorded: the program ended after %d steps, of which "
                            "the first %d are warm-up and timing." % (self.recorded, wanted, self.count, warm))
        self.finish()


def install(torch=None, probe=None):
    """Called once torch is imported; returns the hook."""
    global active
    if torch is None:
        import torch
    active = Hook(torch, probe or Probe(), _number("FORESIGHT_HOOK_WARMUP", 3),
                  _number("FORESIGHT_HOOK_PLAIN_STEPS", 3), _number("FORESIGHT_HOOK_STEPS", 3))
    active.install()
    return active
