"""What a webhook is sent: read only when it is from the appliance that knows the secret, and not somebody's copy."""
from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import cast

from .schema import Event

OLDEST_SECONDS = 300
_SIGNATURE = re.compile(r"t=(\d{1,15}),v1=([0-9a-f]{64})", re.ASCII)


class WebhookRefused(Exception):
    """The request is not from the appliance, or is an old one; answer it with 400 and do nothing."""


def read_webhook(*, secret: str, signature: str | None, body: bytes | str, now: float | None = None) -> Event:
    """The event in a webhook's request.

    `signature` is the header Cutroom-Signature, `body` the body as it came, before any parsing; `now` (seconds since
    1970) is for tests. Raises WebhookRefused when the signature is not right, or is over five minutes old.
    """
    raw = body.encode() if isinstance(body, str) else body
    found = _SIGNATURE.fullmatch(signature or "")
    if found is None:
        raise WebhookRefused("There is no signature.")
    at, given = found.groups()
    made = hmac.new(secret.encode(), at.encode() + b"." + raw, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(made, given):
        raise WebhookRefused("The signature is not of this secret and body.")
    if abs((time.time() if now is None else now) - int(at)) > OLDEST_SECONDS:
        raise WebhookRefused("The signature is too old.")
    return cast(Event, json.loads(raw))
