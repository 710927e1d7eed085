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


def _skinny_linear(torch, symbols, tensors, outputs):
    x, weight, bias = (tensors.get(name) for name in ("x", "weight", "bias"))
    return lambda: {outputs[0]["name"]: torch.nn.functional.linear(x, weight, bias)}


def _cumsum(torch, symbols, tensors, outputs):
    x = tensors["x"]
    return lambda: {outputs[0]["name"]: x.cumsum(-1)}


def _row_reduce(torch, symbols, tensors, outputs):
    x, operation = tensors["x"], ("sum", "mean", "amax", "amin")[symbols["op"]]
    if len(outputs) > 1:
        both = torch.max if symbols["op"] == 2 else torch.min
        return lambda: dict(zip((spec["name"] for spec in outputs), both(x, -1)))
    return lambda: {outputs[0]["name"]: getattr(x, operation)(-1)}


def _cross_entropy(torch, symbols, tensors, outputs):
    x, target = tensors["x"], tensors["target"]
    options = {"reduction": ("none", "mean", "sum")[symbols["reduction"]], "ignore_index": symbols["ignore_index"]}

    def loss():
        y = torch.nn.functional.cross_entropy(x, target, **options)
        return {outputs[0]["name"]: y.view(outputs[0]["shape"])}

    return loss


def _embedding(torch, symbols, tensors, outputs):
    index, weight = tensors["index"], tensors["weight"]
    return lambda: {outputs[0]["name"]: torch.nn.functional.embedding(index, weight)}


def _max_pool2d(torch, symbols, tensors, outputs):
    x = tensors["x"]
    window, stride, padding = ((symbols[name + "H"], symbols[name + "W"]) for name in ("K", "S", "P"))
    pool = torch.nn.functional.max_pool2d
    if len(outputs) > 1:
        return lambda: dict(zip((spec["name"] for spec in outputs), pool(x, window, stride, padding, return_indices=True)))
    return lambda: {outputs[0]["name"]: pool(x, window, stride, padding)}


def _permute_copy(torch, symbols, tensors, outputs):
    x = tensors["x"]
    return lambda: {outputs[0]["name"]: x.clone(memory_format=torch.contiguous_format)}


def _silu(torch, symbols, tensors, outputs):
    x = tensors["x"]
    return lambda: {outputs[0]["name"]: torch.nn.functional.silu(x)}


def _gelu(torch, symbols, tensors, outputs):
    x, form = tensors["x"], "tanh" if symbols.get("tanh") else "none"
    return lambda: {outputs[0]["name"]: torch.nn.functional.gelu(x, approximate=form)}


def _relu(torch, symbols, tensors, outputs):
    x = tensors["x"]
    return lambda: {outputs[0]["name"]: torch.relu(x)}


def _add(torch, symbols, tensors, outputs):
    a, b, clipped = tensors["a"], tensors["b"], bool(symbols.get("relu", False))
    return lambda: {outputs[0]["name"]: torch.relu(a + b) if clipped else a + b}


def _gated(torch, symbols, tensors, outputs):
    functional = torch.nn.functional
    form = "tanh" if symbols.get("tanh") else "none"

    def activated(gate):
        return functional.gelu(gate, approximate=form) if symbols.get("gelu") else functional.silu(gate)

    if symbols.get("packed"):

        def packed():
            gate, up = tensors["x"].chunk(2, dim=-1)
            return {outputs[0]["name"]: activated(gate) * up}

        return packed
    return lambda: {outputs[0]["name"]: activated(tensors["gate"]) * tensors["up"]}


def _rope(torch, symbols, tensors, outputs):
    x, cos, sin = tensors["x"], tensors["cos"], tensors["sin"]
    half = x.shape[-1] // 2

    def rotated_halves():
        turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
        return {outputs[0]["name"]: x * cos + turned * sin}

    def rotated_pairs():
        turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
        return {outputs[0]["name"]: x * cos + turned * sin}

    return rotated_pairs if symbols.get("interleaved") else rotated_halves


def _batch_norm(torch, symbols, tensors, outputs):
    x, added = tensors["x"], tensors.get("residual")
    mean, variance, weight, bias = (tensors.get(name) for name in ("mean", "variance", "weight", "bias"))
    eps, clipped = symbols["eps"], bool(symbols.get("relu", False))

    def run():
        y = torch.nn.functional.batch_norm(x, mean, variance, weight, bias, False, 0.0, eps)
        y = y if added is None else y + added
        return {outputs[0]["name"]: torch.relu(y) if clipped else y}

    return run


def _layer_norm(torch, symbols, tensors, outputs):
    x, weight, bias, eps = tensors["x"], tensors.get("weight"), tensors.get("bias"), symbols["eps"]
    if len(outputs) > 1:

        def with_statistics():
            results = torch.ops.aten.native_layer_norm(x, [x.shape[-1]], weight, bias, eps)
            return dict(zip((spec["name"] for spec in outputs), results))

        return with_statistics
    return lambda: {outputs[0]["name"]: torch.nn.functional.layer_norm(x, (x.shape[-1],), weight, bias, eps)}


def _add_rms_norm(torch, symbols, tensors, outputs):
    x, residual, weight, eps = tensors["x"], tensors["residual"], tensors["gain"], symbols["eps"]
    offset = symbols.get("weight_offset", 0)

    def run():
        h = x + residual
        gain = weight + offset if offset else weight
        return {outputs[0]["name"]: h, outputs[1]["name"]: torch.nn.functional.rms_norm(h, (h.shape[-1],), gain, eps)}

    return run


def _fp8_quantise(torch, symbols, tensors, outputs):
    x, least = tensors["x"], symbols["least"]

    def run():
        scale = x.abs().amax(-1, keepdim=True).float().clamp(min=least) / 448.0
        return {outputs[0]["name"]: (x.float() / scale).to(torch.float8_e4m3fn), outputs[1]["name"]: scale}

    return run


_FAMILIES = {
    "cross_entropy": _cross_entropy,
    "cumsum": _cumsum,
    "embedding": _embedding,
    "group_norm": _group_norm,
    "max_pool2d": _max_pool2d,
    "rms_norm": _rms_norm,
    "row_reduce": _row_reduce,
    "skinny_linear": _skinny_linear,
    "softmax": _softmax,
    "add": _add,
    "add_rms_norm": _add_rms_norm,
    "batch_norm": _batch_norm,
    "fp8_quantise": _fp8_quantise,
    "gated": _gated,
    "gelu": _gelu,
    "layer_norm": _layer_norm,
    "permute_copy": _permute_copy,
    "relu": _relu,
    "rope": _rope,
    "silu": _silu,
}
