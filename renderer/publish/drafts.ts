/** The drafts of the post form: one for each target, each with its own words and, where wanted, its own time. PURE. */
import type { NewSocialPost, PostText, SocialPost } from '../../server/contract/tenant-api/social.ts'
import type { PlatformFacts } from '../../server/contract/studio.ts'
import { textLength } from '../../server/contract/text-length.ts'
import { fieldMoment } from './days.ts'

/** When a post goes out: once it is approved, or at a moment as a date field has it. */
export interface When {
  later: boolean
  at: string
}

export interface Draft {
  title: string
  text: string
  firstComment: string
  /** Empty: the platform's first. */
  visibility: string
  /** Null: when all of them go out. */
  own: When | null
  /** The moment of the clip that is its cover, seconds; null: the usual one. */
  cover: number | null
  /** The words that it began with, to see whether something was typed. */
  began: string
}

/** Where a post goes: `bluesky|ACCOUNT_ID`, or `bluesky|` for an export package. */
export const targetOf = (platform: string, account: string | null): string => `${platform}|${account ?? ''}`
export const platformOf = (target: string): string => target.split('|')[0] ?? ''
export const accountOf = (target: string): string | null => {
  const [, account = ''] = target.split('|')
  return account === '' ? null : account
}

type Words = Pick<Draft, 'title' | 'text' | 'firstComment'>
const wordsOf = ({ title, text, firstComment }: Words): string => JSON.stringify([title, text, firstComment])

/** Whether something was typed since the words were put there. */
export const isTyped = (draft: Draft): boolean => wordsOf(draft) !== draft.began

/** A draft that begins with these words. */
export function draftWith(
  words: Pick<SocialPost, 'title' | 'text' | 'firstComment'>,
  visibility = '',
): Draft {
  const given = { title: words.title ?? '', text: words.text, firstComment: words.firstComment ?? '' }
  return { ...given, visibility, own: null, cover: null, began: wordsOf(given) }
}

/** What can be changed of a post that is stored. */
export const draftOf = (post: SocialPost): Draft => ({
  ...draftWith(post, post.visibility),
  cover: post.coverSeconds,
})

/** The draft with other words, which it begins with anew. */
export const takeWords = (draft: Draft, words: PostText): Draft => ({
  ...draftWith(words, draft.visibility),
  own: draft.own,
  cover: draft.cover,
})

export const emptyDraft = (): Draft => draftWith({ title: null, text: '', firstComment: null })

/** Whether the words differ from what is proposed for the platform. */
export const differsFrom = (draft: Draft, proposal: PostText | undefined): boolean =>
  proposal !== undefined && wordsOf(draft) !== draftWith(proposal).began

/** Whether a field is longer than the platform takes. */
export function isTooLong({ text, title, firstComment }: Draft, platform: PlatformFacts): boolean {
  const { unit, most } = platform.text
  return (
    textLength(text, unit) > most ||
    (platform.title !== null && title.length > platform.title.most) ||
    (platform.firstComment !== null && textLength(firstComment, unit) > platform.firstComment.most)
  )
}

export const visibilityOf = (draft: Draft, { visibilities }: PlatformFacts): string =>
  visibilities.includes(draft.visibility) ? draft.visibility : (visibilities[0] ?? 'public')

/** The moment that is meant; null: once it is approved. Undefined: a moment is meant, but none is written. */
export function momentOf({ later, at }: When): Date | null | undefined {
  return later ? (fieldMoment(at) ?? undefined) : null
}

/** Whether the post may name its cover. */
export const takesCover = (target: string, platform: PlatformFacts): boolean =>
  accountOf(target) === null || platform.cover

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** What is sent for one target. */
export const postOf = (
  draft: Draft,
  {
    target,
    platform,
    clipId,
    moment,
  }: { target: string; platform: PlatformFacts; clipId: string | null; moment: Date | null },
): NewSocialPost => ({
  platform: platform.platform,
  accountId: accountOf(target),
  clipId,
  text: draft.text,
  title: platform.title === null ? null : orNull(draft.title),
  visibility: visibilityOf(draft, platform) as NonNullable<NewSocialPost['visibility']>,
  firstComment: platform.firstComment === null ? null : orNull(draft.firstComment),
  coverSeconds: clipId !== null && takesCover(target, platform) ? draft.cover : null,
  scheduledAt: moment?.toISOString() ?? null,
})
