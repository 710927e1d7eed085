# SPDX-License-Identifier: Apache-2.0
"""What PyTorch would do for a family's problem: functions without arguments that return {output: tensor}.

Written the way models write them, so that eager and compiled times are those a user has.
"""


def function_for(torch, problem, tensors):
    """Raises ValueError when PyTorch has no such operator; the message says so."""
    build = _FAMILIES.get(problem["family"])
    if build is None:
        raise ValueError(f"no PyTorch equivalent is known for the family {problem['family']!r}")
    return build(torch, problem["symbols"], tensors, [spec for spec in problem["tensors"] if spec["role"] == "output"])


def _group_norm(torch, symbols, tensors, outputs):
    functional = torch.nn.functional
    x, weight, bias = (tensors.get(name) for name in ("x", "weight", "bias"))
    groups, eps, silu = symbols["G"], symbols["eps"], bool(symbols.get("silu", False))
    if len(outputs) > 1:
        n, c = x.shape[0], x.shape[1]
        inner = x.numel() // max(1, n * c)

        def with_statistics():
            y, mean, rstd = torch.ops.aten.native_group_norm(x, weight, bias, n, c, inner, groups, eps)
            y = functional.silu(y) if silu else y
            return dict(zip((spec["name"] for spec in outputs), (y, mean, rstd)))

        return with_statistics

    def plain():
        y = functional.group_norm(x, groups, weight, bias, eps)
        return {outputs[0]["name"]: functional.silu(y) if silu else y}

    return plain


def _rms_norm(torch, symbols, tensors, outputs):
    x, weight, eps = tensors["x"], tensors.get("gain"), symbols["eps"]
    offset = symbols.get("weight_offset", 0)
    if len(outputs) > 1:

        def with_statistics():
            y, rstd = torch.ops.aten._fused_rms_norm(x, [x.shape[-1]], weight, eps)
            return dict(zip((spec["name"] for spec in outputs), (y, rstd)))

        return with_statistics

    def as_models_write_it():
        h = x.to(torch.float32)
        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + eps)
        if offset and weight is not None:
            return {outputs[0]["name"]: (h * (float(offset) + weight.float())).to(x.dtype)}
        h = h.to(x.dtype)
        return {outputs[0]["name"]: weight * h if weight is not None else h}

    return as_models_write_it


def _softmax(torch, symbols, tensors, outputs):
    operator = torch.log_softmax if symbols.get("log") else torch.softmax
    x = tensors["x"]
    dtype = torch.float32 if symbols.get("f32_out") else x.dtype
    return lambda: {outputs[0]["name"]: operator(x, -1, dtype=dtype)}


_FAMILIES = {"group_norm": _group_norm, "rms_norm": _rms_norm, "softmax": _softmax}
