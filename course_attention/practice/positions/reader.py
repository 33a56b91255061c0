"""What the three readers of notebook 06 need to know of the `Reader` that they extend there."""

from torch import nn


class Reader(nn.Module):
    """The sizes of its heads; the notebook's own has the tables, the projections and the forward pass as well."""

    def __init__(self, n_heads=4, d_head=32):
        super().__init__()
        self.n_heads, self.d_model = n_heads, n_heads * d_head
