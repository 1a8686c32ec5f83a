"""The parts of a page that the agent knows, because it was shown equal parts before."""
