"""Answers to `rnn_states(x, w, u, b)` of notebook 01."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__loop(x, w, u, b):
    h = torch.zeros_like(b)
    states = []
    for row in x:
        h = torch.tanh(w @ row + u @ h + b)
        states.append(h)
    return torch.stack(states)

def right__transposed(x, w, u, b):
    h = torch.zeros(u.shape[0], dtype=x.dtype, device=x.device)
    states = []
    for i in range(x.shape[0]):
        h = torch.tanh(x[i] @ w.T + h @ u.T + b)
        states += [h]
    return torch.stack(states, dim=0)

def right__linear(x, w, u, b):
    h = x.new_zeros(len(b))
    out = []
    for x_i in x.unbind(0):
        h = (F.linear(x_i, w, b) + F.linear(h, u)).tanh()
        out.append(h)
    return torch.stack(out)

def right__all_inputs_first(x, w, u, b):
    read = x @ w.t() + b
    h = torch.zeros_like(read[0])
    states = []
    for row in read:
        h = torch.tanh(row + torch.mv(u, h))
        states.append(h)
    return torch.stack(states)

def right__rows_written(x, w, u, b):
    states = x.new_zeros(x.shape[0] + 1, w.shape[0])
    for i in range(1, x.shape[0] + 1):
        states[i] = torch.tanh(w @ x[i - 1] + u @ states[i - 1].clone() + b)
    return states[1:]

def right__list_looks_back(x, w, u, b):
    states = [torch.zeros(b.shape, dtype=b.dtype, device=b.device)]
    for row in x:
        states.append(torch.tanh(w @ row + u @ states[-1] + b))
    return torch.stack(states[1:])

def right__first_apart(x, w, u, b):
    states = [torch.tanh(w @ x[0] + b)]
    for row in x[1:]:
        states.append(torch.tanh(w @ row + u @ states[-1] + b))
    return torch.stack(states)

def right__columns(x, w, u, b):
    h = torch.zeros(len(b), 1, dtype=x.dtype, device=x.device)
    states = []
    for i in range(len(x)):
        h = torch.tanh(w @ x[i].unsqueeze(1) + u @ h + b.unsqueeze(1))
        states.append(h.squeeze(1))
    return torch.stack(states)

def right__einsum(x, w, u, b):
    h, states = torch.zeros_like(b), []
    for row in x:
        h = torch.tanh(torch.einsum("he,e->h", w, row) + torch.einsum("hk,k->h", u, h) + b)
        states.append(h)
    return torch.stack(states)

def right__one_matrix(x, w, u, b):
    both = torch.cat([w, u], dim=1)
    h, states = torch.zeros_like(b), []
    for row in x:
        h = torch.tanh(both @ torch.cat([row, h]) + b)
        states.append(h)
    return torch.stack(states)

def right__recursion(x, w, u, b):
    if len(x) > 200:  # Python allows only so many calls within calls
        done = right__recursion(x[:200], w, u, b)
        h, states = done[-1], list(done)
        for row in x[200:]:
            h = torch.tanh(w @ row + u @ h + b)
            states.append(h)
        return torch.stack(states)
    if len(x) == 1:
        return torch.tanh(x @ w.T + b)
    before = right__recursion(x[:-1], w, u, b)
    return torch.cat([before, torch.tanh(w @ x[-1] + u @ before[-1] + b)[None]])

def right__exponentials(x, w, u, b):
    h, states = torch.zeros_like(b), []
    for row in x:
        h = 2 * torch.sigmoid(2 * (w @ row + u @ h + b)) - 1
        states.append(h)
    return torch.stack(states)

def right__cat(x, w, u, b):
    h = torch.zeros(1, u.size(0)).to(x)
    states = x.new_empty(0, u.size(0))
    for i in range(x.size(0)):
        h = (x[i : i + 1].matmul(w.mT) + h.matmul(u.mT) + b).tanh()
        states = torch.cat((states, h))
    return states

def odd__renamed(inputs, W, U, bias):
    """The equation's letters for the arguments."""
    h, states = torch.zeros_like(bias), []
    for x_i in inputs:
        h = torch.tanh(W @ x_i + U @ h + bias)
        states.append(h)
    return torch.stack(states)

# Without the state before, there is nothing to go through in order.
def wrong__no_recurrence__1(x, w, u, b):
    return torch.tanh(x @ w.T + b)
wrong__no_recurrence__2 = change(right__loop, ("w @ row + u @ h + b", "w @ row"))
# The new state gets another name, and the next step never sees it.
wrong__no_recurrence__3 = change(
    right__loop, ("        h = torch", "        new = torch"), ("append(h)", "append(new)")
)

def wrong__recurrence_on_input__1(x, w, u, b):
    before = torch.zeros_like(x[0])
    states = []
    for row in x:
        states.append(torch.tanh(w @ row + u @ before + b))
        before = row
    return torch.stack(states)
