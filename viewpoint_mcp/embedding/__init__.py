"""Complete servers, for the command line and for other programs."""
