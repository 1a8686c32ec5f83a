"""Pages with generated texts in each place that a page controls: none forges a part of a reply."""
