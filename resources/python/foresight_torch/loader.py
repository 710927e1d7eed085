# SPDX-License-Identifier: Apache-2.0
"""Installs the hook as soon as the program has imported torch, and not before."""
import importlib.abc
import sys


class _Loader(importlib.abc.Loader):
    def __init__(self, inner):
        self._inner = inner

    def __getattr__(self, name):
        return getattr(self._inner, name)

    def create_module(self, spec):
        return self._inner.create_module(spec)

    def exec_module(self, module):
        self._inner.exec_module(module)
        _install()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds torch as the others do and wraps its loader."""

    def find_spec(self, fullname, path, target=None):
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(fullname, path, target) if find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


def _install():
    from . import hook

    try:
        hook.install()
    except Exception as error:
        sys.stderr.write("foresight: the hook could not be installed: %s: %s\n" % (type(error).__name__, error))


def wait_for_torch():
    if "torch" in sys.modules:
        _install()
    else:
        sys.meta_path.insert(0, _Finder())
