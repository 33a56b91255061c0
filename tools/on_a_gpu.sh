#!/bin/sh
# Usage: on_a_gpu.sh OUT [WHEELS]
# Runs everything that needs a GPU, in about ten minutes, on a machine that has PyTorch with CUDA and no network. Each
# step writes OUT/STEP.log; OUT/summary.txt says how each ended and how long it took. docs/gpu.md says how to prepare.
#   WHEELS   a folder with the wheels of the libraries that are missing there
#   PYTHON   the Python that has PyTorch (python3)
#   DEVICE   cuda; cpu tries the script itself on a machine without a GPU
#   STEPS    those to run; all of them unless given
set -u
out=$(mkdir -p "$1" && cd "$1" && pwd)
wheels=${2:-}
cd "$(dirname "$0")/.."
device=${DEVICE:-cuda}
steps=${STEPS:-facts judge tf32 tests notebooks multi_head blockwise decoding scaling date_transformer}
environment=$out/environment
"${PYTHON:-python3}" -m venv --system-site-packages "$environment"
python=$environment/bin/python
[ -z "$wheels" ] || "$python" -m pip install --quiet --no-index --no-deps "$wheels"/*.whl
export PYTHONPATH="$PWD" PYTHONUNBUFFERED=1 COURSE_ATTENTION_DEVICE="$device" OMP_NUM_THREADS=1
"$python" -m ipykernel install --prefix "$environment" --name python3 >/dev/null
workers=$(("$(nproc)" / 2))
: >"$out/summary.txt"

# step NAME SECONDS COMMAND...
step() {
    name=$1
    limit=$2
    shift 2
    case " $steps " in *" $name "*) ;; *) return 0 ;; esac
    began=$(date +%s)
    timeout "$limit" "$@" >"$out/$name.log" 2>&1
    echo "$name: exit code $? after $(($(date +%s) - began)) s; $(tail -n 1 "$out/$name.log")" | tee -a "$out/summary.txt"
}

tests="$python -m pytest -q -p no:cacheprovider -n $workers --device $device"
step facts 60 "$python" -c "
import platform, torch
print(platform.python_version(), torch.__version__, torch.version.cuda)
print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else 'no GPU')"
# shellcheck disable=SC2086  # a command of several words
{
    step judge 150 $tests tests/exercises -k "right or odd or helper_passes or every_dtype"
    # The same with matrix products of float32 in TF32, as many programs switch it on.
    step tf32 100 env TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1 $tests tests/exercises -k "helper_passes"
    step tests 120 $tests tests/mechanisms tests/execution tests/experiments tests/simulated_cuda
    step notebooks 200 "$python" -m pytest -q -p no:cacheprovider -n "$workers" --dist loadfile --nbval notebooks
}
for name in multi_head blockwise decoding scaling date_transformer; do
    step "$name" 90 "$python" "benchmarks/$name.py" --device "$device"
done
