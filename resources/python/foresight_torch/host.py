# SPDX-License-Identifier: Apache-2.0
"""PyTorch host mode: times PyTorch's own implementations of an operator against one of our kernels.

    python3 -m foresight_torch.host REQUEST RESPONSE

Both run in this process, on the same inputs at the same addresses, in quads (see core/gpu/torch_baselines.h for the
two files). PyTorch is timed through replay of a CUDA graph; its plain call from a host loop is reported beside it.
What PyTorch computes is checked against our fp64 reference too.
"""

import json
import sys
import traceback

from . import host_baselines, host_library


def _graph(torch, call):
    """The call captured as a CUDA graph, after warming up on a side stream (compiling, choosing algorithms)."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.graph(graph):
        kept = call()
    return graph, kept


def _plain_call_us(torch, call, count=100):
    """Time of a call from a host loop, launches included."""
    import time

    for _ in range(10):
        call()
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count * 1e6


def _check(session, problem, outputs):
    entries = [
        {"name": name, "address": tensor.data_ptr(), "strides": host_library.logical_strides(problem, name, tensor)}
        for name, tensor in outputs.items()
    ]
    return session.call({"type": "check_external", "outputs": entries})


def _measure(torch, session, request, name):
    problem = request["problem"]["problem"]
    addresses = session.call({"type": "load_inputs", "seed": request.get("seed", 1)})["addresses"]
    tensors = {
        spec["name"]: host_library.tensor_at(torch, addresses[spec["name"]], spec)
        for spec in problem["tensors"]
        if spec["role"] == "input"
    }
    function = host_baselines.function_for(torch, problem, tensors)
    if name == "torch-compile":
        torch._dynamo.reset()
        function = torch.compile(function, dynamic=False)
    elif name != "torch-eager":
        raise ValueError(f"unknown baseline {name!r}")
    graph, outputs = _graph(torch, function)
    graph.instantiate()
    graph.replay()
    torch.cuda.synchronize()
    report = _check(session, problem, outputs)
    if not report["passed"]:  # another function than ours: no baseline
        raise RuntimeError(
            f"PyTorch's {report['tensor']} differs from the fp64 reference in {report['badElements']} elements, first at "
            f"{report['firstBadIndex']}: {report['firstBadValue']} instead of {report['firstBadExpected']}")
    plain = _plain_call_us(torch, function)
    session.set_baseline_graph(graph.raw_cuda_graph())
    try:
        message = {
            "type": "baseline",
            "quads": request.get("quads", 24),
            "regime": request.get("regime", "cold"),
            "seed": request.get("seed", 1),
        }
        binary = b""
        if "candidate" in request:
            candidate = request["candidate"]
            message.update({key: candidate[key] for key in ("plan", "cubin", "cubins")})
            with open(request["candidateBinary"], "rb") as file:
                binary = file.read()
        timing = session.call(message, binary)
    finally:
        session.set_baseline_graph(None)
    return {"name": name, "timing": timing, "error": "", "check": report, "plainCallUs": plain}


def run(request):
    import torch

    if not torch.cuda.is_available():
        raise RuntimeError("this PyTorch sees no CUDA device")
    torch.cuda.set_device(request.get("device", 0))
    torch.cuda.init()
    baselines = []
    with host_library.Session(request["library"], request.get("device", 0), request.get("cacheFolder", "")) as session:
        with open(request["problemBinary"], "rb") as file:
            session.call(request["problem"], file.read())
        for name in request.get("names", ["torch-eager"]):
            try:
                with torch.no_grad():
                    baselines.append(_measure(torch, session, request, name))
            except host_library.SessionLost:
                raise
            except Exception as error:  # one baseline that fails must not hide the others
                traceback.print_exc()
                baselines.append({"name": name, "timing": None, "error": f"{type(error).__name__}: {error}"[:600]})
    return {"torch": torch.__version__, "cuda": torch.version.cuda, "baselines": baselines}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as file:
        request = json.load(file)
    try:
        response = run(request)
    except Exception as error:
        traceback.print_exc()
        response = {"error": f"{type(error).__name__}: {error}"[:600]}
    with open(arguments[1], "w", encoding="utf-8") as file:
        json.dump(response, file)
    return 0 if "error" not in response else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
