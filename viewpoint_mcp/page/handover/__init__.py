"""The hand-over of a page to a person, and what is not recorded meanwhile.

`browser_ask_user` uses it. It knows nothing about the ways in which clients reach a person.
"""
