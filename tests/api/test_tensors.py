"""Arrays of other libraries: the values of the lists that they hold, without a copy."""

from __future__ import annotations

import array
from typing import Any

import numpy as np
import pytest

import rankspec as rs
from rankspec.compute.arrays import read_lists
from rankspec.errors import InputError

pytestmark = pytest.mark.spec("RS-CONV-11")

LABELS = [3, 2, 3, 0, 1, 2]
HOW = 'is not installed: pip install -e ".[tensors]"'


def is_shared(given: Any, own: np.ndarray) -> bool:
    """Whether the numbers of what is given are read where they stand."""
    return np.shares_memory(np.asarray(read_lists(given, None, "labels").flat), own)


class OfDLPack:
    """An array that only DLPack can read, on a device that it names."""

    def __init__(self, own: Any, device: tuple[int, int] | None = None) -> None:
        self.own, self.device = own, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.own.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device or tuple(map(int, self.own.__dlpack_device__()))  # type: ignore[return-value]


class OfInterface:
    """An array that says where its numbers are."""

    def __init__(self, own: np.ndarray) -> None:
        self.own = own
        self.__array_interface__ = own.__array_interface__


class OfCuda:
    """An array of numba or CuPy on a GPU."""

    __cuda_array_interface__ = None


# ---- without any other library -----------------------------------------------------------


@pytest.mark.parametrize("kind", ["uint8", "int64", "float32", "float64"])
def test_what_only_dlpack_or_its_interface_tells_is_read_in_place(kind: str) -> None:
    own = np.array(LABELS, dtype=kind)
    for given in (OfDLPack(own), OfDLPack(own, (3, 0)), OfInterface(own), memoryview(own)):
        assert rs.ndcg(given, k=3) == rs.ndcg(LABELS, k=3)
        assert is_shared(given, own)
    assert is_shared(array.array("q", LABELS), own) is False  # control: another buffer


@pytest.mark.parametrize(
    ("device", "named"),
    [((2, 0), "cuda:0"), ((8, 1), "metal:1"), ((10, 0), "rocm:0"), ((99, 2), "of kind 99:2")],
)
def test_another_device_is_refused(device: tuple[int, int], named: str) -> None:
    there = OfDLPack(np.array(LABELS), device)
    for call in (
        lambda: rs.ndcg(there),
        lambda: rs.ndcg(LABELS, scores=there),
        lambda: rs.ndcg(LABELS, judged=there),
        lambda: rs.ndcg(LABELS, offsets=there),
        lambda: rs.ndcg(LABELS, scores=LABELS, ids=there),
    ):
        with pytest.raises(InputError) as error:
            call()
        assert f"the OfDLPack is on the device {named}, but numbers are read" in str(error.value)
        assert "with .cpu() in torch" in str(error.value)
    with pytest.raises(InputError, match="labels: the OfCuda is on the device cuda, but"):
        rs.ndcg(OfCuda())


def test_a_device_that_nobody_knows_is_left_to_numpy() -> None:
    class Sharded(OfInterface):
        def __dlpack_device__(self) -> tuple[int, int]:
            raise ValueError("several devices")

    assert rs.ndcg(Sharded(np.array(LABELS))) == rs.ndcg(LABELS)


def test_what_dlpack_refuses_is_no_array() -> None:
    class Broken(OfDLPack):
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("no export")

    with pytest.raises(InputError, match="labels: Broken gives no array: no export"):
        rs.ndcg(Broken(np.array(LABELS)))


# ---- torch -------------------------------------------------------------------------------


@pytest.fixture
def torch() -> Any:
    return pytest.importorskip("torch", reason=f"torch {HOW}")


