"""The parts of `scripts/bench.py`: contestants, scenarios, measuring, reporting."""
