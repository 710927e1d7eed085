# SPDX-License-Identifier: Apache-2.0
"""Foresight's side of a PyTorch program: names modules and operators for the probe.

Nothing here imports torch by itself; see loader.py for how it gets into a program.
"""


def step():
    """Marks the start of a step, for programs whose steps are not one call of one module."""
    from . import hook

    if hook.active is not None:
        hook.active.user_step()
