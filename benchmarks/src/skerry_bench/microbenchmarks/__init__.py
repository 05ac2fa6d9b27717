"""Workloads and implementations of the suites that measure single parts of skerry.

Each module is used by one suite of `skerry_bench.suites`, or by one of its studies.
"""
