"""The application `journal`: pages of Wagtail with rich text."""
