/**
 * What a person approves of a clip in a post, apart from the post's own revision: everything of it that can be seen,
 * heard or read there.
 */
import type { ClipDocument } from '../../contract/clip.ts'
import type { EditableClip } from '../../contract/update-clip.ts'
import { getClipTranscript, type Clip } from '../../db/clips.ts'
import type { SocialPostRow } from '../../db/social-posts.ts'
import { applyOverrides } from '../../nodes/index.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import { editClip } from '../clips/clip-edits.ts'
import type { DbServices } from '../services.ts'

/** As stored with confirmations and in the outbox; nulls where the post has no clip. */
export interface Approved {
  readonly clipRevision: number | null
  readonly transcriptRevision: number | null
  /** Digest of what is published of the clip; absent in what an earlier version of the program has approved. */
  readonly published?: string | null
}

/** What a digest is made of. Another one is not compared with: then the revisions decide, as before there was any. */
const FORM = '1:'

/**
 * Labels, fields that only name the origin of the clip and its files, and what follows from other fields (`played`, which documents of
 * earlier versions get with their next edit). Every other field counts: an unneeded
 * approval is better than publishing what was not approved.
 */
const UNSEEN: ReadonlySet<string> = new Set<keyof ClipDocument>([
  'title',
  'bio',
  'keywords',
  'people',
  'tags',
  'metadata',
  'speakers',
  'overrides',
  'timestampBoundary',
  'extended',
  'viralityScore',
  'relevance',
  'scoreReasons',
  'whyPicked',
  'boundaries',
  'media',
  'earlierRenders',
  'editedBy',
  'originalUrl',
  'played',
  'sourceInputId',
  'taskId',
  'clipHash',
])

/** Whether another title, or other keywords, would change the render. */
function isSeen(document: ClipDocument, updates: Pick<EditableClip, 'title' | 'keywords'>): boolean {
  const edited = { document: applyOverrides(document), updates, merge: true, sourceDuration: null }
  return editClip({ ...edited, segmentsIn: 'played' }).changesRender
}

function publishedOf(services: DbServices, clip: Clip, isPackage: boolean): string {
  const { document } = clip
  // A package has the clip's title and thumbnail as well; accounts are sent neither.
  const seesTitle = isPackage || isSeen(document, { title: `${document.title}+` })
  const seesKeywords = isSeen(document, { keywords: [...document.keywords, '+'] })
  const { speakers: _names, thumbnail: design, ...overrides } = document.overrides ?? {}
  const transcript = getClipTranscript(services.db, clip.id)
  const seen = Object.entries(document).filter(([name]) => !UNSEEN.has(name))
  return (
    FORM +
    digestOf({
      document: Object.fromEntries(seen),
      // The name that overrides had when this form of the digest was made: another would void approvals already given.
      hand: overrides,
      ...(seesTitle ? { title: document.title } : {}),
      ...(seesKeywords ? { keywords: document.keywords } : {}),
      ...(isPackage && design !== undefined ? { design } : {}),
      words: transcript === null ? null : { language: transcript.language, words: transcript.words },
    })
  )
}

/** The clip of a post and its words as they are now. */
export function clipVersions(
  services: DbServices,
  clip: Clip | null,
  post: Pick<SocialPostRow, 'accountId'>,
): Approved {
  if (clip === null) return { clipRevision: null, transcriptRevision: null, published: null }
  return {
    clipRevision: clip.revision,
    transcriptRevision: getClipTranscript(services.db, clip.id)?.revision ?? null,
    published: publishedOf(services, clip, post.accountId === null),
  }
}

/** Whether what was approved, by whatever version of the program, is what would be published now. */
export function sameVersions(approved: unknown, now: Approved): boolean {
  const { clipRevision, transcriptRevision, published } = (approved ?? {}) as Partial<Approved>
  const comparable = published === null || (typeof published === 'string' && published.startsWith(FORM))
  if (comparable) return published === now.published
  return clipRevision === now.clipRevision && transcriptRevision === now.transcriptRevision
}
