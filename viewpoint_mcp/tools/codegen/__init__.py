"""The session as Playwright code: `--codegen`, and the script that `browser_export_script` writes.

The executor passes each successful call to a `SessionRecorder`, which translates it into
statements of no language. A writer renders statements as TypeScript or Python. Nothing here is
imported unless a server generates code.
"""
