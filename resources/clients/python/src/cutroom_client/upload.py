"""Sending a file in pieces, by the tus protocol: after a lost connection it goes on where the appliance says."""
from __future__ import annotations

import base64
import os
import threading
import time
import urllib.parse
import uuid
from collections.abc import Callable
from typing import cast

from .schema import Upload
from .transport import CutroomError, NoAnswer, Transport

VERSION = {"Tus-Resumable": "1.0.0"}
PIECE_BYTES = 8 * 2**20
FIRST_PAUSE_SECONDS = 0.25


class UploadCancelled(Exception):
    """The upload was stopped. What has come stays for a day."""


def _may_go_on(error: CutroomError | NoAnswer) -> bool:
    """Whether the bytes may be sent again from where the upload ends: no answer came, or something on the way failed."""
    return isinstance(error, NoAnswer) or error.status >= 500 or error.code == "UPLOAD_OFFSET_CONFLICT"


def _create(transport: Transport, query: str, name: str, total: int, key: str | None) -> Upload:
    headers = {**VERSION, "Upload-Length": str(total)}
    if name:
        headers["Upload-Metadata"] = f"filename {base64.b64encode(name.encode()).decode()}"
    own = str(uuid.uuid4()) if key is None else key
    return cast(Upload, transport.send("POST", f"/uploads?{query}", headers=headers, key=own).json())


def send_upload(
    transport: Transport,
    company_id: str,
    path: str | os.PathLike[str],
    *,
    name: str | None,
    piece_bytes: int,
    key: str | None,
    cancel: threading.Event | None,
    on_progress: Callable[[int, int], None] | None,
) -> str:
    """Uploads a file and answers the address that `trigger` takes."""
    query = urllib.parse.urlencode({"companyId": company_id})
    with open(path, "rb") as file:
        total = os.fstat(file.fileno()).st_size
        upload = _create(transport, query, os.path.basename(path) if name is None else name, total, key)
        address = f"/uploads/{urllib.parse.quote(upload['id'], safe='')}?{query}"
        offset = 0 if key is None else _read_offset(transport, address)
        failures = 0
        while offset < total:
            if cancel is not None and cancel.is_set():
                raise UploadCancelled("The upload was stopped.")
            before = offset
            file.seek(offset)
            piece = file.read(piece_bytes)
            if not piece:
                raise EOFError(f"{path} has become shorter than {total} bytes.")
            try:
                _send_piece(transport, address, offset, piece)
                offset += len(piece)
            except (CutroomError, NoAnswer) as error:
                if failures >= transport.retries or not _may_go_on(error):
                    raise
                time.sleep(FIRST_PAUSE_SECONDS * 2**failures)
                offset = _read_offset(transport, address)
            failures = 0 if offset > before else failures + 1
            if offset > before and on_progress is not None:
                on_progress(offset, total)
    return upload["url"]


def _send_piece(transport: Transport, address: str, offset: int, piece: bytes) -> None:
    headers = {**VERSION, "Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
    transport.send("PATCH", address, data=piece, headers=headers, repeatable=False)


def _read_offset(transport: Transport, address: str) -> int:
    return cast(Upload, transport.send("GET", address).json())["offset"]
