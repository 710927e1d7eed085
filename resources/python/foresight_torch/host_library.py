# SPDX-License-Identifier: Apache-2.0
"""libforesight-measure.so through ctypes, and PyTorch tensors over its buffers."""

import ctypes
import json

# torch dtype, and the element type under which the array interface can carry it
_DTYPES = {
    "f64": ("float64", "<f8"),
    "f32": ("float32", "<f4"),
    "f16": ("float16", "<f2"),
    "bf16": ("bfloat16", "<i2"),
    "f8e4m3": ("float8_e4m3fn", "|i1"),
    "i64": ("int64", "<i8"),
    "i32": ("int32", "<i4"),
    "i16": ("int16", "<i2"),
    "i8": ("int8", "|i1"),
    "u8": ("uint8", "|u1"),
    "bool": ("bool", "|b1"),
}


class SessionLost(RuntimeError):
    """The CUDA context is gone: nothing more can be done in this process."""


class Session:
    """One GPU in the measure library; see core/gpu/measure/measure.h."""

    def __init__(self, path, device=0, cache_folder=""):
        library = ctypes.CDLL(path)
        text, size = ctypes.c_void_p, ctypes.c_size_t
        library.fsm_open.restype = ctypes.c_void_p
        library.fsm_open.argtypes = [ctypes.c_char_p, ctypes.POINTER(text)]
        library.fsm_close.argtypes = [ctypes.c_void_p]
        library.fsm_call.restype = text
        library.fsm_call.argtypes = [
            ctypes.c_void_p, ctypes.c_char_p, size, ctypes.c_char_p, size, ctypes.POINTER(ctypes.c_int)]
        library.fsm_free.argtypes = [text]
        library.fsm_baseline_graph.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._library = library
        error = text()
        options = json.dumps({"device": device, "cacheFolder": cache_folder}).encode()
        self._session = library.fsm_open(options, ctypes.byref(error))
        if not self._session:
            raise RuntimeError(self._take(error.value)["message"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._session:
            self._library.fsm_close(self._session)
            self._session = None

    def _take(self, address):
        try:
            return json.loads(ctypes.string_at(address))
        finally:
            self._library.fsm_free(address)

    def call(self, request, binary=b""):
        """The result of a request; RuntimeError with the library's message when it fails."""
        message = json.dumps({"id": 1, **request}).encode()
        fatal = ctypes.c_int(0)
        reply = self._take(
            self._library.fsm_call(self._session, message, len(message), binary, len(binary), ctypes.byref(fatal)))
        if fatal.value:
            self._session = None  # closing would wait for a GPU that does not answer
            raise SessionLost(reply.get("error", {}).get("message", "the CUDA context is lost"))
        if not reply.get("ok"):
            raise RuntimeError(reply["error"]["message"])
        return reply["result"]

    def set_baseline_graph(self, graph):
        """A CUgraph that stays alive until the next call of this, or None."""
        self._library.fsm_baseline_graph(self._session, ctypes.c_void_p(graph))


class _Array:
    def __init__(self, interface):
        self.__cuda_array_interface__ = interface


def tensor_at(torch, address, spec):
    """A tensor of `spec` (a TensorSpec in JSON) over memory that the library owns; nothing is copied."""
    name, element = _DTYPES[spec["dtype"]]
    width = int(element[2:])
    array = _Array({
        "shape": tuple(spec["shape"]),
        "strides": tuple(stride * width for stride in spec["strides"]),
        "typestr": element,
        "data": (address, False),
        "version": 3,
    })
    tensor = torch.as_tensor(array, device="cuda")
    if tensor.data_ptr() != address:
        raise RuntimeError("PyTorch copied an input instead of using it in place")
    dtype = getattr(torch, name)
    return tensor if tensor.dtype == dtype else tensor.view(dtype)


def logical_strides(problem, name, tensor):
    """Strides of `tensor` for the shape the problem gives output `name`."""
    shape = next(spec["shape"] for spec in problem["tensors"] if spec["name"] == name)
    return list(tensor.view(shape).stride() if list(tensor.shape) != shape else tensor.stride())
