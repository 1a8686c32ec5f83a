"""Chrome for Testing, downloaded for those who have no browser. Importing this costs nothing."""
