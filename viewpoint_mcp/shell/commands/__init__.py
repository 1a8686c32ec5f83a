"""The commands of `viewpoint`: made from the tools, parsed, documented and printed."""
