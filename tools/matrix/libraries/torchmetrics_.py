"""torchmetrics, its functions of retrieval."""

import torch
from adapter import adapter, version_of
from torchmetrics.functional import retrieval

NAME, VERSION = "torchmetrics", version_of("torchmetrics")
torch.set_num_threads(1)


def tensors(labels, scores):
    return torch.tensor(scores, dtype=torch.float64), torch.tensor(labels, dtype=torch.int64)


@adapter(integers=True)
def retrieval_normalized_dcg(labels, scores, k):
    return retrieval.retrieval_normalized_dcg(*tensors(labels, scores), top_k=k)


@adapter(binary=True)
def retrieval_average_precision(labels, scores, k):
    return retrieval.retrieval_average_precision(*tensors(labels, scores), top_k=k)


@adapter(binary=True)
def retrieval_reciprocal_rank(labels, scores, k):
    return retrieval.retrieval_reciprocal_rank(*tensors(labels, scores), top_k=k)


@adapter(binary=True)
def retrieval_precision(labels, scores, k):
    return retrieval.retrieval_precision(*tensors(labels, scores), top_k=k)


@adapter(binary=True)
def retrieval_precision_adaptive(labels, scores, k):
    return retrieval.retrieval_precision(*tensors(labels, scores), top_k=k, adaptive_k=True)


@adapter(binary=True)
def retrieval_recall(labels, scores, k):
    return retrieval.retrieval_recall(*tensors(labels, scores), top_k=k)


@adapter(binary=True)
def retrieval_hit_rate(labels, scores, k):
    return retrieval.retrieval_hit_rate(*tensors(labels, scores), top_k=k)


@adapter(binary=True, cutoff="never")
def retrieval_r_precision(labels, scores, k):
    return retrieval.retrieval_r_precision(*tensors(labels, scores))
