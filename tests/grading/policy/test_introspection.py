"""An answer that inspects Python or the grader is pointed out to the instructor."""

from __future__ import annotations

from pathlib import Path

import pytest

import course_attention
from course_attention.grading.policy.introspection import named_in


@pytest.mark.parametrize("room", ["exercises", "execution", "grading", "judging"])
def test_rooms(room: str) -> None:
    """The rooms that no answer needs are known by the names that they have."""
    assert (Path(course_attention.__file__).parent / room).is_dir()
    assert named_in(f"from course_attention.{room} import anything") == f"course_attention.{room}"


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("sys._getframe().f_back", "_getframe"),
        ("gc.get_objects()", "gc.get_objects"),
        ("open('/proc/self/maps')", "/proc/"),
        ("from gc import get_referrers", "gc.get_referrers"),
        ("for module in list(sys.modules.values()):\n    module.watch = None", "sys.modules"),
        ("'torch' in sys.modules.keys()", "sys.modules"),
        ("import ctypes as c", "ctypes"),
        ("getattr(sys, '_getframe')()", "_getframe"),
        ("socket.socket(fileno=3)", "fileno=3"),
        ("os.read(1 + 2, 8)", "os.read"),
        ("inspect.getclosurevars(F.softmax).nonlocals", "getclosurevars"),
        ("exec(inspect.getsource(module), space)", "exec"),
        ("torch.jit.trace(f, tensors)", "torch.jit"),
        ("from torch.overrides import _pop_mode", "_pop_mode"),
        ("torch._C._pop_torch_function_stack()", "_pop_torch_function_stack"),
        ("torch._C._ExcludeDispatchKeyGuard(keys)", "_ExcludeDispatchKeyGuard"),
        ("with _disable_current_modes():\n    pass", "_disable_current_modes"),
        ("inspect.stack()[1]", "inspect.stack"),
        ("torch.stack(heads), re.compile('a'), model.eval()", ""),
        ("import json\njson.loads = mine", "json.loads = …"),
        ("F.softmax = mine", "torch.nn.functional.softmax = …"),
        ("setattr(torch.Tensor, 'numpy', mine)", "torch.Tensor.numpy = …"),
        ("import builtins\nbuiltins.print = quiet\ntorch.backends.cudnn.enabled = False", ""),
        ("out.untyped_storage()._simulated_place = query.device", "_simulated_place"),
        ("query.untyped_storage().nbytes()", ""),
        (
            "import importlib\nimportlib.import_module('course_attention.grading.sandbox')",
            "course_attention.grading",
        ),
        ("import course_attention\ncourse_attention.judging.report", "course_attention.judging"),
        ("%load_ext autoreload\nf.__closure__", "__closure__"),
        ("def f(:\n    sys._getframe()", "_getframe"),
        ("x = 1\n" * 20_000 + "gc.get_objects()", "gc.get_objects"),
        ("on_colab = 'google.colab' in sys.modules", ""),
        ("if 'google.colab' not in sys.modules:\n    %pip install numpy", ""),
        ("# what is withheld here: sys.modules, gc.get_objects, /proc/", ""),
        ('def f():\n    """_getframe and course_attention.grading are not used."""', ""),
        ("print('sys.modules')", ""),
        ("withheld = scores.masked_fill(mask, 0)", ""),
        ("inspect.getmembers(sys.modules[__name__])", ""),
        ("import course_attention\nfrom course_attention.mechanisms.attention import attention", ""),
        ("def attention(query, key, value):\n    return value", ""),
    ],
)
def test_named(source: str, named: str) -> None:
    """The first such name is told; what an ordinary answer uses is not."""
    assert named_in(source) == named


def test_what_is_told_is_short() -> None:
    """However long a name is, the note on it is a line."""
    for source in (
        f"import torch\ntorch.{'a' * 9000} = 1",
        f"gc.get_{'a' * 9000}()",
    ):
        assert 0 < len(named_in(source)) <= 80
