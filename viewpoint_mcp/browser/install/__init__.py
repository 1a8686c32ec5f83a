"""Installation of Chrome for Testing for users without a browser; cheap to import."""
