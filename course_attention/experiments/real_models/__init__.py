"""Real models, as the library transformers has them. It is an extra, `real`, and is imported inside functions only."""
