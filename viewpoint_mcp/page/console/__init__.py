"""Console messages of a page, with previews of the objects that were logged.

The console tool reads them. Nothing here waits for a page, except to expand a logged object.
"""
