/** What an edit changes, for people: words that are cut or come back, settings from and to. PURE. */
import type { StudioWord } from '../../../server/contract/studio-editor.ts'
import { isKept, playedLength, type ClipCut } from '../../../server/contract/time-map/cut.ts'
import { differences as messages } from '../../messages/editor.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'

export type Difference =
  /** Runs of words, in order; `before` and `after`: the words around them. */
  | {
      readonly kind: 'words'
      readonly change: 'cut' | 'back'
      readonly before: string
      readonly text: string
      readonly after: string
    }
  | { readonly kind: 'setting'; readonly what: string; readonly from: string; readonly to: string }

const MAX_RUNS = 6
const MAX_WORDS = 14
const AROUND = 3

/** All of it, at most about twenty entries. */
export function describeDifferences(
  before: ClipEdit,
  after: ClipEdit,
  words: readonly StudioWord[],
): Difference[] {
  return [
    ...wordRuns(before.cut, after.cut, words),
    ...lengths(before.cut, after.cut),
    ...setting(messages.title, before.title, after.title),
    ...configs(messages.captions, before.subtitleConfig, after.subtitleConfig),
    ...configs(messages.titleCard, before.titleConfig, after.titleConfig),
    ...configs(messages.watermark, before.watermarkConfig, after.watermarkConfig),
    ...configs(messages.music, before.backgroundMusicOption, after.backgroundMusicOption),
    ...configs(messages.endCard, before.endCardOption, after.endCardOption),
    ...configs(messages.sound, before.soundConfig, after.soundConfig),
    ...counts(messages.zooms, before.zooms, after.zooms),
    ...counts(messages.layouts, before.layouts, after.layouts),
    ...counts(messages.overlays, before.overlays, after.overlays),
    ...counts(messages.broll, before.broll, after.broll),
    ...setting(messages.speakers, before.speakers?.join(', ') ?? null, after.speakers?.join(', ') ?? null),
    ...nodes(before.nodes ?? {}, after.nodes ?? {}),
  ]
}

function wordRuns(before: ClipCut, after: ClipCut, words: readonly StudioWord[]): Difference[] {
  if (before === after) return []
  const audible = (cut: ClipCut) => words.map(({ start, end }) => isKept(cut, (start + end) / 2))
  const was = audible(before)
  const is = audible(after)
  const runs: { change: 'cut' | 'back'; first: number; last: number }[] = []
  words.forEach((_, at) => {
    if (was[at] === is[at]) return
    const change = is[at] === true ? 'back' : 'cut'
    const last = runs.at(-1)
    if (last?.change === change && last.last === at - 1) last.last = at
    else runs.push({ change, first: at, last: at })
  })
  const text = (from: number, to: number): string =>
    words
      .slice(Math.max(0, from), Math.max(0, to))
      .map(({ word }) => word)
      .join(' ')
  const shown = runs.slice(0, MAX_RUNS).map(({ change, first, last }): Difference => {
    const long = last - first + 1 > MAX_WORDS
    return {
      kind: 'words',
      change,
      before: text(first - AROUND, first),
      after: text(last + 1, last + 1 + AROUND),
      text: long ? `${text(first, first + 7)} … ${text(last - 5, last + 1)}` : text(first, last + 1),
    }
  })
  const more = runs.length - shown.length
  return more <= 0
    ? shown
    : [...shown, { kind: 'setting', what: messages.furtherPlaces, from: '', to: messages.more(more) }]
}

function lengths(before: ClipCut, after: ClipCut): Difference[] {
  const format = (cut: ClipCut): string => messages.seconds(playedLength(cut).toFixed(1))
  return before === after ? [] : setting(messages.length, format(before), format(after))
}

const setting = (what: string, from: unknown, to: unknown): Difference[] =>
  from === to ? [] : [{ kind: 'setting', what, from: shown(from), to: shown(to) }]

type List = readonly unknown[] | null | undefined

function counts(what: string, before: List, after: List): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const named = (list: List): string =>
    list === null || list === undefined ? messages.automatic : String(list.length)
  const from = named(before)
  const to = named(after)
  return [{ kind: 'setting', what, from, to: from === to ? messages.changed(to) : to }]
}

type Config = Readonly<Record<string, unknown>>

function configs(what: string, before: Config, after: Config): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) =>
    JSON.stringify(before[name]) === JSON.stringify(after[name])
      ? []
      : setting(`${what}: ${labelOf(name)}`, before[name] ?? null, after[name] ?? null),
  )
}

function nodes(before: NonNullable<ClipEdit['nodes']>, after: NonNullable<ClipEdit['nodes']>): Difference[] {
  const types = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return types.flatMap((type) => {
    const was = before[type]
    const is = after[type]
    if (JSON.stringify(was) === JSON.stringify(is)) return []
    const named = (node: typeof was): string =>
      node === undefined ? messages.byWorkflow : node.enabled ? settingsOf(node.config) : messages.off
    return setting(labelOf(type), named(was), named(is))
  })
}

/** The plain settings of a node, its inner ones too. */
function settingsOf(config: Config): string {
  const plain = Object.entries(config).flatMap(([name, value]): string[] => {
    if (name === 'enabled') return []
    if (typeof value === 'object' && value !== null) return [settingsOf(value as Config)]
    return [`${labelOf(name)} ${shown(value)}`]
  })
  return (
    plain
      .filter((one) => one !== messages.on)
      .slice(0, 4)
      .join(', ') || messages.on
  )
}

/** A field's name as people read it. */
const labelOf = (name: string): string =>
  messages.fields[name] ??
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/gu, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return messages.byPreset
  if (typeof value === 'boolean') return value ? messages.on : messages.off
  if (typeof value === 'number' || typeof value === 'string') return String(value).slice(0, 80)
  return messages.set
}