@pytest.mark.parametrize(
    "kind", ["uint8", "int8", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
)
def test_tensors_have_the_values_of_their_lists(torch: Any, kind: str) -> None:
    tensor = torch.tensor(LABELS, dtype=getattr(torch, kind))
    assert rs.ndcg(tensor, k=[3, 5]).tolist() == rs.ndcg(LABELS, k=[3, 5]).tolist()
    assert rs.ndcg(tensor.reshape(2, 3)).tolist() == rs.ndcg([LABELS[:3], LABELS[3:]]).tolist()
    assert rs.ndcg([tensor[:2], tensor[2:]]).tolist() == rs.ndcg([LABELS[:2], LABELS[2:]]).tolist()
    if kind not in ("float16", "bfloat16"):
        assert is_shared(tensor, tensor.numpy())


def test_every_argument_may_be_a_tensor(torch: Any) -> None:
    scores = [0.5, 0.25, 0.5, 2.0, -1.0, 0.25]
    found = rs.ndcg(
        torch.tensor(LABELS),
        scores=torch.tensor(scores, requires_grad=True),
        ids=torch.tensor([1, 2, 3, 4, 5, 6]),
        offsets=torch.tensor([0, 2, 6]),
        judged=torch.tensor([*LABELS, 3.0]),
        judged_offsets=torch.tensor([0, 2, 7]),
    )
    wanted = rs.ndcg(
        [LABELS[:2], LABELS[2:]],
        scores=[scores[:2], scores[2:]],
        ids=[[1, 2], [3, 4, 5, 6]],
        judged=[LABELS[:2], [*LABELS[2:], 3]],
    )
    assert found.tolist() == wanted.tolist()


def test_16_bit_numbers_are_what_they_are(torch: Any) -> None:
    for kind in (torch.bfloat16, torch.float16, torch.float8_e4m3fn, torch.float8_e5m2):
        tensor = torch.tensor([0.3, 2.0, 0.0]).to(kind)
        assert rs.dcg(tensor) == rs.dcg(tensor.double().tolist())
        assert rs.dcg(tensor) != rs.dcg([0.3, 2.0, 0.0])
    wide = torch.tensor([1e30, 1e-30]).bfloat16()  # 16 bits, of which 8 are the exponent's
    assert rs.dcg(wide) == rs.dcg(wide.double().tolist())
    tied = torch.tensor([1.0, 1.001953125], dtype=torch.bfloat16)  # which cannot tell them apart
    assert rs.rr([0, 1], scores=tied) == 0.75
    assert rs.rr([0, 1], scores=tied.tolist()) == 0.75


def test_strided_negated_and_transposed_tensors(torch: Any) -> None:
    long = torch.arange(12)
    assert rs.dcg(long[::3]) == rs.dcg(long[::3].tolist())
    assert rs.dcg(long.reshape(3, 4).T).tolist() == rs.dcg(long.reshape(3, 4).T.tolist()).tolist()
    imaginary = torch.complex(torch.zeros(2), torch.tensor([-1.0, -2.0])).conj().imag
    assert imaginary.is_neg()
    assert rs.dcg(imaginary) == rs.dcg([1.0, 2.0])
    assert rs.dcg(torch.nn.Parameter(torch.tensor([2.0, 1.0]))) == rs.dcg([2, 1])


def test_tensors_that_are_refused(torch: Any) -> None:
    for tensor, message in [
        (torch.zeros(2, device="meta"), "the Tensor is on the device meta, and numbers are read"),
        (torch.tensor([1, 0]).to_sparse(), "labels: the tensor is sparse; to_dense() gives one"),
        (torch.tensor([1j]), "labels: the type complex64 is not supported"),
        (torch.tensor(3), "labels: an array of 0 dimensions; 1 or 2 are expected"),
        (torch.zeros(2, 2, 2), "labels: an array of 3 dimensions"),
        (torch.tensor([1.0, float("nan")]), "labels: nan at position 1: a label must be finite"),
        (torch.tensor([1, -2]), "labels: -2 at position 1: a label must not be negative"),
        (torch.tensor([2**63], dtype=torch.uint64), "labels: 9223372036854775808 at position 0"),
    ]:
        with pytest.raises(InputError) as error:
            rs.dcg(tensor)
        assert message in str(error.value)
    with pytest.raises(InputError, match="labels: the Tensor is on the device meta"):
        rs.dcg([torch.zeros(2, device="meta")])


@pytest.mark.spec("RS-CONV-45")
def test_lists_of_ids_may_be_tensors(torch: Any) -> None:
    top = torch.topk(torch.tensor([[0.1, 0.7, 0.2], [0.5, 0.25, 0.75]]), 2).indices
    found = rs.evaluate_lists(top, [torch.tensor([2]), {0}], "RR")
    assert found.per_query["RR"] == {"0": 0.5, "1": 0.5}
    with pytest.raises(InputError, match=r"tensor\(1\) at position 0 .* item\(\) makes a plain"):
        rs.evaluate_lists([torch.tensor(1)], [1], "RR")


# ---- JAX ---------------------------------------------------------------------------------


def test_arrays_of_jax() -> None:
    jax = pytest.importorskip("jax", reason=f"jax {HOW}")
    numbers = jax.numpy
    own = numbers.array(LABELS)
    assert rs.ndcg(own, k=3) == rs.ndcg(LABELS, k=3)
    assert is_shared(own, np.asarray(own))
    for kind in ("bfloat16", "float16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4", "bool"):
        small = numbers.array([1, 0, 1], dtype=getattr(numbers, kind, bool))
        assert rs.dcg(small) == rs.dcg([1, 0, 1])
    third = numbers.array([0.3, 2.0], dtype=numbers.bfloat16)
    assert rs.dcg(third) == rs.dcg([float(x) for x in third])
    assert rs.dcg(third) != rs.dcg([0.3, 2.0])
    wide = numbers.array([1e30, 1e-30], dtype=numbers.bfloat16)
    assert rs.dcg(wide) == rs.dcg([float(x) for x in wide])
    assert rs.dcg(own.reshape(2, 3).T).tolist() == rs.dcg(own.reshape(2, 3).T.tolist()).tolist()
    assert rs.evaluate_lists(own[:2], {2}, "RR")["RR"] == 0.5
