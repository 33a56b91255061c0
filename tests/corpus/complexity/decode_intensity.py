"""Answers to the practice `decode_intensity(n_users, n_tokens, d_model, bytes_per_number)` of notebook 07."""

from tests.corpus import change

def right__parts(n_users, n_tokens, d_model, bytes_per_number):
    weights = 4 * d_model**2 + 2 * d_model * (4 * d_model)
    cache = 2 * n_tokens * d_model
    work = n_users * (weights + cache)
    read = bytes_per_number * (weights + n_users * cache)
    return work / read

def right__divided_by_2d(n_users, n_tokens, d_model, bytes_per_number):
    border = 6 * d_model
    return n_users * (border + n_tokens) / (border + n_users * n_tokens) / bytes_per_number

def right__shapes(n_users, n_tokens, d_model, bytes_per_number):
    shapes = [(d_model, d_model)] * 4 + [(d_model, 4 * d_model), (4 * d_model, d_model)]
    work = n_bytes = 0
    for rows, columns in shapes:
        work += n_users * rows * columns
        n_bytes += bytes_per_number * rows * columns
    for user in range(n_users):
        for tensor in ("keys", "values"):
            work += n_tokens * d_model
            n_bytes += bytes_per_number * n_tokens * d_model
    return work / n_bytes

def right__bytes_first(n_users, n_tokens, d_model, bytes_per_number):
    of_weights = bytes_per_number * 12 * d_model * d_model
    of_a_user = bytes_per_number * 2 * n_tokens * d_model
    multiply_adds = n_users * (of_weights + of_a_user) / bytes_per_number
    return multiply_adds / (of_weights + n_users * of_a_user)

# The weights are read for each user.
wrong__users_change_nothing__1 = change(right__parts, ("(weights + n_users * cache)", "n_users * (weights + cache)"))
# All is counted for one user.
wrong__users_change_nothing__2 = change(
    right__parts, ("work = n_users * ", "work = "), ("(weights + n_users * cache)", "(weights + cache)")
)
# The work with the weights is done once.
wrong__users_change_nothing__3 = change(right__parts, ("n_users * (weights + cache)", "weights + n_users * cache"))
# Keys and values are read once for all users.
wrong__users_share_keys__1 = change(right__parts, ("n_users * cache", "cache"))
# Only the weights are read.
wrong__users_share_keys__2 = change(right__parts, ("weights + n_users * cache", "weights"))
# The work is that of one token.
wrong__users_work_of_one__1 = change(right__parts, ("n_users * (weights + cache)", "weights + cache"))
# Parentheses are missing.
wrong__users_work_of_one__2 = change(right__parts, ("n_users * (weights + cache)", "n_users * weights + cache"))
wrong__users_exchanged__1 = change(right__parts, ("weights + n_users * cache", "n_users * weights + cache"))
wrong__users_bytes_forgotten__1 = change(right__parts, ("bytes_per_number * ", ""))
# Parentheses are missing.
wrong__users_bytes_in_part__1 = change(
    right__parts, ("bytes_per_number * (weights + n_users * cache)", "bytes_per_number * weights + n_users * cache")
)
wrong__users_bytes_in_part__2 = change(
    right__parts, ("bytes_per_number * (weights + n_users * cache)", "weights + bytes_per_number * n_users * cache")
)
wrong__users_bytes_multiply__1 = change(right__divided_by_2d, ("/ bytes_per_number", "* bytes_per_number"))
# Parentheses are missing.
wrong__users_bytes_multiply__2 = change(
    right__parts, ("work / read", "work / bytes_per_number * (weights + n_users * cache)")
)
# The feed-forward network alone.
wrong__users_weights_missing__1 = change(right__parts, ("4 * d_model**2 + ", ""))
# Attention alone.
wrong__users_weights_missing__2 = change(right__parts, (" + 2 * d_model * (4 * d_model)", ""))
# The feed-forward network is as wide as the tokens.
wrong__users_weights_missing__3 = change(right__parts, ("(4 * d_model)", "d_model"))
# The matrix that joins the heads is missing.
wrong__users_weights_missing__4 = change(right__shapes, ("* 4 + [", "* 3 + ["))
# Keys only.
wrong__users_keys_only__1 = change(right__parts, ("cache = 2 * n_tokens", "cache = n_tokens"))
# The scores are counted, and the mixing is not.
wrong__users_keys_only__2 = change(right__parts, ("(weights + cache)", "(weights + n_tokens * d_model)"))
# The pairs of a prefill.
wrong__users_all_pairs__1 = change(right__parts, ("(weights + cache)", "(weights + cache * n_tokens)"))
# The work of a prefill, as `block_multiply_adds` counts it.
wrong__users_whole_text__1 = change(right__parts, ("(weights + cache)", "(weights + cache) * n_tokens"))
# As `block_multiply_adds(1, …)` counts a single token.
wrong__users_length_forgotten__1 = change(right__parts, ("(weights + cache)", "(weights + 2 * d_model)"))
# Keys and values of one token.
wrong__users_length_forgotten__2 = change(right__parts, ("2 * n_tokens * d_model", "2 * d_model"))
wrong__users_no_pairs__1 = change(right__parts, ("(weights + cache)", "weights"))
# The bytes of the KV cache alone.
wrong__users_no_weights__1 = change(right__parts, ("(weights + n_users * cache)", "n_users * cache"))
# The work of attention alone.
wrong__users_no_weights__2 = change(right__parts, ("(weights + cache)", "cache"))
wrong__users_operations__1 = change(right__parts, ("work = n_users", "work = 2 * n_users"))
wrong__users_inverted__1 = change(right__parts, ("work / read", "read / work"))
# The intensity of the weights and that of the cache, added.
wrong__users_two_ratios__1 = change(
    right__parts,
    (
        "work / read",
        "n_users * weights / (bytes_per_number * weights) + n_users * cache / (bytes_per_number * n_users * cache)",
    ),
)
wrong__users_rounded_down__1 = change(right__parts, ("work / read", "work // read"))

# Bytes for each multiply–add of one user.
extra__upside_down_for_one = change(right__parts, ("work / read", "read / (weights + cache)"))
# The users are squared.
extra__users_twice = change(right__parts, ("work / read", "n_users * work / read"))
# Two users at most.
extra__two_users = change(right__parts, ("work = n_users", "work = 2"))
