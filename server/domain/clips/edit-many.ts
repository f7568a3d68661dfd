/**
 * One edit of many clips: whoever edits sends clip after clip under one id, so that it shows how far it is and can be
 * stopped; it is taken back as one, exactly, where nobody has changed a clip since.
 */
import { Value } from '@sinclair/typebox/value'
import type { ClipDocument } from '../../contract/clip.ts'
import type { ClipEditMade, ClipEditRequest, ClipEditUndone } from '../../contract/clip-edits.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import { StudioDraft, type StudioEditor } from '../../contract/studio-editor.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { getClip, type Clip } from '../../db/clips.ts'
import {
  deleteClipEditPart,
  deleteClipEditPartsBefore,
  insertClipEditPart,
  listClipEditParts,
} from '../../db/clip-edits.ts'
import { saveClipEdit } from '../../db/edit-clips.ts'
import { inTransaction } from '../../db/prepared.ts'
import { contextOf } from '../../nodes/commands/context.ts'
import { doModelCalls } from '../../nodes/commands/do-calls.ts'
import { commandOf, EDIT_COMMANDS, type CommandCall } from '../../nodes/commands/index.ts'
import { firstProblem } from '../../nodes/validate.ts'
import { brandedEdit } from '../../nodes/index.ts'
import { changesOf, editOf, type ClipEdit } from '../../nodes/editing/clip-edit.ts'
import { canonicalJson } from '../../../workers/artefacts.ts'
import { requestThumbnail } from '../rendering/render-clip.ts'
import type { Services } from '../services.ts'
import { requireBrandKit } from '../library/brand-kits.ts'
import { openEditor, saveDraft, type ClipAddress } from './editor.ts'
import { requireClip } from './get-clip.ts'

type Deps = Omit<Services, 'jobs'>

/** For so long an edit can be taken back. */
const KEPT_MS = 24 * 3_600_000

/**
 * Edits one clip as part of an edit of many. What cannot be done is said, and the clip stays as it is. CLIP_NOT_FOUND,
 * NOT_FOUND for a brand kit, INVALID_REQUEST, PRECONDITION_FAILED where somebody saves at the same moment, and as saving
 * does.
 */
export async function editOneOfMany(
  services: Deps,
  input: ClipAddress & ClipEditRequest & { readonly editor: string | undefined },
): Promise<ClipEditMade> {
  const { companyId, clipId, editId } = input
  const opened = openEditor(services, input)
  const before = editOf(opened)
  const edited = editedBy(opened, brandedBy(services, opened, input), input.calls ?? [])
  if ('why' in edited) return { state: 'refused', why: edited.why }
  const changes = changesOf(before, edited.change)
  if (changes === null) return { state: 'unchanged', why: null }
  if (!Value.Check(StudioDraft, changes)) throw new AppError('INVALID_CLIP_UPDATE')
  const was = requireClip(services, { companyId, clipId })
  await saveDraft(services, { companyId, clipId, ...changes, etag: opened.etag, editor: input.editor })
  const is = requireClip(services, { companyId, clipId })
  const now = services.now()
  inTransaction(services.db, () => {
    deleteClipEditPartsBefore(services.db, now - KEPT_MS)
    const known = listClipEditParts(services.db, companyId, editId).find((part) => part.clipId === clipId)
    // Somebody edited it in between: it is left as it is.
    if (known !== undefined && known.revision !== was.revision) return
    // Edited twice under one id: the first state is the one to go back to.
    if (known !== undefined) deleteClipEditPart(services.db, known)
    const before = { ...fieldsBefore(was.document, is.document), ...known?.before }
    // Not the one that it has now: somebody may have edited it while it was saved.
    const part = { companyId, editId, clipId, before, revision: was.revision + 1, createdAt: now }
    insertClipEditPart(services.db, part)
  })
  return { state: 'done', why: null }
}

