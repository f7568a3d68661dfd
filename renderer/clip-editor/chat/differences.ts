/** What an edit changes, for people: words that are cut or come back, settings from and to. PURE. */
import type { StudioWord } from '../../../server/contract/studio-editor.ts'
import { isKept, playedLength, type ClipCut } from '../../../server/nodes/editing/cut.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'

export type Difference =
  /** Runs of words, in order; `before` and `after`: what is heard around them. */
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
    ...setting('Title', before.title, after.title),
    ...configs('Captions', before.subtitleConfig, after.subtitleConfig),
    ...configs('Title card', before.titleConfig, after.titleConfig),
    ...configs('Watermark', before.watermarkConfig, after.watermarkConfig),
    ...configs('Music', before.backgroundMusicOption, after.backgroundMusicOption),
    ...configs('End card', before.endCardOption, after.endCardOption),
    ...counts('Zooms', before.zooms, after.zooms),
    ...counts('Layouts by hand', before.layouts, after.layouts),
    ...counts('Overlays', before.overlays, after.overlays),
    ...counts('B-roll', before.broll, after.broll),
    ...setting('Speakers', before.speakers?.join(', ') ?? null, after.speakers?.join(', ') ?? null),
    ...nodes(before.nodes ?? {}, after.nodes ?? {}),
  ]
}

function wordRuns(before: ClipCut, after: ClipCut, words: readonly StudioWord[]): Difference[] {
  if (before === after) return []
  const heard = (cut: ClipCut) => words.map(({ start, end }) => isKept(cut, (start + end) / 2))
  const was = heard(before)
  const is = heard(after)
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
    : [...shown, { kind: 'setting', what: 'Further places', from: '', to: `${more} more` }]
}

function lengths(before: ClipCut, after: ClipCut): Difference[] {
  const [was, is] = [playedLength(before), playedLength(after)].map((seconds) => `${seconds.toFixed(1)} s`)
  return before === after ? [] : setting('Length', was ?? '', is ?? '')
}

const setting = (what: string, from: unknown, to: unknown): Difference[] =>
  from === to ? [] : [{ kind: 'setting', what, from: shown(from), to: shown(to) }]

type List = readonly unknown[] | null | undefined

function counts(what: string, before: List, after: List): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const named = (list: List): string =>
    list === null || list === undefined ? 'automatic' : String(list.length)
  const from = named(before)
  const to = named(after)
  return [{ kind: 'setting', what, from, to: from === to ? `${to} (changed)` : to }]
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
      node === undefined ? 'as the workflow says' : node.enabled ? settingsOf(node.config) : 'off'
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
      .filter((one) => one !== 'on')
      .slice(0, 4)
      .join(', ') || 'on'
  )
}

const LABELS: Readonly<Record<string, string>> = {
  fontColor: 'letters',
  fontSize: 'size',
  styleId: 'preset',
  amplifiedColor: 'spoken word',
  amplifySpokenWords: 'emphasis of the spoken word',
  subtitleX: 'place across',
  subtitleY: 'height (%)',
  captionPosition: 'place',
  textCase: 'case',
  enabled: 'shown',
  titlePresetId: 'preset',
  titlePaletteId: 'palette',
  highlightKeywords: 'coloured keywords',
  highlightColor: 'keywords',
  backgroundFillStyle: 'background',
  backgroundColor: 'background colour',
  outlineColor: 'outline',
  speakerStyles: 'styles of speakers',
  url: 'file',
}

/** A field's name as people read it. */
const labelOf = (name: string): string =>
  LABELS[name] ??
  name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/gu, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'as the preset says'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number' || typeof value === 'string') return String(value).slice(0, 80)
  return 'set'
}
