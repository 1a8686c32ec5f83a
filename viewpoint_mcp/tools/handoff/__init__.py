"""The tools of the capability `handoff`, with which a person watches and takes part.

They act on the state of the client. They may not know HTTP.
"""
