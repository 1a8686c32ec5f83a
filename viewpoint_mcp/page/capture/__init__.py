"""Screenshots and PDFs of a page, of its viewport or of one element.

The screenshot and PDF tools use this package. It does not save files or write replies.
"""
