"""Measurements of skerry: run ``python -m skerry_bench --help``.

A timing has a warm-up, a median, a spread, a machine and a commit; every answer is verified outside
the timing before its time is reported. benchmarks/docs says how.
"""
