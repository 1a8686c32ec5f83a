"""Guards that check a call before it runs: what it acts on, and what it gives to another site.

The executor calls them, if the settings need them. They decide from the arguments of the call and
from URLs, and know neither CDP nor the layout of pages.
"""
