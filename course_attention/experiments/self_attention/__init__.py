"""Experiments of notebook 03: what self-attention can learn, compared with convolution and dense layers."""
