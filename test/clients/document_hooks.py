"""How schemathesis calls the appliance, and what it holds answers against besides the document.

A valid request is refused only for what no schema can say: semantic-refusals.json lists the codes, and why; of codes that
many things are refused with, the members.
"""
import atexit
import collections
import json
import os
import pathlib
import random
import re

import schemathesis

LISTED = json.loads(pathlib.Path(__file__).with_name("semantic-refusals.json").read_text())
# Ids that exist, by the name of the parameter or member; credentials.
READY = json.loads(pathlib.Path(os.environ["CUTROOM_READY"]).read_text())
KNOWN = READY["known"]
# As the appliance makes them.
ID = re.compile(r"[A-Za-z0-9_-]{22}")
# The generator of requests begins Python's own random numbers anew each time.
RANDOM = random.SystemRandom()


# Requests by phase, which schemathesis tells of a whole run only.
SENT: collections.Counter = collections.Counter()
atexit.register(lambda: pathlib.Path(os.environ["CUTROOM_COUNTS"]).write_text(json.dumps(SENT)))

schemathesis.serializer.alias("application/offset+octet-stream", "application/octet-stream")


def refusal_of(response) -> tuple[str, str]:
    """The code, and the member that it is about."""
    try:
        body = response.json()
    except ValueError:
        return "", ""
    error = body.get("error") if isinstance(body, dict) else None
    whole = error if isinstance(error, dict) else body if error else {}
    return whole.get("code", ""), (whole.get("details") or {}).get("field", "")


def is_listed(code: str, member: str) -> bool:
    reason = LISTED.get(code)
    return member in reason if isinstance(reason, dict) else reason is not None


def is_positive(case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


def ids_for(name: str, case) -> list:
    """Where there are many ids, what is deleted is of the second half: the first is there to the end."""
    ids = KNOWN[name]
    half = len(ids) // 2
    if half < 10:
        return ids
    return ids[half:] if case.method == "DELETE" else ids[:half]


def is_carried(value: str, case) -> bool:
    """Whether a link has brought it from an earlier answer: then it is what the test is about. Else it is a random text."""
    in_steps = getattr(case.meta.phase.name, "value", "") == "stateful"
    return in_steps and case.method != "DELETE" and ID.fullmatch(value) is not None


def fill_in(values, case) -> None:
    """Puts ids that exist where there are any, in most requests: others only find nothing."""
    if not isinstance(values, dict):
        return
    for name, value in list(values.items()):
        if name not in KNOWN or not isinstance(value, str) or is_carried(value, case):
            continue
        if name == "companyId" or RANDOM.random() < 0.8:
            values[name] = RANDOM.choice(ids_for(name, case))


@schemathesis.hook
def before_call(context, case, kwargs) -> None:
    SENT[getattr(case.meta.phase.name, "value", "") if case.meta else ""] += 1
    if case.headers is None:
        case.headers = {}
    internal = case.operation.path.startswith("/internal/")
    if os.environ["CUTROOM_API"] == "public" or internal:
        case.headers["Authorization"] = f"Bearer {READY['serviceToken' if internal else 'key']}"
    else:
        case.headers["X-Service-Delegation"] = READY["delegation"]
    if not is_positive(case):
        return
    fill_in(case.path_parameters, case)
    fill_in(case.query, case)
    fill_in(case.body, case)
    if "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = f"{RANDOM.getrandbits(128):032x}"
    if "If-Match" in case.headers:
        case.headers["If-Match"] = RANDOM.choice(KNOWN["If-Match"])


@schemathesis.check
def listed_refusal(ctx, response, case) -> None:
    """A request that the document allows is answered, or refused with a code of the list."""
    if is_positive(case) and 400 <= response.status_code < 500:
        code, member = refusal_of(response)
        assert is_listed(code, member), (
            f"{response.status_code} {code} {member} for a valid request: {response.text[:300]}"
        )
