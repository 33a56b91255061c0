# Written by tools/public_names.py from the registry: what __init__.py loads on first use, for those who only read it.
# ruff: noqa: I001 - in the order in which the helpers are taught

__version__: str
from course_attention.mechanisms.softmax import (
    softmax as softmax,
)
from course_attention.mechanisms.seq2seq import (
    rnn_states as rnn_states,
    attention_scores as attention_scores,
    attention_distribution as attention_distribution,
    attention_output as attention_output,
    attend_and_concat as attend_and_concat,
    cross_entropy as cross_entropy,
    additive_parameters as additive_parameters,
)
from course_attention.mechanisms.attention import (
    attention as attention,
    score_variance as score_variance,
    cross_attention as cross_attention,
    attention_columns as attention_columns,
    bilinear_scores as bilinear_scores,
    gaussian_scores as gaussian_scores,
    additive_scores as additive_scores,
    mean_attention as mean_attention,
)
from course_attention.mechanisms.self_attention import (
    project as project,
    self_attention as self_attention,
    interaction_matrix as interaction_matrix,
    SelfAttention as SelfAttention,
    relation_weights as relation_weights,
    convolution_mixing as convolution_mixing,
    self_attention_parameters as self_attention_parameters,
)
from course_attention.mechanisms.multi_head import (
    split_heads as split_heads,
    merge_heads as merge_heads,
    multi_head_attention as multi_head_attention,
    MultiHeadAttention as MultiHeadAttention,
    head_outputs as head_outputs,
    transplant as transplant,
    multi_head_parameters as multi_head_parameters,
)
from course_attention.mechanisms.masking import (
    masked_softmax as masked_softmax,
    causal_mask as causal_mask,
    causal_pairs as causal_pairs,
    padding_mask as padding_mask,
    document_mask as document_mask,
    window_mask as window_mask,
    influence as influence,
)
from course_attention.mechanisms.positions import (
    sinusoidal_encoding as sinusoidal_encoding,
    position_similarity as position_similarity,
    encoding_norm as encoding_norm,
    append_positions as append_positions,
    relative_bias as relative_bias,
    alibi_bias as alibi_bias,
    rotary as rotary,
    rotary_attention as rotary_attention,
    shift_matrix as shift_matrix,
    previous_token_weights as previous_token_weights,
)
from course_attention.mechanisms.complexity import (
    attention_multiply_adds as attention_multiply_adds,
    self_attention_multiply_adds as self_attention_multiply_adds,
    crossover_length as crossover_length,
    block_multiply_adds as block_multiply_adds,
    recurrent_multiply_adds as recurrent_multiply_adds,
    convolution_multiply_adds as convolution_multiply_adds,
    dense_multiply_adds as dense_multiply_adds,
    dense_parameters as dense_parameters,
    fit_exponent as fit_exponent,
    score_bytes as score_bytes,
    attention_intensity as attention_intensity,
)
from course_attention.mechanisms.transformer import (
    EncoderBlock as EncoderBlock,
    DecoderBlock as DecoderBlock,
    shift_right as shift_right,
    sequence_loss as sequence_loss,
    greedy_decode as greedy_decode,
    attention_layers as attention_layers,
)
from course_attention.mechanisms.slips import (
    accepts as accepts,
)
from course_attention.mechanisms.language_model import (
    grouped_query_attention as grouped_query_attention,
    DecoderOnlyBlock as DecoderOnlyBlock,
    next_token_probabilities as next_token_probabilities,
    kv_cache_bytes as kv_cache_bytes,
    cached_attention as cached_attention,
)
from course_attention.mechanisms.long_context import (
    latent_attention as latent_attention,
    sink_mask as sink_mask,
    attention_with_sink as attention_with_sink,
    yarn_frequencies as yarn_frequencies,
    online_logsumexp as online_logsumexp,
    blockwise_attention as blockwise_attention,
    attention_backward as attention_backward,
)
from course_attention.mechanisms.linear import (
    linear_attention as linear_attention,
    delta_rule as delta_rule,
    gated_delta_rule as gated_delta_rule,
    top_k_attention as top_k_attention,
)
from course_attention.mechanisms.beyond_text import (
    image_patches as image_patches,
)
from course_attention.mechanisms.real_models import (
    interface_attention as interface_attention,
    split_fused as split_fused,
    to_neighbouring_pairs as to_neighbouring_pairs,
)
from course_attention.testing import judge as judge
