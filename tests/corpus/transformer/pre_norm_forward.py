"""Answers to the practice `pre_norm_forward(block, x, allowed)` of notebook 08."""

from tests.corpus import change

def right__steps(block, x, allowed=None):
    normed = block.norm_1(x)
    read, _ = block.attention(normed, allowed=allowed)
    x = x + read
    change = block.feed_forward(block.norm_2(x))
    return x + change

def right__named(block, x, allowed=None):
    road = x
    for norm, sublayer in (
        (block.norm_1, lambda y: block.attention(y, allowed=allowed)[0]),
        (block.norm_2, block.feed_forward),
    ):
        road = road + sublayer(norm(road))
    return road

wrong__pre_norm_is_post_norm__1 = change(right__named, ("road + sublayer(norm(road))", "norm(road + sublayer(road))"))
wrong__pre_norm_no_mask__1 = change(right__steps, ("(normed, allowed=allowed)", "(normed)"))
wrong__pre_norm_on_the_road__1 = change(right__named, ("road = road +", "road = norm(road) +"))
wrong__pre_norm_on_the_road__2 = change(right__steps, ("x = x + read", "x = normed + read"))
wrong__pre_norm_after_the_sublayer__1 = change(right__named, ("sublayer(norm(road))", "norm(sublayer(road))"))
wrong__pre_norm_no_residual__1 = change(right__named, ("road + sublayer(", "sublayer("))
wrong__pre_norm_no_residual__2 = change(right__steps, ("return x + change", "return change"))
wrong__pre_norm_wrong_norm__1 = change(right__steps, ("block.norm_2(x)", "block.norm_1(x)"))
wrong__pre_norm_side_by_side__1 = change(
    right__steps, ("x = x + read", ""), ("return x + change", "return x + read + change")
)
wrong__pre_norm_second_missing__1 = change(right__steps, ("block.norm_2(x)", "x"))

# The weights are returned as well.
extra__pair = change(right__steps, ("return x + change", "return x + change, _"))
# The attention's pair is added as it is.
extra__pair_added = change(right__steps, ("read, _ =", "read ="))
# A norm too many, at the end of the road.
extra__last_norm = change(right__steps, ("return x + change", "return block.norm_2(x + change)"))
