"""The settings of the device and the user that pages perceive, with their flags and parsers.

`emulation` declares the settings, `parsers` reads the texts of flags and tool arguments, and
`devices` knows the devices. Every layer may import them.
"""
