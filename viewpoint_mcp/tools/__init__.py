"""The tools a model may call: one file per group, declared as records and run by one runner."""
