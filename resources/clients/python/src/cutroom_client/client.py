"""Calls of the public API. They need nothing but Python's own library."""
from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from email.message import Message
from typing import Any, NamedTuple, cast

from .schema import (
    Clip,
    ClipUpdateAnswer,
    ClipUpdateUpdates,
    ListedPost,
    PostAnalyticsAnswer,
    PostsAnswer,
    RenderAnswer,
    Run,
    Transcript,
    TranscriptOperation,
    TranscriptPatchAnswer,
    TriggerRequest,
    Workflow,
    WorkflowSummary,
)

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


class NoAnswer(ConnectionError):
    """No answer came, or half of one: what was sent may have been done."""


class _Answer(NamedTuple):
    status: int
    headers: Message[str, str]
    body: bytes

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


def _send(request: urllib.request.Request, timeout: float) -> _Answer:
    try:
        with _OPENER.open(request, timeout=timeout) as response:
            return _Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as refused:
        with refused:
            try:
                return _Answer(refused.code, refused.headers, refused.read())
            except (OSError, http.client.HTTPException) as cause:
                raise NoAnswer(f"{request.full_url}: {cause}") from cause
    except (OSError, http.client.HTTPException) as cause:
        raise NoAnswer(f"{request.full_url}: {cause}") from cause


def _patience(answer: _Answer | None, tried: int) -> float:
    """Seconds until the next try: as the answer says, else twice as long each time."""
    wanted: float = FIRST_PAUSE_SECONDS * 2**tried
    given = None if answer is None else answer.headers.get("retry-after")
    # The other form of the header is a date, which the appliance does not send.
    if given is not None and given.isdecimal():
        wanted = float(given)
    return min(wanted, LONGEST_PAUSE_SECONDS)


class Cutroom:
    """A client of one company. Calls can be made from several threads at once."""

    def __init__(self, url: str, key: str, company_id: str, *, retries: int = 4, timeout: float = 60.0) -> None:
        """`retries`: times that a call is tried again. `timeout`: seconds that an answer may take, renders excepted."""
        self._url = url.rstrip("/")
        self._key = key
        self._company_id = company_id
        self._retries = retries
        self._timeout = timeout

    def workflows(self) -> list[WorkflowSummary]:
        """The saved workflows."""
        return cast("list[WorkflowSummary]", self._read("/workflows")["workflows"])

    def workflow(self, workflow_id: str) -> Workflow:
        return cast(Workflow, self._read("/workflow", workflowId=workflow_id)["workflow"])

    def trigger(self, request: TriggerRequest, *, key: str | None = None) -> str:
        """Starts a run and returns its id.

        It may be sent several times and starts one run, because each has the same Idempotency-Key: `key`, or one that
        is made for this call. Give one that you keep, and the run is not started twice when your program is started
        again either.
        """
        body = {"companyId": self._company_id, **request}
        return cast(str, self._post("/trigger-template", body, key=key)["triggerId"])

    def run(self, trigger_id: str) -> Run:
        return cast(Run, self._call("GET", f"/workflow-results/{urllib.parse.quote(trigger_id, safe='')}"))

    def wait_for_run(
        self,
        trigger_id: str,
        *,
        every: float = 5.0,
        timeout: float | None = None,
        on_progress: Callable[[Run], None] | None = None,
    ) -> Run:
        """Waits until a run is Completed, looking `every` so many seconds.

        Raises a CutroomError with the code of the run when it ends in Error, TimeoutError after `timeout` seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while True:
            run = self.run(trigger_id)
            if on_progress is not None:
                on_progress(run)
            if run["status"] == "Completed":
                return run
            if run["status"] == "Error":
                raise CutroomError(200, {"error": run.get("error", "The run failed."), "code": run.get("code")})
            left = every if end is None else min(every, end - time.monotonic())
            if left <= 0:
                raise TimeoutError(f"The run is not finished after {timeout} s: {run['status']}")
            time.sleep(left)

    def clip(self, clip_id: str) -> Clip:
        return cast(Clip, self._read("/clip", clipId=clip_id)["clip"])

    def transcript(self, clip_id: str) -> Transcript:
        return cast(Transcript, self._read("/clip-transcript", clipId=clip_id))

    def correct(self, clip_id: str, operations: list[TranscriptOperation]) -> TranscriptPatchAnswer:
        """Corrects words of a clip."""
        body = {**self._address(clip_id), "operations": operations}
        return cast(
            TranscriptPatchAnswer, self._call("PATCH", "/clip-transcript", body=body, repeatable=False)
        )

    def update_clip(self, clip_id: str, updates: ClipUpdateUpdates, *, merge: bool = True) -> ClipUpdateAnswer:
        """Saves fields of a clip; it does not render."""
        body = {**self._address(clip_id), "updates": updates, "merge": merge}
        return cast(ClipUpdateAnswer, self._post("/update-clip", body))

    def render(self, clip_id: str, *, timeout: float = 1800.0) -> RenderAnswer:
        """Renders a clip as it is now, and waits for the film; where it is rendered already, that is the answer."""
        return cast(RenderAnswer, self._post("/render", self._address(clip_id), timeout=timeout))

    def posts(self, **query: str) -> Iterator[ListedPost]:
        """The published posts, page after page; `query` as in the document: clipId, platform, sortBy, startDate."""
        page: PostsAnswer = cast(PostsAnswer, self._read("/posts", **query))
        yield from page["posts"]
        while (cursor := page["cursor"]) is not None:
            page = cast(PostsAnswer, self._read("/posts", **{**query, "cursor": cursor}))
            yield from page["posts"]

    def post_analytics(self, post_id: str) -> PostAnalyticsAnswer:
        return cast(PostAnalyticsAnswer, self._read("/post-analytics", postId=post_id))

    def _address(self, clip_id: str) -> dict[str, str]:
        return {"companyId": self._company_id, "clipId": clip_id}

    def _read(self, path: str, **query: str) -> Any:
        given = urllib.parse.urlencode({"companyId": self._company_id, **query})
        return self._call("GET", f"{path}?{given}")

    def _post(
        self, path: str, body: Mapping[str, Any], *, key: str | None = None, timeout: float | None = None
    ) -> Any:
        """Every POST has an Idempotency-Key, the same each time that it is sent: so doing it is repeatable."""
        return self._call("POST", path, body=body, key=str(uuid.uuid4()) if key is None else key, timeout=timeout)

    def _call(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, Any] | None = None,
        repeatable: bool = True,
        key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """`repeatable`: doing it twice does what doing it once does, so it may be sent again when no answer came."""
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(self._url + path, data=data, headers=headers, method=method)
        tried = 0
        while True:
            last = tried >= self._retries
            answer: _Answer | None = None
            try:
                answer = _send(request, self._timeout if timeout is None else timeout)
            except NoAnswer:
                if last or not repeatable:
                    raise
            if answer is not None:
                if 200 <= answer.status < 300:
                    return answer.json()
                again = answer.status in TURNED_AWAY or (repeatable and answer.status in FAILED)
                if last or not again:
                    raise CutroomError(answer.status, answer.json())
            time.sleep(_patience(answer, tried))
            tried += 1
