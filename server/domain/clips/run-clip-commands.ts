/** Commands of the table over a stored clip, saved as one edit: what the studio's chat and palette do in the browser. */
import { Value } from '@sinclair/typebox/value'
import { AppError } from '../../contract/errors.ts'
import { StudioDraft } from '../../contract/studio-editor.ts'
import { contextOf } from '../../nodes/commands/context.ts'
import { doModelCalls, type Line } from '../../nodes/commands/do-calls.ts'
import type { CommandCall } from '../../nodes/commands/index.ts'
import { changesOf, editOf } from '../../nodes/editing/clip-edit.ts'
import { requireMatch } from '../revisions.ts'
import type { Services } from '../services.ts'
import { openEditor, saveDraft, type ClipAddress } from './editor.ts'

/**
 * Does the calls in order, each on what the ones before have made, and saves what comes of them; a line for each says
 * whether it was done or why not. Throws CLIP_NOT_FOUND, PRECONDITION_FAILED, and as saving an edit does.
 */
export async function runClipCommands(
  services: Omit<Services, 'jobs'>,
  address: ClipAddress,
  { calls, ifMatch }: { readonly calls: readonly CommandCall[]; readonly ifMatch: string },
): Promise<{ readonly data: { readonly lines: Line[] }; readonly etag: string }> {
  const editor = openEditor(services, address)
  requireMatch(ifMatch, editor.etag)
  const before = editOf(editor)
  const context = contextOf({ editor, composed: before, preview: editor.preview }, editor.startTimestamp)
  const { edit, lines } = doModelCalls(before, context, calls)
  const data = { lines: [...lines] }
  const changes = changesOf(before, edit)
  if (changes === null) return { data, etag: editor.etag }
  if (!Value.Check(StudioDraft, changes)) throw new AppError('INVALID_CLIP_UPDATE')
  const { etag } = await saveDraft(services, { ...address, ...changes, etag: editor.etag })
  return { data, etag }
}
