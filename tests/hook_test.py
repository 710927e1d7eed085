# SPDX-License-Identifier: Apache-2.0
"""The start-up hook with a real PyTorch on the CPU: what it sends, in which order, and that it leaves no trace."""
import json
import os
import subprocess
import sys
import unittest

try:
    import torch
except ImportError:
    print("SKIP: no torch can be imported by " + sys.executable)
    sys.exit(0)

from foresight_torch import describe, hook


class RecordingProbe:
    """Stands where the probe library would: keeps the calls and the range stack."""

    loaded = True

    def __init__(self):
        self.calls = []
        self.depth = 0

    def push(self, text):
        self.calls.append(("push", json.loads(text), self.depth))
        self.depth += 1

    def pop(self):
        self.depth -= 1
        assert self.depth >= 0
        self.calls.append(("pop", None, self.depth))

    def send(self, tag, **fields):
        self.calls.append((tag, fields, self.depth))

    def gate(self):
        self.calls.append(("gate", None, self.depth))

    def open_window(self):
        self.calls.append(("open", None, self.depth))

    def close_window(self):
        self.calls.append(("close", None, self.depth))

    def flush(self):
        self.calls.append(("flush", None, self.depth))

    def release(self):
        self.calls.append(("release", None, self.depth))

    def of(self, tag):
        return [fields for kind, fields, _ in self.calls if kind == tag]

    def modules(self):
        return [(fields["c"], fields["p"], depth) for kind, fields, depth in self.calls
                if kind == "push" and fields["fs"] == "m"]


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.GroupNorm(4, 8, eps=1e-3)
        self.conv = torch.nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x):
        return self.conv(torch.nn.functional.silu(self.norm(x)))


class Model(torch.nn.Module):
    def __init__(self, failing=False):
        super().__init__()
        self.first = Block()
        self.second = Block()
        self.failing = failing

    def forward(self, x, scale=None):
        x = self.second(self.first(x))
        if self.failing:
            raise ValueError("the model's own error")
        return x if scale is None else x * scale


