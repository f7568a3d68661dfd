"""How calls are sent, and sent again; refusals as errors. It needs nothing but Python's own library."""
from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from email.message import Message
from typing import Any, NamedTuple

FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 30.0
# Turned away before anything was done: safe to send again, whatever it was.
TURNED_AWAY = frozenset({429})
# Something on the way failed: safe to send again where repeating does no harm.
FAILED = frozenset({500, 502, 503, 504})


class CutroomError(Exception):
    """A refusal, as the API words it; `code` is for programs."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        super().__init__(body.get("error") or f"The appliance answered {status}.")
        self.status = status
        self.code: str = body.get("code") or "UNKNOWN"
        self.request_id: str = body.get("requestId") or ""
        self.details: dict[str, Any] | None = body.get("details")


class PreconditionFailed(CutroomError):
    """Somebody has changed it since its `etag` was read: read it again, and decide anew."""


class NoAnswer(ConnectionError):
    """No answer came, or half of one: what was sent may have been done."""


class Answer(NamedTuple):
    status: int
    headers: Message[str, str]
    body: bytes

    @property
    def etag(self) -> str:
        return self.headers.get("etag") or ""

    def json(self) -> Any:
        """The body, or nothing where it is no JSON: a proxy's own page."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API redirects nowhere, and a key is not carried to where something on the way points."""

    def redirect_request(self, *_given: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _send(request: urllib.request.Request, timeout: float) -> Answer:
    try:
        with _OPENER.open(request, timeout=timeout) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as refused:
        with refused:
            try:
                return Answer(refused.code, refused.headers, refused.read())
            except (OSError, http.client.HTTPException) as cause:
                raise NoAnswer(f"{request.full_url}: {cause}") from cause
    except (OSError, http.client.HTTPException) as cause:
        raise NoAnswer(f"{request.full_url}: {cause}") from cause


def _patience(answer: Answer | None, tried: int) -> float:
    """Seconds until the next try: as the answer says, else twice as long each time."""
    wanted: float = FIRST_PAUSE_SECONDS * 2**tried
    given = None if answer is None else answer.headers.get("retry-after")
    # The other form of the header is a date, which the appliance does not send.
    if given is not None and given.isdecimal():
        wanted = float(given)
    return min(wanted, LONGEST_PAUSE_SECONDS)


def _refusal(answer: Answer) -> CutroomError:
    kind = PreconditionFailed if answer.status == 412 else CutroomError
    return kind(answer.status, answer.json())


class Transport:
    """Sends calls of one key. Calls can be made from several threads at once."""

    def __init__(self, url: str, key: str, *, retries: int, timeout: float) -> None:
        self._url = url.rstrip("/")
        self._key = key
        self.retries = retries
        self._timeout = timeout

    def send(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = True,
        key: str | None = None,
        if_match: str | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Sends a call, again where that may help and does no harm. Raises a CutroomError where it is refused.

        `repeatable`: doing it twice does what doing it once does, so it may be sent again when no answer came.
        `key`: the Idempotency-Key. `data` is sent in place of a `body` of JSON.
        """
        more = {"Idempotency-Key": key, "If-Match": if_match, **(headers or {})}
        request = self._request(method, path, json.dumps(body).encode() if body is not None else data, more)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        tried = 0
        unsure = False
        while True:
            last = tried >= self.retries
            answer: Answer | None = None
            try:
                answer = _send(request, self._timeout if timeout is None else timeout)
            except NoAnswer:
                if last or not repeatable:
                    raise
            failed = answer is None or answer.status in FAILED
            if answer is not None:
                # An earlier try may have deleted it: in any case it is not there any more.
                gone = method == "DELETE" and unsure and answer.status == 404
                if gone or 200 <= answer.status < 300:
                    return answer
                again = answer.status in TURNED_AWAY or (repeatable and failed)
                if last or not again:
                    raise _refusal(answer)
            unsure = unsure or failed
            time.sleep(_patience(answer, tried))
            tried += 1

    def _request(
        self, method: str, path: str, data: bytes | None, more: Mapping[str, str | None]
    ) -> urllib.request.Request:
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        headers.update({name: value for name, value in more.items() if value is not None})
        return urllib.request.Request(self._url + path, data=data, headers=headers, method=method)
