"""Console messages of a page, with previews of the objects that were logged.

The console tool reads them. The only queries to the page are for the details of logged objects.
"""