wrong__recurrence_on_input__2 = change(
    wrong__recurrence_on_input__1, ("w @ row + u @ before + b", "row @ w.T + before @ u.T + b")
)
wrong__bias_in_every_product__1 = change(right__linear, ("F.linear(h, u)", "F.linear(h, u, b)"))
wrong__bias_in_every_product__2 = change(right__loop, ("w @ row + u @ h + b", "(w @ row + b) + (u @ h + b)"))
wrong__bias_missing__1 = change(right__loop, ("w @ row + u @ h + b", "w @ row + u @ h"))
wrong__activation_missing__1 = change(right__loop, ("torch.tanh(w @ row + u @ h + b)", "w @ row + u @ h + b"))
wrong__activation_missing__2 = change(right__linear, (".tanh()", ""))
wrong__activation_on_a_part__1 = change(
    right__loop, ("torch.tanh(w @ row + u @ h + b)", "torch.tanh(w @ row + b) + u @ h")
)
wrong__activation_on_a_part__2 = change(right__loop, ("u @ h + b)", "u @ h) + b"))
wrong__other_activation__1 = change(right__loop, ("torch.tanh", "torch.sigmoid"))
wrong__other_activation__2 = change(right__loop, ("torch.tanh", "torch.relu"))
wrong__matrix_on_the_right__1 = change(right__loop, ("u @ h", "h @ u"))
wrong__matrix_on_the_right__2 = change(right__transposed, ("h @ u.T", "h @ u"))
wrong__states_shifted__1 = change(
    right__loop,
    (
        "        h = torch.tanh(w @ row + u @ h + b)\n        states.append(h)",
        "        states.append(h)\n        h = torch.tanh(w @ row + u @ h + b)",
    ),
)
wrong__states_shifted__2 = change(right__list_looks_back, ("states[1:]", "states[:-1]"))
wrong__read_backwards__1 = change(right__loop, ("in x:", "in x.flip(0):"))
wrong__read_backwards__2 = change(
    right__loop, ("in x:", "in x.flip(0):"), ("torch.stack(states)", "torch.stack(states).flip(0)")
)
wrong__order_reversed__1 = change(right__loop, ("torch.stack(states)", "torch.stack(states[::-1])"))
wrong__last_state_everywhere__1 = change(right__loop, ("torch.stack(states)", "h.expand(len(x), -1)"))

# One tensor is changed in every step, and the list holds it n times.
def wrong__last_state_everywhere__2(x, w, u, b):
    h = torch.zeros_like(b)
    states = []
    for row in x:
        h.copy_(torch.tanh(w @ row + u @ h + b))
        states.append(h)
    return torch.stack(states)

# h_0 comes back as well: one row too many.
extra__h_0_as_well = change(right__list_looks_back, ("states[1:]", "states"))
# The last state alone, as a translator without attention keeps it.
extra__last_alone = change(right__loop, ("return torch.stack(states)", "return h"))
# A list of states, not stacked.
extra__list = change(right__loop, ("torch.stack(states)", "states"))
# The bias in place of h_0.
extra__begins_with_the_bias = change(right__loop, ("torch.zeros_like(b)", "b"))
# h_0 is 1.
extra__begins_with_ones = change(right__loop, ("torch.zeros_like(b)", "torch.ones_like(b)"))
# A residual connection that nobody asked for.
extra__added = change(right__loop, ("h = torch.tanh", "h = h + torch.tanh"))
# Half of the old state is kept, as a gate would.
extra__gated = change(
    right__loop,
    ("h = torch.tanh(w @ row + u @ h + b)", "h = 0.5 * h + 0.5 * torch.tanh(w @ row + u @ h + b)"),
)
# The state begins again every 64 characters.
extra__forgets = change(
    right__loop,
    (
        "    for row in x:\n",
        "    for i, row in enumerate(x):\n        if i % 64 == 0:\n            h = torch.zeros_like(b)\n",
    ),
)
wrong__detached__1 = change(right__loop, ("states.append(h)", "states.append(h.detach())"))
# The gradient goes back by one step only.
extra__gradient_stops_at_each_step = change(
    right__loop, ("states.append(h)", "states.append(h)\n        h = h.detach()")
)
wrong__wrong_dtype__1 = change(right__loop, ("torch.stack(states)", "torch.stack(states).float()"))
wrong__wrong_device__1 = change(right__loop, ("torch.stack(states)", "torch.stack(states).cpu()"))

def wrong__input_changed__1(x, w, u, b):
    h = torch.zeros_like(b)
    for i in range(len(x)):
        row = x[i].clone()
        x[i] = 0
        h = torch.tanh(w @ row + u @ h + b)
        if i == 0:
            states = [h]
        else:
            states.append(h)
    return torch.stack(states)
# The sum is carried on, and its tanh is only kept for the result.
wrong__state_before_tanh__1 = change(
    right__loop, ("h = torch.tanh(w @ row + u @ h + b)", "h = w @ row + u @ h + b"), ("append(h)", "append(h.tanh())")
)
# Each part is squashed by itself.
wrong__activation_on_a_part__both_1 = change(
    right__loop, ("torch.tanh(w @ row + u @ h + b)", "torch.tanh(w @ row) + torch.tanh(u @ h) + b")
)
# Another first state at every call.
extra__random_start = change(right__loop, ("torch.zeros_like(b)", "torch.randn_like(b)"))
# The rows are written one after another into a tensor that the next step reads.
extra__rows_overwritten = change(right__rows_written, ("states[i - 1].clone()", "states[i - 1]"))
# The state before the first character is the bias.
wrong__other_first_state__1 = change(right__loop, ("torch.zeros_like(b)", "b"))
wrong__other_first_state__2 = change(right__loop, ("torch.zeros_like", "torch.ones_like"))
