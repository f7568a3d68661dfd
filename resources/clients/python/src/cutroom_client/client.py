"""Calls of the public API."""
from __future__ import annotations

import os
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from .schema import (
    Clip,
    ClipUpdateAnswer,
    ClipUpdateUpdates,
    ListedPost,
    ListedRun,
    Metadata,
    PostAnalyticsAnswer,
    PostsAnswer,
    RenderAnswer,
    Run,
    RunsAnswer,
    Transcript,
    TranscriptOperation,
    TranscriptPatchAnswer,
    TriggerRequest,
    Webhook,
    WebhookAnswer,
    Workflow,
    WorkflowSummary,
)
from .transport import Answer, CutroomError, Transport
from .upload import PIECE_BYTES, send_upload


class TaggedClip(Clip):
    """A clip, and its revision for `if_match` of an edit."""

    etag: str


class TaggedClipUpdateAnswer(ClipUpdateAnswer):
    etag: str


class TaggedTranscript(Transcript):
    """The words of a clip, and their revision for `if_match` of a correction."""

    etag: str


class TaggedTranscriptPatchAnswer(TranscriptPatchAnswer):
    etag: str


class Cutroom:
    """A client of one company. Calls can be made from several threads at once."""

    def __init__(self, url: str, key: str, company_id: str, *, retries: int = 4, timeout: float = 60.0) -> None:
        """`retries`: times that a call is tried again. `timeout`: seconds that an answer may take, renders excepted."""
        self._company_id = company_id
        self._transport = Transport(url, key, retries=retries, timeout=timeout)

    def workflows(self) -> list[WorkflowSummary]:
        """The saved workflows."""
        return cast("list[WorkflowSummary]", self._read("/workflows")["workflows"])

    def workflow(self, workflow_id: str) -> Workflow:
        return cast(Workflow, self._read("/workflow", workflowId=workflow_id)["workflow"])

    def upload(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        piece_bytes: int = PIECE_BYTES,
        key: str | None = None,
        cancel: threading.Event | None = None,
        on_progress: Callable[[int, int], None] | None = None,
    ) -> str:
        """Uploads a file and answers the address that `trigger` takes as `url`.

        It is sent in pieces: after a lost connection it goes on with what is missing. Called again with the same `key`,
        also by another process, it goes on with the same upload. When `cancel` is set it raises UploadCancelled before the
        next piece. `on_progress` is called with the bytes that are there, and all of them.
        """
        return send_upload(
            self._transport,
            self._company_id,
            path,
            name=name,
            piece_bytes=piece_bytes,
            key=key,
            cancel=cancel,
            on_progress=on_progress,
        )

    def trigger(self, request: TriggerRequest, *, key: str | None = None) -> str:
        """Starts a run and returns its id.

        It may be sent several times and starts one run, because each has the same Idempotency-Key: `key`, or one that
        is made for this call. Give one that you keep, and the run is not started twice when your program is started
        again either.
        """
        body = {"companyId": self._company_id, **request}
        return cast(str, self._post("/trigger-template", body, key=key).json()["triggerId"])

    def run(self, trigger_id: str) -> Run:
        return cast(Run, self._transport.send("GET", _run_path(trigger_id)).json())

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

    def runs(self, *, metadata: Metadata | None = None) -> Iterator[ListedRun]:
        """The runs of the company, newest first, page after page; with `metadata`, those that have all of it."""
        query = {f"metadata[{name}]": value for name, value in (metadata or {}).items()}
        for page in self._pages("/workflow-results", **query):
            yield from cast(RunsAnswer, page)["runs"]

    def cancel_run(self, trigger_id: str) -> None:
        """Stops a run: it ends in Error with the code CANCELLED. Clips that it has found stay."""
        self._post(f"{_run_path(trigger_id)}/cancel")

    def clip(self, clip_id: str) -> TaggedClip:
        answer = self._transport.send("GET", self._address_of("/clip", clipId=clip_id))
        return cast(TaggedClip, {**answer.json()["clip"], "etag": answer.etag})

    def delete_clip(self, clip_id: str) -> None:
        """Deletes a clip, with its files. Its posts stay."""
        self._transport.send("DELETE", self._address_of("/clip", clipId=clip_id))

    def transcript(self, clip_id: str) -> TaggedTranscript:
        address = self._address_of("/clip-transcript", clipId=clip_id)
        return cast(TaggedTranscript, _tagged(self._transport.send("GET", address)))

    def correct(
        self, clip_id: str, operations: list[TranscriptOperation], *, if_match: str | None = None
    ) -> TaggedTranscriptPatchAnswer:
        """Corrects words of a clip.

        With `if_match`, the `etag` of the words that were read, it raises PreconditionFailed where somebody has changed
        them since, and changes nothing.
        """
        body = {"companyId": self._company_id, "clipId": clip_id, "operations": operations}
        answer = self._transport.send("PATCH", "/clip-transcript", body=body, repeatable=False, if_match=if_match)
        return cast(TaggedTranscriptPatchAnswer, _tagged(answer))

    def update_clip(
        self, clip_id: str, updates: ClipUpdateUpdates, *, merge: bool = True, if_match: str | None = None
    ) -> TaggedClipUpdateAnswer:
        """Saves fields of a clip; it does not render.

        `merge`: whether configs are merged into those that there are, or take their place. With `if_match`, the `etag` of
        the clip that was read, it raises PreconditionFailed where somebody has changed it since, and changes nothing.
        """
        body = {"companyId": self._company_id, "clipId": clip_id, "updates": updates, "merge": merge}
        return cast(TaggedClipUpdateAnswer, _tagged(self._post("/update-clip", body, if_match=if_match)))

    def render(self, clip_id: str, *, strict: bool = False, timeout: float = 1800.0) -> RenderAnswer:
        """Renders a clip as it is now, and waits for the film; where it is rendered already, that is the answer.

        Its `warnings` say what the film lost: a font that is not installed, a picture that could not be fetched. With
        `strict` such a render is no film, but status failed with the code RENDER_INCOMPLETE.
        """
        body = {"companyId": self._company_id, "clipId": clip_id, "strict": strict}
        return cast(RenderAnswer, self._post("/render", body, timeout=timeout).json())

    def posts(self, **query: str) -> Iterator[ListedPost]:
        """The published posts, page after page; `query` as in the document: clipId, platform, sortBy, startDate."""
        for page in self._pages("/posts", **query):
            yield from cast(PostsAnswer, page)["posts"]

    def post_analytics(self, post_id: str) -> PostAnalyticsAnswer:
        return cast(PostAnalyticsAnswer, self._read("/post-analytics", postId=post_id))

    def webhooks(self) -> list[Webhook]:
        """The webhooks of the company. They take a key of scope admin, as adding and deleting one does."""
        return cast("list[Webhook]", self._read("/webhooks")["webhooks"])

    def add_webhook(self, url: str, events: Sequence[str] = ()) -> WebhookAnswer:
        """Adds a webhook; `events` are names, `run.*` and the like, all where left out. Its secret is shown this once."""
        body = {"companyId": self._company_id, "url": url, "events": list(events)}
        return cast(WebhookAnswer, self._post("/webhooks", body).json())

    def delete_webhook(self, webhook_id: str) -> None:
        self._transport.send("DELETE", self._address_of(f"/webhooks/{urllib.parse.quote(webhook_id, safe='')}"))

    def _address_of(self, path: str, **query: str) -> str:
        return f"{path}?{urllib.parse.urlencode({'companyId': self._company_id, **query})}"

    def _read(self, path: str, **query: str) -> Any:
        return self._transport.send("GET", self._address_of(path, **query)).json()

    def _pages(self, path: str, **query: str) -> Iterator[Mapping[str, Any]]:
        page = self._read(path, **query)
        yield page
        while (cursor := page["cursor"]) is not None:
            page = self._read(path, **{**query, "cursor": cursor})
            yield page

    def _post(
        self,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
        if_match: str | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Every POST has an Idempotency-Key, the same each time that it is sent: so doing it is repeatable."""
        own = str(uuid.uuid4()) if key is None else key
        return self._transport.send("POST", path, body=body, key=own, if_match=if_match, timeout=timeout)


def _run_path(trigger_id: str) -> str:
    return f"/workflow-results/{urllib.parse.quote(trigger_id, safe='')}"


def _tagged(answer: Answer) -> dict[str, Any]:
    return {**answer.json(), "etag": answer.etag}
