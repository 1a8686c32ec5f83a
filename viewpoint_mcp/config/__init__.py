"""The settings of a server: flags, timeouts, secrets, origins, proxy and emulation.

The modules parse and check what the user configured. Every layer may import them. They import only
`errors` of the other packages.
"""
