"""Builds what `make dist` writes into dist/: sdist, wheel and the bundle for desktop clients.

`python -m scripts.packages` uses it, and tests build the same files. It needs no network.
"""
