"""Parts of a page that its snapshot needs: frames, click listeners, closed shadow roots, baseline.

`Page.snapshot` uses this package. `accessibility` builds the trees and does not use pages.
"""
