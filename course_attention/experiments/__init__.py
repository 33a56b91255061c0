"""What the notebooks show live: tasks, the models trained on them, and what is measured on those models."""
