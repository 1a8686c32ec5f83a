"""Hit testing: the facts of the page script, the hit point, and the guard of the press.

`Element` and the mouse actions use this package. It uses no tools and sends no input.
"""
