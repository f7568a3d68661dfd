/** Loads a downloaded font once, so that a damaged one is rejected now and not in the middle of a render. */
import { GlobalFonts } from '@napi-rs/canvas'
import { fileAlias } from '../../compositor/fonts.ts'
import { stageError } from '../context.ts'
import { fontHead } from './pure/font-head.ts'

/** Throws SOURCE_NOT_VIDEO with a sentence for users. */
export function inspectFont(path: string, digest: string, head: Uint8Array): { mediaType: string } {
  const judged = fontHead(head)
  if (judged.kind === 'refused') throw stageError('SOURCE_NOT_VIDEO', judged.why)
  if (GlobalFonts.registerFromPath(path, fileAlias(digest)) === null) {
    throw stageError('SOURCE_NOT_VIDEO', 'The font is damaged and cannot be read.')
  }
  return { mediaType: judged.mediaType }
}
