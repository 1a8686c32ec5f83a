"""Scripts that prepare and start one application each, with arguments PORT and DIRECTORY.

They run with the Python of the applications, in a new, empty working directory. DIRECTORY holds
the packages of npm.
"""
