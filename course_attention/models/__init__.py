"""What we trained: so far the tokenizer of a small language model of Python source.

`tools/train_language_model.py` makes it again, and trains the model itself.

- `tokenizer`: text to tokens and back, by byte-pair encoding. Its merges stand in `python_source/tokenizer.json`.
"""
