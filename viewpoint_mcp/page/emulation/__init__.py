"""Emulation of devices, locales, media and user agents in every process of a page.

Contexts and the emulation tools use it. Parsing what the user writes belongs to `config`.
"""
