"""What every mode here begins with that sees each operator that torch runs."""

from torch.utils._python_dispatch import TorchDispatchMode


class OperatorMode(TorchDispatchMode):
    """A mode of torch's that does not load torch's compiler, which takes more than a second.

    Before a mode's first operator, torch loads its compiler in order to tell it not to compile the mode. Nothing here
    compiles one.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # torch asks this when a class is made from it
