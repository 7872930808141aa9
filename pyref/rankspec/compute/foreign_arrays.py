"""Arrays and tensors of other libraries as arrays of numpy: without a copy where they allow it.

No library is imported here: who has a tensor of torch or of JAX has loaded it. Spec: RS-CONV-11.
"""

from __future__ import annotations

from ..errors import InputError
from ..typed import Any

_ON_THE_HOST = (1, 3, 11)  # of DLPack's devices: the CPU, and memory of it pinned for a GPU
_DEVICES = {
    2: "cuda",
    4: "opencl",
    7: "vulkan",
    8: "metal",
    9: "vpi",
    10: "rocm",
    13: "cuda (managed)",
    14: "oneapi",
    15: "webgpu",
}
_NUMPY_READS = ("__array__", "__array_interface__", "__array_struct__")
_SMALL_INTEGERS = ("int2", "uint2", "int4", "uint4")  # of ml_dtypes


def as_numpy(given: Any, what: str) -> Any:
    """An array of numpy with the same numbers; the buffer is shared where the layout allows.

    A tensor of torch that has gradients is read as it is, without them. An InputError for what is
    on another device than the CPU, is sparse, or gives no array.
    """
    import numpy as np  # only where an array is given

    if isinstance(given, np.ndarray):
        return given
    check_on_the_host(given, what)
    if _is_of_torch(given):
        return _of_torch(given, what)
    try:
        return np.from_dlpack(given) if _is_of_dlpack_alone(given) else np.asarray(given)
    except Exception as error:
        raise _no_array(given, what, error) from error


def check_on_the_host(given: Any, what: str) -> None:
    """An InputError for an array that is not in the memory of the CPU."""
    device = _device(given)
    if device is not None:
        raise InputError(
            f"{what}: the {type(given).__name__} is on the device {device}, but numbers are read "
            "only from the CPU. Move it there first, with .cpu() in torch, .get() in CuPy or "
            "jax.device_get(...) in JAX (RS-CONV-11)"
        )


def as_python_number(x: Any) -> Any:
    """Return the same number as Python's own if x is a scalar of an array library, else x.

    A scalar of numpy rounds itself to a double before it is compared with one.
    """
    if type(x) in (int, float) or not hasattr(x, "dtype") or getattr(x, "ndim", 0) > 0:
        return x
    return x.item()


def as_known_floats(x: Any) -> Any:
    """An array of the small types of ml_dtypes, which JAX has, as one of numpy's, exactly."""
    import numpy as np

    if x.dtype.isbuiltin == 1 or x.dtype.kind in "OUSMm" or x.dtype.names:
        return x
    name = x.dtype.name
    if name in _SMALL_INTEGERS:
        return x.astype(np.int8)
    if name == "bfloat16" or name.startswith(("float8_", "float6_", "float4_")):
        return x.astype(np.float32)  # which has all their numbers
    return x


def _device(x: Any) -> str | None:
    """The device that an array is on, in words; None: the CPU, or nobody knows."""
    if _is_of_torch(x):
        return None if x.device.type == "cpu" else str(x.device)
    ask = getattr(x, "__dlpack_device__", None)
    if ask is None:
        return "cuda" if hasattr(x, "__cuda_array_interface__") else None
    try:
        kind, number = (int(part) for part in ask())
    except Exception:  # noqa: BLE001 - of several devices, say: numpy may read it all the same
        return None
    return None if kind in _ON_THE_HOST else f"{_DEVICES.get(kind, f'of kind {kind}')}:{number}"


def _is_of_torch(x: Any) -> bool:
    return any(c.__module__ == "torch" and c.__name__ == "Tensor" for c in type(x).__mro__)


def _of_torch(tensor: Any, what: str) -> Any:
    kind = str(tensor.dtype).removeprefix("torch.")
    if str(tensor.layout) != "torch.strided":
        raise InputError(f"{what}: the tensor is sparse; pass the result of its to_dense()")
    if tensor.is_quantized:
        raise InputError(f"{what}: the tensor is quantized; pass the result of its dequantize()")
    tensor = tensor.detach()
    if kind == "bfloat16" or kind.startswith("float8_"):
        tensor = tensor.float()  # 32 bits, which have all their numbers
    try:
        return tensor.resolve_conj().resolve_neg().numpy()
    except Exception as error:
        raise _no_array(tensor, what, error) from error


def _is_of_dlpack_alone(x: Any) -> bool:
    if not hasattr(x, "__dlpack__") or any(hasattr(x, name) for name in _NUMPY_READS):
        return False
    try:
        memoryview(x)
    except TypeError:
        return True
    return False


def _no_array(given: Any, what: str, error: Exception) -> InputError:
    return InputError(f"{what}: {type(given).__name__} gives no array: {error}")
