"""JavaScript of the caller: evaluate it in the page, and write its result as text.

The evaluate tool uses it. The product's own scripts are in `inpage`.
"""
