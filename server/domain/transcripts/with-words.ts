/** A clip as it is with other words. */
import type { ClipDocument } from '../../contract/clip.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { Clip } from '../../db/clips.ts'
import { withPlayedTimes } from '../../nodes/index.ts'
import { factsOfClip } from '../clips/get-clip.ts'
import { knownAssets } from '../rendering/render-clip.ts'
import type { Services } from '../services.ts'
import { withTranscriptFiles } from './transcript-files.ts'

/** Other words, other fillers: what the nodes cut out may change, and so its length; its files of words hold the new ones. */
export function withWords(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  clip: Clip,
  transcript: { readonly language: string; readonly words: readonly TranscriptWord[] },
): ClipDocument {
  const { companyId, id: clipId, document } = clip
  const { words } = transcript
  const facts = factsOfClip(services, clip)
  const assets = knownAssets(services, clip)
  const played = facts === null ? document : withPlayedTimes({ document, words, facts, assets })
  return withTranscriptFiles(services, { companyId, clipId, document: played }, transcript)
}
