"""What is said of the mistaken ideas that only notebook 08 knows: (title, explanation)."""

from __future__ import annotations

IDEAS: dict[str, tuple[str, str]] = {
    # the blocks
    "pre-norm": (
        "The norm comes before the sublayer",
        "That is a good design, and many later models have it; it is not the one asked for. Here, as in the paper, a "
        "sublayer reads x as it is, and the norm is taken of the sum.",
    ),
    "no-residual": (
        "A skip connection is left out",
        "A sublayer's result is added to what the sublayer was given. Without that, all that a token was is lost "
        "wherever attention looks elsewhere, and gradients have no straight way back.",
    ),
    "no-norm": (
        "A norm is left out",
        "Each sublayer's sum is normalised. Without norms the numbers grow from block to block.",
    ),
    "norm-of-sublayer": (
        "The norm is taken of the sublayer's result, and then x is added",
        "The norm is the outer operation: first x and the sublayer's result are added, then their sum is normalised.",
    ),
    "one-norm-for-all": (
        "One norm serves more than one sublayer",
        "Each norm has a weight and a bias of its own, so it matters which is used where: there is one for each "
        "sublayer, in order.",
    ),
    "norms-exchanged": (
        "The norms have changed places",
        "They are numbered in the order of the sublayers: norm_1 comes after the first.",
    ),
    "feed-forward-left-out": (
        "The feed-forward network is not used",
        "Attention mixes tokens, and the feed-forward network then works on each by itself. It is a sublayer like the "
        "others, with a skip connection and a norm.",
    ),
    "attention-left-out": (
        "What attention gives is not used",
        "Each attention is a sublayer: its output is added to what it was given, and the sum is normalised.",
    ),
    "feed-forward-first": (
        "The feed-forward network comes first",
        "Attention comes first: the tokens read one another, and then each works on what it has read.",
    ),
    "feed-forward-linear": (
        "The feed-forward network has no nonlinearity",
        "Two linear layers in a row are one linear layer. Between them stands a ReLU.",
    ),
    "another-nonlinearity": (
        "The feed-forward network has another nonlinearity",
        "Other models use others, and use them well. Asked for is the ReLU of the paper.",
    ),
    "residual-from-start": (
        "A skip connection starts at the block's input",
        "Each sublayer's result is added to what that sublayer was given. After the first sublayer, that is what the "
        "norm before it gave.",
    ),
    "sublayers-in-parallel": (
        "The feed-forward network reads the block's input",
        "It reads what attention has made of it: the first norm's result.",
    ),
    "heads-not-split": (
        "There is a single head",
        "n_heads is to reach the attention: each head compares its own share of the channels.",
    ),
    # the decoder alone
    "cross-before-self": (
        "Cross-attention comes before self-attention",
        "First the target tokens read one another, so that a query knows what has been written so far; with that they "
        "ask the memory.",
    ),
    "masks-exchanged": (
        "A mask is used in the wrong attention",
        "`allowed` says which target tokens a target token may see: self-attention. `memory_allowed` says what it may "
        "see of the source: cross-attention. Where both sequences have one length, no shape tells them apart.",
    ),
    "cross-ignores-context": (
        "Cross-attention does not look at the memory",
        "Its queries come from x, its keys and values both from the memory. Otherwise the decoder never learns what "
        "the encoder has read.",
    ),
    "cross-queries-from-start": (
        "Cross-attention asks from the block's input",
        "Its queries come from what the first norm gave: a token asks the memory with what it has read of its own "
        "sequence.",
    ),
    "roles-swapped": (
        "The memory asks, and x is what is looked through",
        "x asks and the memory answers: queries come from x, so that there is a result for each token of x. Exchanged, "
        "the shapes fit only where both sequences have one length.",
    ),
    "one-attention-for-both": (
        "One attention does the work of both",
        "self_attention and cross_attention are two modules, with projections of their own.",
    ),
    "attentions-exchanged": (
        "The two attentions have changed roles",
        "The names tell them apart: self_attention is for x and x, cross_attention for x and the memory.",
    ),
    "self-weights-given": (
        "The weights are those of self-attention",
        "Asked for are the weights of cross-attention, a row for each query and a column for each token of the memory.",
    ),
    "weights-averaged": (
        "The weights are averaged over the heads",
        "Asked for are the weights of every head, (…, n_heads, n_queries, n_keys).",
    ),
    # shift_right
    "shift-left": (
        "The tokens move to the left",
        "The first target is dropped, and the decoder reads at each place what it is to say there or later. "
        "Shifted right, the last target falls off, and the start token comes first.",
    ),
    "not-shifted": (
        "The targets come back as they are",
        "At each place the decoder would read the very token that it is to predict. In training it learns to copy, and "
        "has nothing to copy from when it is used.",
    ),
    "start-prepended": (
        "The result is one token too long",
        "With the start token in front, the last token has no place after it to be read at: it is the last target.",
    ),
    "start-forgotten": (
        "The start token is missing",
        "The last token is gone, as it should be. The first prediction needs something to be made from, too.",
    ),
    "shift-wraps": (
        "The last token comes round to the front",
        "Rolled round, the sequence begins with its own end, which the decoder should not know. The first place "
        "gets the start token.",
    ),
    "start-ignored": (
        "start_token is ignored",
        "The same token stands in front whatever the caller asked for.",
    ),
    "batch-as-sequence": (
        "The items of the batch are shifted, not the tokens",
        "The tokens of one item lie along the last axis. Each item gets the start token in front.",
    ),
    # sequence_loss
    "loss-counts-padding": (
        "Padding is counted among the targets",
        "The longer the padding, the more the loss says about it. A model that predicts padding well would look good.",
    ),
    "loss-divides-by-all": (
        "Padding is left out of the sum, but not of the count",
        "A mean divides by the number of what was summed. Here padding lowers the loss, whatever the model does.",
    ),
    "loss-per-sequence": (
        "It is the mean of each sequence's mean",
        "Then a token of a short sequence counts for more than one of a long sequence. Asked for is one mean over all "
        "targets of the batch.",
    ),
    "loss-summed": (
        "The losses are summed, not averaged",
        "A sum grows with the batch and with the length of its sequences, and so does the step that is taken with it.",
    ),
    "loss-divided-by-batch": (
        "The sum is divided by the number of sequences",
        "A mean over targets divides by the number of targets.",
    ),
    "loss-sign": (
        "The sign is wrong",
        "A log-probability is negative, the loss its negative: it falls towards 0 as the targets become likely.",
    ),
    "loss-without-softmax": (
        "The logits are taken for log-probabilities",
        "Logits sum to anything. What turns them into the logarithms of probabilities?",
    ),
    "loss-softmax-twice": (
        "The softmax is taken twice",
        "`F.cross_entropy` takes logits and has a softmax inside. Given probabilities, which lie between 0 and 1, it "
        "can never come near 0.",
    ),
    "softmax-over-tokens": (
        "The softmax runs over the tokens",
        "Each place has probabilities of its own: they sum to 1 over the classes, the last axis of the logits.",
    ),
    "softmax-overflows": (
        "The logarithm is taken of a probability that is 0, or of one that overflows",
        "exp of a large logit is infinite, and a small enough probability is rounded to 0, whose logarithm is −∞. "
        "`log_softmax` and `F.cross_entropy` never form the probability.",
    ),
    "pad-token-assumed": (
        "0 is taken for the padding, whatever pad_token says",
        "The caller says which target is padding.",
    ),
    "pad-class-left-out": (
        "The padding's class is left out of the softmax",
        "What does not count is a target that is padding. Its class stays among those that the model may predict, or "
        "nothing would hold it down.",
    ),
    "padding-inverted": (
        "Only the padding is counted",
        "Targets equal to pad_token are the ones to leave out.",
    ),
    # attention_layers
    "cross-attention-forgotten": (
        "Each block is counted with one attention",
        "That is so in the encoder. A decoder block attends to its own sequence, and then to the encoder's output.",
    ),
    "encoder-counted-twice": (
        "The encoder's blocks are counted with two attentions each",
        "An encoder block has one sequence to attend to: its own.",
    ),
    "one-stack-only": ("The layers of a single stack are counted", "There are 6 blocks on either side."),
    "sublayers-counted": (
        "All sublayers are counted",
        "The feed-forward networks are sublayers too, but no attention.",
    ),
    "heads-counted": (
        "The heads are counted one by one",
        "A multi-head attention is one layer, however many heads it has.",
    ),
    "projections-counted": (
        "The projections are counted one by one",
        "Queries, keys and values have a projection each; together they are one attention.",
    ),
}
