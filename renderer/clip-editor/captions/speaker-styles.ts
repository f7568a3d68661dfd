/**
 * The styles of speakers as people think of them - one for everyone, and what each speaker has of their own - and as a
 * SubtitleConfig holds them: there entry 0 of `speakerStyles` is above the config's own fields for everyone, and at once
 * the style of the first speaker. PURE.
 */
import type { SpeakerStyle } from '../../../server/contract/text-configs.ts'

export type Style = Readonly<Record<string, unknown>>

export interface SpeakerLooks {
  readonly everyone: Style
  /** What a speaker has that differs from everyone's, by 0-based speaker. */
  readonly own: ReadonlyMap<number, Style>
}

/** Whom an edit is for: a 0-based speaker, or everyone. */
export type Who = number | 'everyone'

/** The effective value of each field, from the style and its preset; undefined where neither sets it. */
export type Effective = (style: SpeakerStyle) => Readonly<Record<string, unknown>>

/** Values that mean “not set” where a field must be written explicitly. */
const UNSET: Readonly<Record<string, unknown>> = { fontUrl: '', captionPosition: '', avoidFaces: false }

/** Fields that setting another field also changes, so that they have to be written along. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  backgroundColor: ['backgroundFillStyle', 'backgroundOpacity'],
  backgroundOpacity: ['backgroundFillStyle'],
  outlineColor: ['outlineWidth'],
  shadowColor: ['shadowEnabled'],
  shadowBlur: ['shadowEnabled'],
}

const FIRST = 0

/** Fields that other speakers must set explicitly where the first speaker has these. */
const pinned = (first: Style): string[] => [
  ...new Set(Object.keys(first).flatMap((name) => [name, ...(WITH[name] ?? [])])),
]

/**
 * Reads a config. `speakers` are those who speak in the clip: a field of entry 0 that all others of them set for themselves is
 * the first speaker's own, any other is everyone's.
 */
export function readLooks(config: Style, speakers: readonly number[], effective: Effective): SpeakerLooks {
  const { speakerStyles, ...base } = config
  const entries = entriesOf(speakerStyles)
  const first = entries.get(FIRST) ?? {}
  const others = othersOf(speakers)
  const isFirstsOwn = (name: string): boolean =>
    others.length > 0 &&
    speakers.includes(FIRST) &&
    others.every((speaker) => Object.hasOwn(entries.get(speaker) ?? {}, name))
  const everyone = { ...base, ...pick(first, (name) => !isFirstsOwn(name)) }
  const own = new Map<number, Style>([[FIRST, pick(first, isFirstsOwn)]])
  for (const [speaker, entry] of entries) {
    if (speaker !== FIRST) own.set(speaker, withoutPins(entry, own.get(FIRST) ?? {}, everyone, effective))
  }
  return { everyone, own: new Map([...own].filter(([, style]) => Object.keys(style).length > 0)) }
}

/** The entry without fields that only shield it from the first speaker's style and equal everyone's. */
function withoutPins(entry: Style, first: Style, everyone: Style, effective: Effective): Style {
  const maybe = pinned(first).filter((name) => Object.hasOwn(entry, name))
  const surely = pick(entry, (name) => !maybe.includes(name))
  const styleId = maybe.includes('styleId') && entry['styleId'] !== effective(everyone)['styleId']
  const own = styleId ? { ...surely, styleId: entry['styleId'] } : surely
  const inherited = effective({ ...everyone, ...own })
  return {
    ...own,
    ...pick(entry, (name) => {
      if (name === 'styleId' || !maybe.includes(name)) return false
      return !same(entry[name], inherited[name] ?? UNSET[name])
    }),
  }
}

/** Writes looks as a config. Where the first speaker has something of their own, the others say what they have instead. */
export function writeLooks(
  { everyone, own }: SpeakerLooks,
  speakers: readonly number[],
  effective: Effective,
): Style {
  const first = own.get(FIRST) ?? {}
  const entries = new Map<number, Style>()
  if (Object.keys(first).length > 0) entries.set(FIRST, first)
  for (const speaker of new Set([...othersOf(speakers), ...own.keys()])) {
    if (speaker === FIRST) continue
    const style = own.get(speaker) ?? {}
    const inherited = effective({ ...everyone, ...style })
    const pins = pinned(first)
      .filter((name) => !Object.hasOwn(style, name))
      .map((name): [string, unknown] => [name, inherited[name] ?? UNSET[name]])
      .filter(([, value]) => value !== undefined)
    const entry: Style = { ...Object.fromEntries(pins), ...style }
    if (Object.keys(entry).length > 0) entries.set(speaker, entry)
  }
  if (entries.size === 0) return everyone
  return {
    ...everyone,
    speakerStyles: Object.fromEntries([...entries].map(([speaker, style]) => [String(speaker), style])),
  }
}

/** What is set for one, or for everyone. */
export const setFor = ({ everyone, own }: SpeakerLooks, who: Who): Style =>
  who === 'everyone' ? everyone : (own.get(who) ?? {})

/** What one speaks in: everyone's style with their own. */
export const styleFor = (looks: SpeakerLooks, who: Who): Style =>
  who === 'everyone' ? looks.everyone : { ...looks.everyone, ...setFor(looks, who) }

/** The looks with what is set for one replaced. */
export function withSet(looks: SpeakerLooks, who: Who, style: Style): SpeakerLooks {
  if (who === 'everyone') return { ...looks, everyone: style }
  const own = new Map(looks.own)
  if (Object.keys(style).length === 0) own.delete(who)
  else own.set(who, style)
  return { ...looks, own }
}

/** The looks without these fields in any speaker's own style: everyone's are then everyone's. */
export function withoutOwn(looks: SpeakerLooks, names: readonly string[]): SpeakerLooks {
  return [...looks.own].reduce(
    (all, [speaker, style]) =>
      withSet(
        all,
        speaker,
        pick(style, (name) => !names.includes(name)),
      ),
    looks,
  )
}

/** The speakers of these words, in order. */
export function speakersOf(words: readonly { readonly speaker?: number }[]): number[] {
  return [...new Set(words.map(({ speaker }) => speaker ?? FIRST))].toSorted((a, b) => a - b)
}

/** `speakerStyles` in either form, by speaker. */
function entriesOf(styles: unknown): Map<number, Style> {
  if (typeof styles !== 'object' || styles === null) return new Map()
  return new Map(
    Object.entries(styles).flatMap(([speaker, style]): [number, Style][] =>
      typeof style === 'object' && style !== null ? [[Number(speaker), style as Style]] : [],
    ),
  )
}

const othersOf = (speakers: readonly number[]): number[] => speakers.filter((speaker) => speaker !== FIRST)

const pick = (style: Style, wanted: (name: string) => boolean): Style =>
  Object.fromEntries(Object.entries(style).filter(([name]) => wanted(name)))

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
