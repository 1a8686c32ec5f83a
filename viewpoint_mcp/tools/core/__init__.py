"""Declaration and execution of tools: record, arguments, schema, runner, executor.

Tool modules use its decorators, the server its runner. It may not know any single tool.
"""
