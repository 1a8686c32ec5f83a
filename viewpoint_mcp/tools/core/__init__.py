"""Declaration and execution of tools: record, arguments, schema, runner, executor.

Tool modules use its decorators, and the server uses its runner. It must not import single tools.
"""
