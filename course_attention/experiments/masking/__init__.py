"""Experiments of notebook 05: causal language models, receptive fields and fully masked rows."""
