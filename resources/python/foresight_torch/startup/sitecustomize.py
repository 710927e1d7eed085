# SPDX-License-Identifier: Apache-2.0
"""Start-up entry that the launcher puts on PYTHONPATH.

Runs the user's own sitecustomize first (this folder hides it), then, when a profile was asked for, waits for torch to
be imported. Never raises: a program must start as it would without us.
"""
import os
import sys


def _run_users_own():
    import importlib.machinery
    import importlib.util

    here = os.path.dirname(os.path.abspath(__file__))
    paths = [p for p in sys.path if os.path.abspath(p or os.getcwd()) != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


try:
    _run_users_own()
except Exception as error:  # what the interpreter itself would do with a broken sitecustomize
    sys.stderr.write("Error in sitecustomize: %s: %s\n" % (type(error).__name__, error))

if os.environ.get("FORESIGHT_HOOK") == "1":
    try:
        from foresight_torch import loader

        loader.wait_for_torch()
    except Exception as error:
        sys.stderr.write("foresight: the start-up hook could not be loaded: %s\n" % error)
