"""What a developer or a presenter adds to one page: highlights and the frames of a screencast.

The tools of the capability `devtools` use it. It knows nothing of tools, files and videos.
"""
