"""From a tool's declaration to its result: arguments, schema, runner, executor.

Tools are declared with it and the server calls its runner. It knows no single tool.
"""
