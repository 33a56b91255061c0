"""What we trained: a small language model of Python source, with its tokenizer.

`tools/train_language_model.py` makes both again. Their files stand in `python_source/`.

- `tokenizer`: text to tokens and back, by byte-pair encoding.
- `language_model`: the model of notebook 10, with the weights.
- `reading`: the attention weights of all its heads, under any mask.
"""
