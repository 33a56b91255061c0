"""The registry: which notebooks there are, in the order taught, with the topic and the exercises of each.

Everything else derives from it. A topic names a module of helpers (`mechanisms/<topic>.py`), a folder of exercises
(`exercises/<topic>/`), folders of practice and of experiments (where it has any) and a folder of answers in the tests'
corpus. A topic without exercises has no helpers: its notebook earns no points.
"""

from typing import NamedTuple


class Topic(NamedTuple):
    """One notebook and what belongs to it.

    Attributes:
        notebook: the stem of its file.
        name: names its modules and folders everywhere else.
        exercises: in the order in which the notebook asks them; none where no points are earned.
        helpers: public names beside the exercises.
        practice: the tasks that earn no points, in the order in which the notebook asks them. No exercise has a name
            of these.
    """

    notebook: str
    name: str
    exercises: tuple[str, ...]
    helpers: tuple[str, ...] = ()
    practice: tuple[str, ...] = ()


TOPICS = (
    Topic("00_start_here", "softmax", ("softmax",), practice=("weights_at",)),
    Topic(
        "01_seq2seq_attention",
        "seq2seq",
        (
            "rnn_states",
            "attention_scores",
            "attention_distribution",
            "attention_output",
            "attend_and_concat",
            "cross_entropy",
            "additive_parameters",
        ),
        practice=("decode", "equal_weights", "other_start", "entropy", "reordered", "swapped", "unmasked"),
    ),
    Topic(
        "02_queries_keys_values",
        "attention",
        (
            "attention",
            "score_variance",
            "cross_attention",
            "attention_columns",
            "bilinear_scores",
            "gaussian_scores",
            "additive_scores",
            "mean_attention",
        ),
        practice=("city_loss", "directory_context", "may_use", "regrouped"),
    ),
    Topic(
        "03_self_attention",
        "self_attention",
        (
            "project",
            "self_attention",
            "interaction_matrix",
            "SelfAttention",
            "relation_weights",
            "convolution_mixing",
            "self_attention_parameters",
        ),
        practice=("training_step", "word_table", "ConvolutionReader"),
    ),
    Topic(
        "04_multi_head_attention",
        "multi_head",
        (
            "split_heads",
            "merge_heads",
            "multi_head_attention",
            "MultiHeadAttention",
            "head_outputs",
            "transplant",
            "multi_head_parameters",
        ),
        practice=("output_without", "partner_head", "tokens_that_see_the_future"),
    ),
    Topic(
        "05_masking",
        "masking",
        (
            "masked_softmax",
            "causal_mask",
            "causal_pairs",
            "padding_mask",
            "document_mask",
            "window_mask",
        ),
        helpers=("influence",),
        practice=(
            "next_word_loss",
            "changes",
            "one_by_one",
            "chance_of",
            "windowed_attention",
            "prefix_mask",
        ),
    ),
    Topic(
        "06_positional_encoding",
        "positions",
        (
            "sinusoidal_encoding",
            "position_similarity",
            "encoding_norm",
            "append_positions",
            "relative_bias",
            "alibi_bias",
            "rotary",
            "rotary_attention",
            "shift_matrix",
            "previous_token_weights",
        ),
        practice=("RotaryReader", "near_share"),
    ),
    Topic(
        "07_complexity",
        "complexity",
        (
            "attention_multiply_adds",
            "self_attention_multiply_adds",
            "crossover_length",
            "block_multiply_adds",
            "recurrent_multiply_adds",
            "convolution_multiply_adds",
            "dense_multiply_adds",
            "dense_parameters",
            "fit_exponent",
            "score_bytes",
            "attention_intensity",
        ),
        practice=(
            "by_doubling",
            "seconds",
            "windows_in_blocks",
            "roof",
            "decode_intensity",
            "peak_and_bandwidth",
        ),
    ),
    Topic(
        "08_transformer",
        "transformer",
        (
            "EncoderBlock",
            "DecoderBlock",
            "shift_right",
            "sequence_loss",
            "greedy_decode",
            "attention_layers",
        ),
        practice=(
            "encoder_pass",
            "decoder_pass",
            "write_one",
            "write",
            "cut_residuals",
            "pre_norm_forward",
            "pre_norm_decoder_forward",
            "take_over",
        ),
    ),
    Topic("09_find_the_slip", "slips", ("accepts",), practice=("counterexample", "grows_with_values")),
    Topic(
        "10_language_model",
        "language_model",
        (
            "grouped_query_attention",
            "DecoderOnlyBlock",
            "next_token_probabilities",
            "kv_cache_bytes",
            "cached_attention",
        ),
        practice=(
            "replaced",
            "write_cached",
            "mean_weight",
            "cost_of_heads",
            "fine_tuning_step",
        ),
    ),
    Topic(
        "11_long_context",
        "long_context",
        (
            "latent_attention",
            "sink_mask",
            "attention_with_sink",
            "yarn_frequencies",
            "online_logsumexp",
            "blockwise_attention",
            "attention_backward",
        ),
        practice=("mended",),
    ),
    Topic(
        "12_without_the_square",
        "linear",
        (
            "linear_attention",
            "delta_rule",
            "gated_delta_rule",
            "top_k_attention",
        ),
        practice=("fading", "keys_apart", "in_chunks"),
    ),
    Topic(
        "13_beyond_text",
        "beyond_text",
        ("image_patches",),
        practice=(
            "picture_tokens",
            "next_words",
            "caption",
            "caption_loss",
            "looks",
            "recognise",
            "first",
            "from_places",
            "rises",
            "listen",
        ),
    ),
    Topic(
        "14_real_models",
        "real_models",
        (
            "interface_attention",
            "split_fused",
            "to_neighbouring_pairs",
        ),
        practice=("interface_with_sink", "own_mistake", "LlamaBlock", "from_llama", "to_llama"),
    ),
)


def topic_of(exercise: str) -> Topic:
    """Return the topic that asks an exercise, or that has a helper of that name.

    Raises:
        KeyError: no topic has that name.

    Example:
        >>> topic_of("rotary").notebook
        '06_positional_encoding'
    """
    for topic in TOPICS:
        if exercise in topic.exercises or exercise in topic.helpers:
            return topic
    raise KeyError(f"no exercise or helper is called {exercise!r}")
