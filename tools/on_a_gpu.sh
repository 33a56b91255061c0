#!/bin/sh
# Usage: on_a_gpu.sh OUT [WHEELS]
# Runs what needs a GPU, in LIMIT seconds at most, on a machine that has PyTorch with CUDA and no network.
#   OUT/summary.txt   how each step ended and how long it took
#   OUT/figures.md    the figures, as docs/gpu.md shows them
#   OUT/log.txt       all output; OUT/running.txt that of the step under way
# All of them are complete up to the last step that ended, if this script is killed. docs/gpu.md says how to prepare.
#   WHEELS   a folder with the wheels of the libraries that are missing there
#   PYTHON   the Python that has PyTorch (python3)
#   DEVICE   cuda; cpu tries the script itself on a machine without a GPU
#   STEPS    those to run; all of them unless given
#   LIMIT    seconds in all (570)
#   TOKENS   on which the language model is trained (2000000)
#   BOOKS    the notebooks' files (notebooks/*.ipynb)
set -u
start=$(date +%s)
out=$(mkdir -p "$1" && cd "$1" && pwd)
wheels=${2:+$(cd "$2" && pwd)}
cd "$(dirname "$0")/.."
device=${DEVICE:-cuda}
steps=${STEPS:-facts judge notebooks language_model tests multi_head blockwise scaling date_transformer measured grade tf32 \
misconceptions}
python=${PYTHON:-python3}
: >"$out/summary.txt" >"$out/figures.md" >"$out/log.txt"

# An environment beside OUT's: what comes back from there is small. It sees the packages of PYTHON, which may itself be
# in an environment, and a second command finds it ready.
environment=${TMPDIR:-/tmp}/course_attention_on_a_gpu
if [ ! -e "$environment/ready" ]; then
    "$python" -m venv --clear --without-pip "$environment" || exit 1
    "$python" -c 'import sys; print(*(p for p in sys.path if p.endswith("-packages")), sep="\n")' \
        >"$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/outer.pth"
    if [ -n "$wheels" ]; then
        "$python" -m pip --python "$environment/bin/python" install --quiet --no-index --no-deps "$wheels"/*.whl || exit 1
    fi
    "$environment/bin/python" -m ipykernel install --prefix "$environment" --name python3 >/dev/null || exit 1
    touch "$environment/ready"
fi
python=$environment/bin/python
export PYTHONPATH="$PWD" PYTHONUNBUFFERED=1 COURSE_ATTENTION_DEVICE="$device" OMP_NUM_THREADS=1
workers=$(($(nproc) / 2))
[ "$workers" -gt 0 ] || workers=1

# step NAME SECONDS LINES COMMAND...: runs it; the last LINES of its output are figures
step() {
    name=$1 limit=$2 lines=$3
    shift 3
    case " $steps " in *" $name "*) ;; *) return 0 ;; esac
    began=$(date +%s)
    left=$((${LIMIT:-570} - began + start))
    if [ "$left" -lt 10 ]; then
        echo "$name: not run, no time was left" | tee -a "$out/summary.txt"
        return 0
    fi
    [ "$limit" -lt "$left" ] || limit=$left
    timeout -k 5 "$limit" "$@" >"$out/running.txt" 2>&1
    ended="exit code $? after $(($(date +%s) - began)) s"
    printf '\n### %s\n\nIt ended with %s.\n\n```text\n%s\n```\n' "$name" "$ended" "$(tail -n "$lines" "$out/running.txt")" \
        >>"$out/figures.md"
    { echo "===== $name: $*" && cat "$out/running.txt"; } >>"$out/log.txt"
    echo "$name: $ended; $(tail -n 1 "$out/running.txt" | cut -c 1-200)" | tee -a "$out/summary.txt"
    rm "$out/running.txt"
}

pytest="$python -m pytest -q --color=no -p no:cacheprovider -n $workers"
tests="$pytest --device $device"
# The one with most tests is last: it takes what time is left.
# shellcheck disable=SC2086  # a command of several words
{
    step facts 60 9 "$python" tools/gpu_figures.py facts
    step judge 150 1 $tests tests/exercises \
        -k "right_passes or odd_passes or helper_passes or every_dtype or nothing_allowed"
    step notebooks 240 18 sh -c "$pytest --dist loadfile --nbval --junitxml $environment/notebooks.xml \
        ${BOOKS:-notebooks}; code=\$?; $python tools/gpu_figures.py durations $environment/notebooks.xml; exit \$code"
    rm -rf build/language_model
    step language_model 120 30 "$python" tools/train_language_model.py train --device "$device" --tokens "${TOKENS:-2000000}"
    step tests 150 1 $tests tests/mechanisms tests/execution tests/experiments tests/models \
        tests/simulated_cuda
    for name in multi_head blockwise scaling date_transformer; do
        step "$name" 90 20 "$python" "benchmarks/$name.py" --device "$device"
    done
    step measured 120 60 "$python" tools/gpu_figures.py measured notebooks/07_complexity.ipynb \
        notebooks/10_language_model.ipynb
    step grade 90 3 sh -c "rm -rf $environment/class && $python -m course_attention answer-key $environment/class/key >&2 &&
        mkdir -p $environment/class/in/student && cp $environment/class/key/0[02]*.ipynb $environment/class/in/student &&
        cd $environment/class && $python -m course_attention grade in --out results --isolation process --seed 0 \
            --device $device && cat results/grades.csv"
    # The same with matrix products of float32 in TF32, as many programs switch it on.
    step tf32 100 1 env TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1 $tests tests/exercises \
        -k "helper_passes or every_dtype"
    step misconceptions 400 1 $tests tests/exercises -k "wrong_is_named"
}
