"""How schemathesis calls the appliance, and what it holds answers against besides the document.

A valid request is refused only for what no schema can say: semantic-refusals.json lists the codes, and why.
"""
import json
import os
import pathlib
import random

import schemathesis

LISTED = json.loads(pathlib.Path(__file__).with_name("semantic-refusals.json").read_text())
# Ids that exist, by the name of the parameter or member; credentials.
READY = json.loads(pathlib.Path(os.environ["CUTROOM_READY"]).read_text())
KNOWN = READY["known"]
# The generator of requests begins Python's own random numbers anew each time.
RANDOM = random.SystemRandom()


def code_of(response) -> str:
    try:
        body = response.json()
    except ValueError:
        return ""
    error = body.get("error") if isinstance(body, dict) else None
    return (error.get("code") if isinstance(error, dict) else body.get("code")) if error else ""


def is_positive(case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def fill_in(values) -> None:
    """Puts ids that exist where there are any, in most requests: others only find nothing."""
    if not isinstance(values, dict):
        return
    for name in list(values):
        if name in KNOWN and isinstance(values[name], str) and (name == "companyId" or RANDOM.random() < 0.8):
            values[name] = RANDOM.choice(KNOWN[name])


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    if case.headers is None:
        case.headers = {}
    internal = case.operation.path.startswith("/internal/")
    if os.environ["CUTROOM_API"] == "public" or internal:
        case.headers["Authorization"] = f"Bearer {READY['serviceToken' if internal else 'key']}"
    else:
        case.headers["X-Service-Delegation"] = READY["delegation"]
    if not is_positive(case):
        return
    # What a link has carried over is what the test is about.
    if getattr(case.meta.phase.name, "value", "") != "stateful":
        fill_in(case.path_parameters)
    fill_in(case.query)
    fill_in(case.body)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{RANDOM.getrandbits(128):032x}"
    if "If-Match" in case.headers:
        case.headers["If-Match"] = RANDOM.choice(KNOWN["If-Match"])


@schemathesis.check
def listed_refusal(ctx, response, case) -> None:
    """A request that the document allows is answered, or refused with a code of the list."""
    if is_positive(case) and 400 <= response.status_code < 500:
        code = code_of(response)
        assert code in LISTED, f"{response.status_code} {code} for a valid request: {response.text[:300]}"
