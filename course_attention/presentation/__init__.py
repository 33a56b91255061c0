"""How arrays, matrices and verdicts look: decided once for the notebook card, the feedback page and the report."""
