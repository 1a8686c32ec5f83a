"""Screenshots and PDFs of a page, of its viewport or of one element.

The screenshot and PDF tools use it. It knows no file names and no reply.
"""
