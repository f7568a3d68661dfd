"""A client of Cutroom's public API."""
from .client import Cutroom, CutroomError, NoAnswer
from .schema import (
    Clip,
    ClipUpdate,
    ClipUpdateAnswer,
    Event,
    ListedPost,
    PostAnalyticsAnswer,
    RenderAnswer,
    Run,
    Transcript,
    TranscriptOperation,
    TranscriptPatchAnswer,
    TriggerRequest,
    Workflow,
    WorkflowSummary,
)
from .webhook import WebhookRefused, read_webhook

__all__ = [
    "Clip",
    "ClipUpdate",
    "ClipUpdateAnswer",
    "Cutroom",
    "CutroomError",
    "Event",
    "ListedPost",
    "NoAnswer",
    "PostAnalyticsAnswer",
    "RenderAnswer",
    "Run",
    "Transcript",
    "TranscriptOperation",
    "TranscriptPatchAnswer",
    "TriggerRequest",
    "WebhookRefused",
    "Workflow",
    "WorkflowSummary",
    "read_webhook",
]
