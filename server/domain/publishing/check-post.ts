/** PURE: checks a post against a platform's limits before anything is sent. */
import { invalidField } from '../../contract/errors.ts'
import { textLength } from '../../contract/text-length.ts'
import type { PlatformLimits, Visibility } from '../../contract/platforms/platform.ts'

export interface CheckedPost {
  readonly text: string
  readonly title: string | null
  readonly visibility: Visibility
  readonly firstComment: string | null
  readonly coverSeconds: number | null
  /** Null: a package. */
  readonly accountId: string | null
}

/** The part of an adapter that the check needs. */
interface Known {
  readonly label: string
  readonly limits: PlatformLimits
}

const UNITS = { characters: 'characters', graphemes: 'characters', bytes: 'bytes', weighted: 'characters' }

const HASHTAG = /(?<![\p{L}\p{N}_&])#[\p{L}\p{M}\p{N}_]+/gu
const NAME = /(?<![\p{L}\p{N}_.])@[\p{L}\p{N}_.]+/gu

function checkMarks(label: string, text: string, marks: PlatformLimits['marks']): void {
  if (marks === undefined) return
  const [hashtags, names] = [HASHTAG, NAME].map((mark) => text.match(mark)?.length ?? 0) as [number, number]
  if (hashtags > marks.hashtags)
    throw invalidField('text', `${label} takes ${marks.hashtags} hashtags; this has ${hashtags}.`)
  if (names > marks.names)
    throw invalidField('text', `${label} takes ${marks.names} names with an @; this has ${names}.`)
}

/** Throws VALIDATION_FAILED for the first thing that the platform does not take. A draft may still lack things. */
export function checkContent({ label, limits }: Known, post: CheckedPost): void {
  const { text, title, visibility, firstComment, coverSeconds, accountId } = post
  const { most, unit } = limits.text
  const length = textLength(text, unit)
  if (length > most)
    throw invalidField('text', `${label} takes ${most} ${UNITS[unit]} of text; this has ${length}.`)
  checkMarks(label, text, limits.marks)
  if (title !== null && limits.title === null)
    throw invalidField('title', `Posts on ${label} have no title; leave it out.`)
  if (title !== null && limits.title !== null && title.length > limits.title.most)
    throw invalidField('title', `${label} takes a title of ${limits.title.most} characters.`)
  if (!limits.visibilities.includes(visibility))
    throw invalidField('visibility', `${label} takes visibility ${limits.visibilities.join(', ')}.`)
  if (coverSeconds !== null && accountId !== null && limits.cover === null)
    throw invalidField('coverSeconds', `${label} chooses the cover by itself; leave it out.`)
  if (firstComment !== null && limits.firstComment === null)
    throw invalidField('firstComment', `Cutroom cannot comment on ${label}; leave the first comment out.`)
  if (
    firstComment !== null &&
    limits.firstComment !== null &&
    textLength(firstComment, unit) > limits.firstComment.most
  )
    throw invalidField(
      'firstComment',
      `${label} takes ${limits.firstComment.most} ${UNITS[unit]} in a comment.`,
    )
}

/** Throws VALIDATION_FAILED when something that the platform needs is missing. `seconds`: the clip's length, null without one. */
export function checkComplete(known: Known, post: CheckedPost, clip: { seconds: number } | null): void {
  checkContent(known, post)
  const { label, limits } = known
  if (clip === null && limits.videoRequired)
    throw invalidField('clipId', `${label} takes posts with a video only.`)
  if (clip === null && post.text.trim() === '')
    throw invalidField('text', 'The post has neither a text nor a clip.')
  if (limits.title?.required === true && (post.title ?? '').trim() === '')
    throw invalidField('title', `${label} needs a title.`)
  if (clip === null) return
  if (post.coverSeconds !== null && post.coverSeconds > clip.seconds)
    throw invalidField(
      'coverSeconds',
      `The clip has ${clip.seconds.toFixed(1)} seconds; choose the cover again.`,
    )
  const { least, most } = limits.video.seconds
  if (clip.seconds < least || clip.seconds > most)
    throw invalidField(
      'clipId',
      `${label} takes videos of ${least} to ${most} seconds; this clip has ${clip.seconds.toFixed(1)}.`,
    )
}
