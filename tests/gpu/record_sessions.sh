#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records the shipped profiles on a machine with a GPU, PyTorch and transformers, and compares each with what
# torch.profiler says of the same step.
#   record_sessions.sh RECORDER PROBE OUT [MODEL...]
# RECORDER is tests/targets/record_profile.cpp built, PROBE is libforesight-probe.so. Goes on after failures; writes
# MODEL.fsight, MODEL.bin.gz (the raw stream) and a log. Run with CUPTI's path outside home folders before committing a
# stream: its first record names it.
set -u
RECORDER=$1 PROBE=$2 OUT=$3
shift 3
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../.." && pwd)
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd) RECORDER=$(realpath "$RECORDER") PROBE=$(realpath "$PROBE")
cd "$ROOT" || exit 1 # sessions keep the command line: no path of this machine in it
PYTHON=${PYTHON:-python3}
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$(mktemp -d)} FORESIGHT_DATA=$ROOT PYTHONDONTWRITEBYTECODE=1
declare -A TITLE=(
  [vae_decoder]="VAE-like decoder, fp16, NCHW"
  [vae_decoder_channels_last]="VAE-like decoder, fp16, channels_last"
  [qwen_prefill]="Qwen-like prefill, 2048 tokens, bf16"
)
declare -A FILE=(
  [vae_decoder]=vae_decoder_fp16
  [vae_decoder_channels_last]=vae_decoder_fp16_channels_last
  [qwen_prefill]=qwen_prefill_bf16
)
for model in "${@:-vae_decoder}"; do
  file=${FILE[$model]}
  rm -f "$OUT/$file.fsight"
  {
    echo "== $model"
    timeout 120 "$RECORDER" --out "$OUT/$file.fsight" --raw "$OUT/$file.bin" --title "${TITLE[$model]}" \
      --warmup 3 --plain 3 --steps 2 --probe "$PROBE" --data "$ROOT" -- "$PYTHON" tests/gpu/models.py "$model" --calls 8
    echo "recorder: exit $?"
    trace=$(mktemp)
    timeout 120 "$PYTHON" tests/gpu/reference_counts.py "$model" "$trace"
    rm -f "$trace"
    gzip -9 -f "$OUT/$file.bin" && ls -l "$OUT/$file.bin.gz" "$OUT/$file.fsight"
  } 2>&1 | tee -a "$OUT/record_sessions.log"
done
