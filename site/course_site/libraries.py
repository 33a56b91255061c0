"""Links from the API to the documentation of torch and NumPy, whose inventories cannot be read without a network."""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

_PAGES = {
    "torch.Tensor": "https://docs.pytorch.org/docs/stable/tensors.html#torch.Tensor",
    "torch.dtype": "https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.dtype",
    "torch.device": "https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device",
    "numpy.ndarray": "https://numpy.org/doc/stable/reference/generated/numpy.ndarray.html",
}
_SHORT = {
    "Tensor": "torch.Tensor",
    "ndarray": "numpy.ndarray",
    "np.ndarray": "numpy.ndarray",
    "nn.Module": "torch.nn.Module",
}
_GENERATED = {
    "torch": "https://docs.pytorch.org/docs/stable/generated/{}.html",
    "numpy": "https://numpy.org/doc/stable/reference/generated/{}.html",
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Resolve what no page of the site defines."""
    app.connect("missing-reference", _resolved)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def page_of(name: str) -> str:
    """Return the address at which a library documents a name; "" where the name is of another library.

    Example:
        >>> page_of("torch.nn.Module")
        'https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html'
    """
    name = _SHORT.get(name, name)
    return _PAGES.get(name) or _GENERATED.get(name.split(".")[0] if "." in name else "", "").format(name)


def _resolved(app: Sphinx, env: Any, node: addnodes.pending_xref, shown: nodes.TextElement) -> nodes.reference | None:
    if node.get("refdomain") != "py" or not (page := page_of(node["reftarget"])):
        return None
    return nodes.reference("", "", shown, internal=False, refuri=page, reftitle=f"documentation of {node['reftarget']}")
