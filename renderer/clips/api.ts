/** Requests for many clips: edits that are taken back as one. */
import type { ClipEditMade, ClipEditRequest, ClipEditUndone } from '../../server/contract/clip-edits.ts'
import { call, clipPath, json } from '../state/api.ts'

export const editClip = (clipId: string, request: ClipEditRequest) =>
  call<ClipEditMade>(`${clipPath(clipId)}/edits`, json('POST', request))

export const undoEdit = (editId: string) =>
  call<ClipEditUndone>(`/studio/clip-edits/${encodeURIComponent(editId)}/undo`, json('POST', {}))
