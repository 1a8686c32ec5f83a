"""The HTML report of a trace: one file that opens offline and loads nothing.

`report_writer` fills the template `report.html` with the style, the script and the markup of the
calls, which `call_markup` builds as a tree. The tree escapes all texts of pages.
"""