class HookTest(unittest.TestCase):
    def setUp(self):
        self.original = torch.nn.Module.__call__
        self.prepare = getattr(torch.autograd.profiler.profile, "_prepare_trace", None)
        self.input = torch.randn(1, 8, 4, 4)
        self.hook = None

    def tearDown(self):
        if self.hook is not None:
            self.hook.uninstall()
        self.assertIs(torch.nn.Module.__call__, self.original)
        if self.prepare is not None:
            self.assertIs(torch.autograd.profiler.profile._prepare_trace, self.prepare)

    def start(self, warmup, plain, steps):
        probe = RecordingProbe()
        self.hook = hook.Hook(torch, probe, warmup, plain, steps)
        self.hook.install()
        return probe

    def test_steps_and_modules(self):
        probe = self.start(2, 1, 2)
        model = Model().eval()
        with torch.no_grad():
            for _ in range(4):
                model(self.input)
            self.assertFalse(self.hook.done)
            model(self.input)
            self.assertTrue(self.hook.done)
            recorded = len(probe.calls)
            model(self.input)
        self.assertEqual(len(probe.calls), recorded)
        steps = [fields for kind, fields, _ in probe.calls if kind == "push" and fields["fs"] == "s"]
        self.assertEqual([step.get("plain", 0) for step in steps], [1, 0, 0])
        once = [("Model", "", 1), ("Block", "first", 2), ("GroupNorm", "first.norm", 3), ("Conv2d", "first.conv", 3),
                ("Block", "second", 2), ("GroupNorm", "second.norm", 3), ("Conv2d", "second.conv", 3)]
        self.assertEqual(probe.modules(), once * 2)
        self.assertEqual(probe.depth, 0)
        kinds = [kind for kind, _, _ in probe.calls]
        self.assertEqual(kinds[:2], ["gate", "info"])
        self.assertLess(kinds.index("open"), kinds.index("push"))
        self.assertEqual(kinds.count("open"), 1)
        self.assertLess(len(kinds) - 1 - kinds[::-1].index("pop"), kinds.index("close"))
        self.assertEqual(kinds[-1], "flush")

    def test_module_description(self):
        probe = self.start(0, 0, 1)
        with torch.no_grad():
            Model()(self.input.to(memory_format=torch.channels_last))
        norm = next(f for k, f, _ in probe.calls if k == "push" and f.get("p") == "first.norm")
        self.assertEqual(norm["l"], 1)
        self.assertEqual(norm["in"], [["f32", [1, 8, 4, 4], [128, 1, 32, 8]]])
        attributes = norm["a"]
        self.assertEqual((attributes["num_groups"], attributes["eps"], attributes["affine"]), (4, 1e-3, True))
        self.assertEqual((attributes["has_weight"], attributes["weight_dtype"]), (True, "f32"))
        self.assertNotIn("training", attributes)
        root = next(f for k, f, _ in probe.calls if k == "push" and f.get("c") == "Model")
        self.assertEqual(root["l"], 0)

    def test_operators_of_one_step(self):
        probe = self.start(0, 0, 2)
        with torch.no_grad():
            model = Model()
            model(self.input)
            model(self.input)
        ops = [op for message in probe.of("ops") for op in message["l"]]
        if not hasattr(torch.profiler, "ExecutionTraceObserver"):
            self.assertEqual(ops, [])
            self.assertTrue(any("dtypes" in note["text"] for note in probe.of("note")))
            return
        norms = [op for op in ops if op["n"] == "aten::native_group_norm"]
        self.assertEqual(len(norms), 2)
        norm = norms[0]
        self.assertEqual(norm["in"][0], ["f32", [1, 8, 4, 4], [128, 16, 4, 1]])
        self.assertEqual(norm["in"][1][:2], ["f32", [8]])
        self.assertEqual(norm["in"][3:], [None] * 5)
        self.assertEqual({k: norm["sc"][k] for k in "3456"}, {"3": 1, "4": 8, "5": 16, "6": 4})
        self.assertAlmostEqual(norm["sc"]["7"], 1e-3)
        self.assertEqual(len({op["id"] for op in ops}), len(ops))

    def test_training_step_reaches_to_the_next_forward(self):
        probe = self.start(1, 0, 1)
        model = Model()
        for _ in range(3):
            model(self.input).sum().backward()
        self.assertTrue(self.hook.done)
        self.assertEqual(len([f for k, f, _ in probe.calls if k == "push" and f["fs"] == "s"]), 1)
        self.assertEqual(probe.depth, 0)

    def test_user_steps(self):
        probe = self.start(1, 0, 2)
        hook.active, before = self.hook, hook.active
        try:
            import foresight_torch
            block = Block()
            with torch.no_grad():
                for _ in range(4):
                    foresight_torch.step()
                    block(self.input)
                    block(self.input)
        finally:
            hook.active = before
        self.assertTrue(self.hook.done)
        self.assertEqual(len([m for m in probe.modules() if m[0] == "Block"]), 4)

    def test_a_failing_model_keeps_its_error_and_the_stack(self):
        probe = self.start(0, 0, 3)
        model = Model(failing=True)
        with torch.no_grad():
            with self.assertRaisesRegex(ValueError, "own error"):
                model(self.input)
        self.assertEqual(probe.depth, 0)

    def test_our_own_failure_does_not_reach_the_program(self):
        probe = self.start(0, 0, 1)
        self.hook.texts.name_from = lambda module: 1 / 0
        with torch.no_grad():
            self.assertEqual(Model()(self.input, scale=2.0).shape, self.input.shape)
        self.assertTrue(self.hook.done)
        self.assertTrue(any("ended early" in note["text"] for note in probe.of("note")))

    def test_too_few_steps_are_said(self):
        probe = self.start(5, 0, 2)
        with torch.no_grad():
            Model()(self.input)
        self.hook.at_exit()
        self.assertTrue(any("Only 0 of 2 steps" in note["text"] for note in probe.of("note")))

    @unittest.skipUnless(hasattr(torch.autograd.profiler.profile, "_prepare_trace"), "this torch has no such entry")
    def test_torch_profiler_is_noticed(self):
        probe = self.start(1, 0, 2)
        model = Model()
        with torch.no_grad():
            model(self.input)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
                model(self.input)
        self.assertEqual(probe.of("disturbed"), [{"by": "torch.profiler"}])
        self.assertEqual(probe.calls[-1][0], "release")
        self.assertTrue(self.hook.done)

    def test_profiler_after_complete_steps_only_ends_the_recording(self):
        if self.prepare is None:
            self.skipTest("this torch has no such entry")
        probe = self.start(0, 0, 3)
        model = Model()
        with torch.no_grad():
            model(self.input)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
                model(self.input)
        self.assertEqual(probe.of("disturbed"), [])
        self.assertTrue(any("after 1 steps" in note["text"] for note in probe.of("note")))

    def test_lists_of_tensors_are_laid_out_flat(self):
        node = {"name": "aten::cat", "attrs": [{"name": "rf_id", "value": 7}],
                "inputs": {"values": [[[1], [2]], 1], "shapes": [[[2, 3], [4, 3]], []],
                           "types": ["GenericList[Tensor(c10::Half),Tensor(c10::Half)]", "Int"],
                           "strides": [[[3, 1], [3, 1]], []]}}
        self.assertEqual(describe.trace_node(node), {
            "id": 7, "n": "aten::cat", "in": [["f16", [2, 3], [3, 1]], ["f16", [4, 3], [3, 1]], None], "sc": {"2": 1}})
        self.assertIsNone(describe.trace_node({"name": "x", "attrs": []}))


class StartUpTest(unittest.TestCase):
    """The sitecustomize entry, in fresh interpreters."""

    def run_python(self, code, **environment):
        values = dict(os.environ, FORESIGHT_HOOK="1", PYTHONDONTWRITEBYTECODE="1")
        values.update(environment)
        values.pop("FORESIGHT_PROBE_LIBRARY", None)
        root = os.path.dirname(os.path.dirname(os.path.abspath(hook.__file__)))
        paths = [os.path.join(root, "foresight_torch", "startup"), root] + environment.get("EXTRA", "").split(":")
        values["PYTHONPATH"] = ":".join(p for p in paths if p)
        return subprocess.run([sys.executable, "-c", code], env=values, capture_output=True, text=True, check=False)

    def test_installs_when_torch_is_imported(self):
        result = self.run_python("import torch; from foresight_torch import hook; print(hook.active is not None)")
        self.assertEqual(result.stdout.strip(), "True", result.stderr)

    def test_does_nothing_without_torch(self):
        result = self.run_python("import sys, json; print('torch' in sys.modules, 'foresight_torch.hook' in sys.modules)")
        self.assertEqual(result.stdout.strip(), "False False", result.stderr)

    def test_does_nothing_when_not_asked(self):
        result = self.run_python("import sys; print('foresight_torch.loader' in sys.modules)", FORESIGHT_HOOK="0")
        self.assertEqual(result.stdout.strip(), "False", result.stderr)

    def test_the_users_own_sitecustomize_still_runs(self):
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as file:
                file.write("import builtins; builtins.users_own = 5\n")
            result = self.run_python("print(users_own)", EXTRA=folder)
        self.assertEqual(result.stdout.strip(), "5", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
