"""What `scripts/bench.py` is made of: contestants, scenarios, measuring, reporting."""
