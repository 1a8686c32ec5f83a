"""The tools of the capabilities `devtools` and `config` (`--caps devtools`, `--caps config`)."""
