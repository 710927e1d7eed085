# SPDX-License-Identifier: Apache-2.0
"""The models whose profiles are shipped, with random weights: an image decoder of the VAE kind and a language model of
the Qwen kind. `python3 models.py NAME --calls N` runs one N times on the GPU."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

GROUPS = 32


class ResidualBlock(nn.Module):
    """norm -> SiLU -> 3x3 convolution, twice, beside a shortcut."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.norm1 = nn.GroupNorm(GROUPS, inputs, eps=1e-6)
        self.conv1 = nn.Conv2d(inputs, outputs, kernel_size=3, padding=1)
        self.norm2 = nn.GroupNorm(GROUPS, outputs, eps=1e-6)
        self.conv2 = nn.Conv2d(outputs, outputs, kernel_size=3, padding=1)
        self.shortcut = nn.Identity() if inputs == outputs else nn.Conv2d(inputs, outputs, kernel_size=1)

    def forward(self, x):
        hidden = self.conv1(F.silu(self.norm1(x)))
        hidden = self.conv2(F.silu(self.norm2(hidden)))
        return hidden + self.shortcut(x)


class Decoder(nn.Module):
    """16 x 128 x 128 latents to a 1024 x 1024 picture: two blocks at 512 channels, then four levels of three blocks,
    each but the last followed by a doubling of the picture's sides."""

    def __init__(self, channels=(512, 512, 256, 128), latents=16):
        super().__init__()
        width = channels[0]
        self.conv_in = nn.Conv2d(latents, width, kernel_size=3, padding=1)
        self.mid = nn.Sequential(ResidualBlock(width, width), ResidualBlock(width, width))
        layers = []
        for level, outputs in enumerate(channels):
            for _ in range(3):
                layers.append(ResidualBlock(width, outputs))
                width = outputs
            if level + 1 < len(channels):
                layers.append(nn.Upsample(scale_factor=2, mode="nearest"))
                layers.append(nn.Conv2d(width, width, kernel_size=3, padding=1))
        self.up = nn.Sequential(*layers)
        self.norm_out = nn.GroupNorm(GROUPS, width, eps=1e-6)
        self.conv_out = nn.Conv2d(width, 3, kernel_size=3, padding=1)

    def forward(self, z):
        return self.conv_out(F.silu(self.norm_out(self.up(self.mid(self.conv_in(z))))))


def decoder(channels_last):
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = Decoder().cuda().half().eval().to(memory_format=layout)
    latents = torch.randn(1, 16, 128, 128, device="cuda", dtype=torch.half).to(memory_format=layout)
    return model, (latents,)


def qwen_prefill(tokens):
    from transformers import Qwen3Config, Qwen3ForCausalLM

    config = Qwen3Config(vocab_size=32000, hidden_size=2048, intermediate_size=6144, num_hidden_layers=8,
                         num_attention_heads=16, num_key_value_heads=8, head_dim=128)
    model = Qwen3ForCausalLM(config).cuda().bfloat16().eval()
    return model, (torch.randint(0, config.vocab_size, (1, tokens), device="cuda"),)


MODELS = {
    "vae_decoder": lambda: decoder(False),
    "vae_decoder_channels_last": lambda: decoder(True),
    "qwen_prefill": lambda: qwen_prefill(2048),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("--calls", type=int, default=9)
    options = parser.parse_args()
    torch.manual_seed(0)
    model, inputs = MODELS[options.model]()
    with torch.no_grad():
        for _ in range(options.calls):
            model(*inputs)
    torch.cuda.synchronize()


if __name__ == "__main__":
    main()
