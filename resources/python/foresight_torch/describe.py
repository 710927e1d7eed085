# SPDX-License-Identifier: Apache-2.0
"""Tensors, modules and recorded operators as the compact JSON the profile builder reads."""
import json
import weakref

_DTYPES = {
    "float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "float8_e4m3fn": "f8e4m3",
    "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8", "uint8": "u8", "bool": "bool",
}
# As ExecutionTraceObserver names them.
_TRACE_DTYPES = {
    "double": "f64", "float": "f32", "c10::Half": "f16", "c10::BFloat16": "bf16", "c10::Float8_e4m3fn": "f8e4m3",
    "long int": "i64", "long": "i64", "int": "i32", "short": "i16", "short int": "i16", "signed char": "i8",
    "unsigned char": "u8", "bool": "bool",
}
_MAX_TEXT = 200


def tensor(value):
    """["f16", shape, strides], or None for what has no strides (sparse, nested)."""
    try:
        name = str(value.dtype).rpartition(".")[2]
        return [_DTYPES.get(name, name), list(value.shape), list(value.stride())]
    except Exception:
        return None


def _attributes(module):
    out = {}
    for name, value in vars(module).items():
        if name.startswith("_") or name == "training":
            continue
        if isinstance(value, (bool, int, float)):
            out[name] = value
        elif isinstance(value, str) and len(value) <= _MAX_TEXT:
            out[name] = value
        elif isinstance(value, (tuple, list)) and value and all(type(v) is int for v in value):
            out[name] = value[0] if len(value) == 1 else str(list(value))
    return out


class ModuleTexts:
    """The range text of a module call. What does not change between calls is kept per module."""

    def __init__(self, torch):
        self._torch = torch
        self._kept = weakref.WeakKeyDictionary()
        self._paths = {}

    def name_from(self, root):
        self._paths = {id(module): name for name, module in root.named_modules()}

    def _fixed(self, module):
        parameters = {}
        for name, parameter in list(module.named_parameters(recurse=False)):
            described = tensor(parameter)
            if described:
                parameters[name] = described
        attributes = _attributes(module)
        # For family mappings: which weights there are, and of what type.
        for name in ("weight", "bias"):
            attributes["has_" + name] = name in parameters
            if name in parameters:
                attributes[name + "_dtype"] = parameters[name][0]
        return {
            "fs": "m",
            "c": type(module).__name__,
            "p": self._paths.get(id(module), ""),
            "l": 0 if next(module.children(), None) is not None else 1,
            "w": parameters,
            "a": attributes,
        }

    def text(self, module, args, kwargs):
        fixed = self._kept.get(module)
        if fixed is None:
            fixed = self._fixed(module)
            self._kept[module] = fixed
        is_tensor = self._torch.is_tensor
        inputs = [tensor(value) if is_tensor(value) else None for value in args]
        inputs += [tensor(value) for value in kwargs.values() if is_tensor(value)]
        message = dict(fixed)
        message["in"] = inputs
        return json.dumps(message, separators=(",", ":"))


def _trace_dtype(kind):
    """"Tensor(c10::Half)" -> "f16"; None for what is no tensor or an undefined one."""
    if not kind.startswith("Tensor(") or "nullptr" in kind:
        return None
    name = kind[len("Tensor("):-1]
    return _TRACE_DTYPES.get(name, name)


def trace_node(node):
    """One operator of an execution trace: its tensors and scalars by position; lists of tensors are laid out flat,
    as in emit_nvtx's sizes. None when it has no id to join by."""
    op_id = next((a.get("value") for a in node.get("attrs", ()) if a.get("name") == "rf_id"), None)
    described = node.get("inputs") or {}
    if not op_id or "types" not in described:
        return None
    values, shapes, types = described.get("values", []), described.get("shapes", []), described["types"]
    strides = described.get("strides") or [[]] * len(types)
    inputs, scalars = [], {}
    for value, shape, kind, stride in zip(values, shapes, types, strides):
        dtype = _trace_dtype(kind)
        if dtype:
            inputs.append([dtype, shape, stride])
        elif kind.startswith("GenericList[") and "Tensor(" in kind:
            kinds = kind[len("GenericList["):-1].split(",")
            for position, part in enumerate(kinds):
                dtype = _trace_dtype(part)
                inputs.append([dtype, shape[position], stride[position] if stride else []] if dtype else None)
        else:
            if kind in ("Int", "Double", "Bool", "String"):
                scalars[str(len(inputs))] = value
            elif kind.startswith("GenericList["):
                scalars[str(len(inputs))] = json.dumps(value)
            inputs.append(None)
    return {"id": op_id, "n": node.get("name", ""), "in": inputs, "sc": scalars}
