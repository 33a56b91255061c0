"""Answers to the practice `cut_residuals(block)` of notebook 08."""

import types

from course_attention.mechanisms.transformer import EncoderBlock
from tests.corpus import change

def right__closure(block):
    def forward(x, allowed=None):
        attended, _ = block.attention(x, allowed=allowed)
        x = block.norm_1(attended)
        return block.norm_2(block.feed_forward(x))

    block.forward = forward

def right__method(block):
    def forward(self, x, allowed=None):
        x = self.norm_1(self.attention(x, allowed=allowed)[0])
        return self.norm_2(self.feed_forward(x))

    block.forward = types.MethodType(forward, block)

def right__class_of_its_own(block):
    class WithoutResiduals(type(block)):
        def forward(self, x, allowed=None):
            x = self.norm_1(self.attention(x, allowed=allowed)[0])
            x = self.norm_2(self.feed_forward(x))
            return x

    block.__class__ = WithoutResiduals

# The sublayers give f(x) − x, so that adding x leaves f(x).
def right__hooks(block):
    def less_input(layer, inputs, output):
        if isinstance(output, tuple):
            return output[0] - inputs[0], output[1]
        return output - inputs[0]

    block.attention.register_forward_hook(less_input)
    block.feed_forward.register_forward_hook(less_input)

wrong__cut_one_kept__1 = change(right__closure, ("block.norm_1(attended)", "block.norm_1(x + attended)"))
wrong__cut_one_kept__2 = change(
    right__closure, ("block.norm_2(block.feed_forward(x))", "block.norm_2(x + block.feed_forward(x))")
)
wrong__cut_one_kept__3 = change(right__hooks, ("block.feed_forward.register_forward_hook(less_input)", ""))
# Both sums are still there.
wrong__cut_nothing__1 = change(
    right__class_of_its_own,
    ("self.norm_1(self", "self.norm_1(x + self"),
    ("self.norm_2(self", "self.norm_2(x + self"),
)
# The function is returned, and no block has it.
wrong__cut_nothing__2 = change(right__closure, ("block.forward = forward", "return forward"))
wrong__cut_norm_lost__1 = change(
    right__closure,
    ("block.norm_1(attended)", "attended"),
    ("block.norm_2(block.feed_forward(x))", "block.feed_forward(x)"),
)
wrong__cut_norm_lost__2 = change(right__closure, ("block.norm_2(block.feed_forward(x))", "block.feed_forward(x)"))
wrong__cut_norm_lost__3 = change(right__method, ("self.norm_1(self.", "(self."))
wrong__cut_sublayer_lost__1 = change(
    right__method,
    ("self.norm_1(self.attention(x, allowed=allowed)[0])", "self.norm_1(x)"),
    ("self.norm_2(self.feed_forward(x))", "self.norm_2(x)"),
)
wrong__cut_sublayer_lost__2 = change(right__closure, ("x = block.norm_1(attended)", ""))
wrong__cut_input_returned__1 = change(
    right__closure,
    ("attended, _ = block.attention(x, allowed=allowed)", ""),
    ("x = block.norm_1(attended)", ""),
    ("return block.norm_2(block.feed_forward(x))", "return x"),
)
wrong__cut_no_mask__1 = change(right__closure, ("block.attention(x, allowed=allowed)", "block.attention(x)"))
wrong__cut_no_mask__2 = change(
    right__closure, ("x, allowed=None", "x"), ("block.attention(x, allowed=allowed)", "block.attention(x)")
)
wrong__cut_norm_first__1 = change(
    right__closure,
    ("block.attention(x, allowed=allowed)", "block.attention(block.norm_1(x), allowed=allowed)"),
    ("x = block.norm_1(attended)", ""),
    ("block.norm_2(block.feed_forward(x))", "block.feed_forward(block.norm_2(attended))"),
)
wrong__cut_wrong_norm__1 = change(right__closure, ("block.norm_2", "block.norm_1"))
# The class is changed, by its name or through the block.
wrong__cut_class_changed__1 = change(
    right__method, ("block.forward = types.MethodType(forward, block)", "EncoderBlock.forward = forward")
)
wrong__cut_class_changed__2 = change(
    right__method, ("block.forward = types.MethodType(forward, block)", "block.__class__.forward = forward")
)
wrong__cut_with_self__1 = change(right__method, ("types.MethodType(forward, block)", "forward"))
wrong__cut_with_self__2 = change(right__closure, ("x, allowed=None", "self, x, allowed=None"))
wrong__cut_with_self__3 = change(
    right__method, ("types.MethodType(forward, block)", "forward"), ("allowed=None", "allowed")
)

# In one line, so that Python first looks for the last norm.
def wrong__cut_with_self__4(block):
    def forward(self, x, allowed=None):
        return self.norm_2(self.feed_forward(self.norm_1(self.attention(x, allowed=allowed)[0])))

    block.forward = forward

# The attention's pair goes into the norm.
extra__pair = change(right__method, ("[0]", ""))
# The network is set to zeros, as if it were the residual.
extra__zeros = change(right__closure, ("block.feed_forward(x)", "0 * block.feed_forward(x)"))
# The norm comes before the sum: x is still there.
extra__norm_before_the_sum = change(right__closure, ("x = block.norm_1(attended)", "x = x + block.norm_1(attended)"))