/** The clip in the brand that is asked for; as it is where none is. */
function brandedBy(
  services: Deps,
  opened: StudioEditor,
  { companyId, brandKitId, calls }: ClipEditRequest & Pick<ClipAddress, 'companyId'>,
): ClipEdit {
  const edit = editOf(opened)
  if (brandKitId === undefined) {
    if (calls === undefined)
      throw invalidRequest('calls', 'Say what to change: "calls", "brandKitId" or both.')
    return edit
  }
  const has = (type: string): boolean =>
    opened.nodes.some((node) => node.type === type && node.enabled) || edit.nodes?.[type]?.enabled === true
  const isStyled = Object.keys(edit.subtitleConfig).length > 0
  return brandedEdit(edit, requireBrandKit(services, { companyId, kitId: brandKitId }), {
    hasCaptions: isStyled || has('add_subtitles'),
    hasBranding: has('apply_branding'),
  })
}

function editedBy(
  opened: StudioEditor,
  edit: ClipEdit,
  calls: NonNullable<ClipEditRequest['calls']>,
): { readonly change: ClipEdit } | { readonly why: string } {
  const context = contextOf(
    { editor: opened, composed: edit, preview: opened.preview },
    opened.startTimestamp,
  )
  const { edit: change, lines } = doModelCalls(edit, context, calls.map(checkCall))
  const refused = lines.find(({ kind }) => kind !== 'done')
  return refused === undefined ? { change } : { why: refused.text }
}

/** INVALID_REQUEST for what is no command of the editor, or has other arguments. */
function checkCall({ name, arguments: given }: NonNullable<ClipEditRequest['calls']>[number]): CommandCall {
  const command = commandOf(name)
  if (command === undefined || !EDIT_COMMANDS.includes(command))
    throw invalidRequest('calls', 'There is no such command.')
  const problem = firstProblem(command.params, given)
  if (problem !== null) throw invalidRequest('calls', `"${problem.path}" should be ${problem.expected}.`)
  return { name, arguments: given } as CommandCall
}

/** The fields of the document in which two versions differ, as the first has them; null: absent. */
function fieldsBefore(was: ClipDocument, is: ClipDocument): Record<string, unknown> {
  const valueOf = (document: ClipDocument, name: string): unknown =>
    (document as Readonly<Record<string, unknown>>)[name] ?? null
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return Object.fromEntries(
    names
      .filter((name) => canonicalJson(valueOf(was, name)) !== canonicalJson(valueOf(is, name)))
      .map((name) => [name, valueOf(was, name)]),
  )
}

/** The document with fields as they were; its thumbnail is the one that it has. */
function withFields(document: ClipDocument, before: Readonly<Record<string, unknown>>): ClipDocument {
  const merged: Record<string, unknown> = { ...document, ...before }
  const present = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  const { thumbnail: _old, ...media } = present['media'] as ClipDocument['media']
  const { thumbnail } = document.media
  return {
    ...(present as unknown as ClipDocument),
    media: thumbnail === undefined ? media : { ...media, thumbnail },
  }
}

/** Takes an edit of many back. Clips that were changed since stay and are named; deleted ones are passed over. */
export function undoManyEdits(
  services: Deps,
  input: { readonly companyId: string; readonly editId: string; readonly editor: string | undefined },
): ClipEditUndone {
  const { companyId, editId, editor } = input
  const { db } = services
  const restored: string[] = []
  const left: ClipEditUndone['left'] = []
  for (const part of listClipEditParts(db, companyId, editId)) {
    const { clipId, before, revision } = part
    const clip = getClip(db, companyId, clipId)
    if (clip === null) continue
    if (clip.revision === revision) {
      restore(services, clip, { document: withFields(clip.document, before), editor })
      restored.push(clipId)
    } else left.push({ clipId, title: clip.document.title })
    deleteClipEditPart(db, { companyId, editId, clipId })
  }
  return { restored, left }
}

function restore(
  services: Deps,
  clip: Clip,
  { document, editor }: { document: ClipDocument; editor: string | undefined },
): void {
  const { companyId, id: clipId } = clip
  inTransaction(services.db, () => {
    saveClipEdit(services.db, {
      companyId,
      clipId,
      document,
      clearRender: true,
      ...omitUndefined({ editor }),
      now: services.now(),
    })
    requestThumbnail(services, clip)
  })
}
