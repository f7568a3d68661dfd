/**
 * What a post of a clip says on each platform, from the clip's own texts: a language model's where one wrote them, else those
 * that were made from its words. Proposals only: an editor changes them before they are published.
 */
import type { ClipDocument } from '../../contract/clip.ts'
import type { Platform } from '../../contract/post.ts'
import type { PlatformLimits, PlatformPreset } from '../../contract/platforms/platform.ts'
import { PLATFORM_PRESETS } from '../../contract/platforms/registry.ts'
import type { PostText } from '../../contract/tenant-api/social.ts'
import { textLength } from '../../contract/text-length.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { requireClip } from '../clips/get-clip.ts'
import { respelt } from '../transcripts/spellings.ts'
import type { DbServices } from '../services.ts'

/** The texts of a clip from which posts are written. */
type ClipTexts = Pick<ClipDocument, 'title' | 'bio' | 'keywords'> &
  Partial<Pick<ClipDocument, 'titles' | 'hook' | 'language'>>

/** A proposal for each platform, or for those of `platforms`, in the order of the registry. CLIP_NOT_FOUND. */
export function listPostTexts(
  services: DbServices,
  input: { companyId: string; clipId: string; platforms: readonly Platform[] },
): PostText[] {
  const { document } = requireClip(services, input)
  const wanted = new Set<string>(input.platforms)
  return PLATFORM_PRESETS.filter(({ platform }) => wanted.size === 0 || wanted.has(platform)).map((preset) =>
    writePostText(correctedTexts(document), preset),
  )
}

/** The clip's texts with the spellings that were corrected in its words; a title that somebody wrote stays as it is. */
function correctedTexts(document: ClipDocument): ClipTexts {
  const { corrections = [], title, titles, hook, bio, keywords, language } = document
  const isProposed = titles?.some(({ text }) => text === title) === true
  const spelt = (text: string): string => respelt(text, corrections)
  return {
    title: isProposed ? spelt(title) : title,
    bio: spelt(bio),
    keywords: keywords.map(spelt),
    ...omitUndefined({
      titles: titles?.map((one) => ({ ...one, text: spelt(one.text) })),
      hook: hook === undefined ? undefined : spelt(hook),
      language,
    }),
  }
}

/**
 * The title where the platform has one, the first line and the description with hashtags, and the first comment, each within the
 * platform's own limits as it counts. What is too long loses hashtags first, then the description.
 */
export function writePostText(
  clip: ClipTexts,
  { platform, limits, post }: Pick<PlatformPreset, 'limits' | 'post'> & { readonly platform: Platform },
): PostText {
  const { unit, most } = limits.text
  const title = limits.title === null ? null : shortenTo(clip.title, limits.title.most, 'characters')
  const isKnown = clip.titles?.some(({ text }) => text === clip.title) === true
  // A hook is of the titles that were proposed with it: a title that somebody wrote is not put behind it.
  const line = isKnown ? (clip.hook ?? clip.title) : clip.title
  const tags = hashtagsOf(clip).slice(0, Math.min(post.hashtags.count, limits.marks?.hashtags ?? Infinity))
  const comment = limits.firstComment
  const inComment = post.hashtags.place === 'comment' && comment !== null
  const description = post.text === 'line' ? '' : withoutLine(clip.bio, line)
  const first = title === line && description !== '' ? '' : line
  const fits = (text: string): boolean => textLength(text, unit) <= most
  const text =
    variantsOf({ first, description, tags: inComment ? [] : tags }).find(fits) ?? shortenTo(line, most, unit)
  const said = inComment ? tags.join(' ') : post.asks ? questionOf(clip, line) : ''
  const firstComment = comment === null || said === '' || textLength(said, unit) > comment.most ? null : said
  const written = `${text} ${firstComment ?? ''}`.split(/\s+/)
  return { platform, title, text, firstComment, hashtags: tags.filter((tag) => written.includes(tag)) }
}

/** From everything down to the first line alone. */
function variantsOf({
  first,
  description,
  tags,
}: {
  readonly first: string
  readonly description: string
  readonly tags: readonly string[]
}): string[] {
  const join = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')
  const fewer = tags.map((_, at) => tags.slice(0, tags.length - at).join(' '))
  return [
    ...[...fewer, ''].map((end) => join([first, description, end])),
    ...[...fewer, ''].map((end) => join([first, end])),
  ].filter((text) => text !== '')
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The description without a sentence that says what the first line says. */
function withoutLine(bio: string, line: string): string {
  const sentences = bio.split(/(?<=[.!?…]["'”’)]*)\s+/)
  return sentences.filter((sentence) => plain(sentence) !== plain(line)).join(' ')
}

/** A question of the clip that is not its first line already. */
function questionOf({ titles = [] }: ClipTexts, line: string): string {
  const question = titles.find(({ text }) => /[?？]$/.test(text) && plain(text) !== plain(line))
  return question?.text ?? ''
}

/** Longer ones are read by nobody. */
const LONGEST_TAG = 30

/** Hashtags of the clip's topic, in its own language and script, the most telling first. */
export function hashtagsOf({ titles = [], keywords, language = '' }: ClipTexts): string[] {
  const topics = titles.filter(({ from }) => from === 'topic').flatMap(({ text }) => text.split(', '))
  const seen = new Set<string>()
  return [...topics, ...keywords]
    .map((words) => hashtagOf(words, language))
    .filter((tag) => {
      const key = tag.toLowerCase()
      if (tag === '' || tag.length > LONGEST_TAG || seen.has(key)) return false
      seen.add(key)
      return true
    })
}

/** Letters, their marks and figures, words joined by capitals; empty for what is no word, such as a number. */
function hashtagOf(words: string, language: string): string {
  const parts = words
    .normalize('NFC')
    .replaceAll(/['’]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}_]+/u)
    .filter((part) => part !== '')
  const capital = (part: string): string =>
    part.charAt(0).toLocaleUpperCase(language === '' ? 'en' : language) + part.slice(1)
  const joined = parts.length === 1 ? (parts[0] ?? '').toLowerCase() : parts.map(capital).join('')
  return /\p{L}{2}/u.test(joined) ? `#${joined}` : ''
}

/** At a word, with an ellipsis, within `most` units. */
function shortenTo(text: string, most: number, unit: PlatformLimits['text']['unit']): string {
  if (textLength(text, unit) <= most) return text
  let words = text.split(' ')
  while (words.length > 1 && textLength(`${words.join(' ')}…`, unit) > most) words = words.slice(0, -1)
  let short = words.join(' ').replace(/[\s,;:.–—-]+$/, '')
  while (short !== '' && textLength(`${short}…`, unit) > most) short = [...short].slice(0, -1).join('')
  return `${short}…`
}
