"""Videos of what a context shows, encoded by the browser itself in a hidden page.

The tools of the capability `devtools` use it, through the workspace. It knows nothing of tools.
"""
