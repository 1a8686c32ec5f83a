"""What a snapshot needs from a page: its frames, click listeners, closed shadow roots, baseline.

`Page.snapshot` uses it. The trees themselves are made in `accessibility`, which knows no page.
"""
