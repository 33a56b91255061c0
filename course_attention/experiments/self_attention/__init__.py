"""Experiments of notebook 03: what self-attention can express, beside convolution and dense layers."""
