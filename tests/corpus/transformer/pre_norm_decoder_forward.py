"""Answers to the practice `pre_norm_decoder_forward(block, x, memory, allowed, memory_allowed)` of notebook 08."""

from tests.corpus import change

def right__steps(block, x, memory, allowed=None, memory_allowed=None):
    own, _ = block.self_attention(block.norm_1(x), allowed=allowed)
    x = x + own
    crossed, weights = block.cross_attention(block.norm_2(x), memory, allowed=memory_allowed)
    x = x + crossed
    x = x + block.feed_forward(block.norm_3(x))
    return x, weights

def right__branches(block, x, memory, allowed=None, memory_allowed=None):
    x = block.self_attention(block.norm_1(x), allowed=allowed)[0] + x
    branch = block.cross_attention(block.norm_2(x), memory, allowed=memory_allowed)
    x = branch[0] + x
    return [block.feed_forward(block.norm_3(x)) + x, branch[1]]

wrong__pre_norm_decoder_is_post_norm__1 = change(
    right__steps,
    ("(block.norm_1(x), allowed=allowed)", "(x, allowed=allowed)"),
    ("x = x + own", "x = block.norm_1(x + own)"),
    ("block.cross_attention(block.norm_2(x)", "block.cross_attention(x"),
    ("x = x + crossed", "x = block.norm_2(x + crossed)"),
    ("x = x + block.feed_forward(block.norm_3(x))", "x = block.norm_3(x + block.feed_forward(x))"),
)
wrong__pre_norm_decoder_no_masks__1 = change(right__steps, (", allowed=memory_allowed", ""))
wrong__pre_norm_decoder_no_masks__2 = change(right__steps, (", allowed=allowed", ""))
wrong__pre_norm_decoder_memory_normalised__1 = change(right__steps, ("x), memory", "x), block.norm_2(memory)"))
wrong__pre_norm_decoder_on_the_road__1 = change(
    right__steps,
    ("own, _ = block.self_attention(block.norm_1(x)", "x = block.norm_1(x)", "own, _ = block.self_attention(x"),
    (
        "crossed, weights = block.cross_attention(block.norm_2(x)",
        "x = block.norm_2(x)",
        "crossed, weights = block.cross_attention(x",
    ),
    ("x = x + block.feed_forward(block.norm_3(x))", "x = block.norm_3(x)", "x = x + block.feed_forward(x)"),
)
wrong__pre_norm_decoder_no_residual__1 = change(right__steps, ("x = x + crossed", "x = crossed"))
wrong__pre_norm_decoder_memory_not_read__1 = change(right__steps, ("block.norm_2(x), memory", "block.norm_2(x)"))
wrong__pre_norm_decoder_second_missing__1 = change(right__steps, ("block.norm_2(x)", "x"))
wrong__pre_norm_decoder_weights__1 = change(
    right__steps, ("own, _", "own, own_weights"), ("return x, weights", "return x, own_weights")
)
wrong__pre_norm_decoder_no_weights__1 = change(right__steps, ("return x, weights", "return x"))

# The two masks have changed places.
extra__masks_exchanged = change(
    right__steps,
    ("allowed=allowed", "allowed=memory_allowed"),
    ("memory, allowed=memory_allowed", "memory, allowed=allowed"),
)
# The network is left out.
extra__no_network = change(right__steps, ("x = x + block.feed_forward(block.norm_3(x))", ""))
