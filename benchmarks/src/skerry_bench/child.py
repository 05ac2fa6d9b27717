"""The child's side of `skerry_bench.corpus.peer_process`: lines of JSON, answered one by one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def answer_requests(start: Callable[[], Answer]) -> None:
    """Answers requests until the input ends; an error is an answer, too.

    ``start`` is called at the first request. What is printed meanwhile goes to the standard error.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    answer: Answer | None = None
    for line in sys.stdin:
        try:
            answer = answer or start()
            answered = answer(json.loads(line))
        except Exception as error:
            answered = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answered), file=answers, flush=True)
