"""Answers to the practice `encoder_pass(model, source, allowed)` of notebook 08."""

from tests.corpus import change

def right__loop(model, source, allowed):
    mask = allowed[:, None, :]
    memory = model.embed_source(source)
    memory = model.place(memory)
    for block in model.encoder:
        memory = block(memory, allowed=mask)
    return memory

def right__square(model, source, allowed):
    n_source = source.shape[1]
    mask = allowed.unsqueeze(1).expand(-1, n_source, -1)
    x = model.place(model.embed_source(source))
    for i in range(len(model.encoder)):
        x = model.encoder[i](x, mask)
    return x

# Padding may look at nothing: nobody reads its vectors.
def right__padding_sees_nothing(model, source, allowed):
    mask = allowed[:, :, None] & allowed[:, None, :]
    x = model.place(model.embed_source(source))
    for block in model.encoder:
        x = block(x, mask)
    return x

wrong__encoder_padding_seen__1 = change(right__loop, ("(memory, allowed=mask)", "(memory)"))
wrong__encoder_no_positions__1 = change(right__loop, ("memory = model.place(memory)", ""))
wrong__encoder_positions_again__1 = change(
    right__loop, ("memory = model.place(memory)", ""), ("block(memory", "block(model.place(memory)")
)
wrong__encoder_one_block__1 = change(right__square, ("range(len(model.encoder))", "range(1)"))
wrong__encoder_one_block__2 = change(right__loop, ("return memory", "    return memory"))
wrong__encoder_mask_inverted__1 = change(right__loop, ("allowed[:, None, :]", "~allowed[:, None, :]"))
wrong__encoder_mask_axis__1 = change(right__loop, ("allowed[:, None, :]", "allowed"))
wrong__encoder_mask_axis_last__1 = change(right__loop, ("allowed[:, None, :]", "allowed[:, :, None]"))
wrong__encoder_target_embedding__1 = change(right__loop, ("embed_source", "embed_target"))

# The output layer belongs to the decoder.
extra__output = change(right__loop, ("return memory", "return model.output(memory)"))
