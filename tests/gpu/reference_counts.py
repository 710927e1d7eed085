# SPDX-License-Identifier: Apache-2.0
"""What torch.profiler says of one step of a model: launches and GPU time, the reference a recorded profile is compared
with. Prints one JSON object."""
import json
import sys

import torch
from torch.profiler import ProfilerActivity, profile

import models


def main():
    torch.manual_seed(0)
    model, inputs = models.MODELS[sys.argv[1]]()
    with torch.no_grad():
        for _ in range(6):
            model(*inputs)
        torch.cuda.synchronize()
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as recorded:
            model(*inputs)
            torch.cuda.synchronize()
    path = sys.argv[2]
    recorded.export_chrome_trace(path)
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    work = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    print(json.dumps({"model": sys.argv[1], "launches": len(work), "gpu_us": sum(e["dur"] for e in work)}))


if __name__ == "__main__":
    main()
