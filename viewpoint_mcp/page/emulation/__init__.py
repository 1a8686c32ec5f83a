"""Emulation of devices, locales, media and user agents in every process of a page.

Browser contexts and the emulation tools use this package. `config` parses the user's settings.
"""
