"""The outflow guard: does a call give one site what another site showed?

`outflow_guard` is what the executor calls. It only keeps references to texts until a call goes to a
second site; the other modules, which compare, are imported then. Nothing here knows a browser.
"""
