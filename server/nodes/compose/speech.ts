/**
 * What the nodes make of the speech before there is a timeline: they name words to cut, to mute or to write otherwise, and
 * the cuts of all of them are placed together.
 */
import type { ClipDocument } from '../../contract/clip.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { Rational } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { JsonObject, NodeDefinition, SpeechContext, SpeechEdits } from '../declare.ts'
import type { MutedWord } from '../speech/audio-masks.ts'
import { frameGrid } from '../speech/frame-grid.ts'
import { planCuts } from '../speech/plan-cuts.ts'
import { shownWords } from '../speech/shown-words.ts'
import { detectTextLanguage } from '../speech/detect-text-language.ts'
import type { PlayedRange } from './time-map.ts'

export interface Step {
  readonly definition: NodeDefinition
  readonly config: JsonObject
}

export interface SpeechInput {
  readonly steps: readonly Step[]
  readonly document: ClipDocument
  /** Deleted words included, in any order. */
  readonly words: readonly TranscriptWord[]
  readonly facts: Pick<SourceFacts, 'audio'>
  readonly kept: readonly PlayedRange[]
  readonly frameRate: Rational
}

export interface Speech {
  /** What is played, in order. */
  readonly kept: readonly PlayedRange[]
  /** Every word, in order of time. */
  readonly spoken: readonly TranscriptWord[]
  /** The words of captions: neither deleted nor cut, written as they are to be shown. */
  readonly shown: readonly TranscriptWord[]
  /** Words of `spoken` to mute. */
  readonly muted: readonly MutedWord[]
  readonly rewrite: (text: string) => string
  readonly warnings: readonly string[]
}

export function compileSpeech(input: SpeechInput): Speech {
  const { document, facts, kept, steps } = input
  const spoken = input.words
    .filter(({ word }) => word.trim() !== '')
    .sort((a, b) => a.start - b.start || a.end - b.end)
  const sound = facts.audio === null ? null : (document.sound ?? null)
  const context: SpeechContext = {
    words: spoken,
    language: detectTextLanguage(document.language, spoken),
    sound,
    hasSound: facts.audio !== null,
  }
  const all = steps.flatMap(({ definition, config }) => definition.speech?.(config, context) ?? [])
  const { drop, muted, shownAs, rewrites } = collect(all)
  const shortenPauses = all.some((edits) => edits.shortenPauses === true)
  const cuts =
    drop.size === 0 && !shortenPauses
      ? { ranges: kept, dropped: new Set<number>() }
      : planCuts({ words: spoken, kept, drop, sound, shortenPauses, grid: frameGrid(input.frameRate) })
  const musts = [...drop].flatMap(([index, must]): MutedWord[] =>
    must ? [{ index, kind: 'silence', tight: cuts.dropped.has(index) }] : [],
  )
  return {
    kept: cuts.ranges,
    spoken,
    shown: shownWords(spoken, cuts.dropped, shownAs),
    // What remains of a word that could not be cut completely is muted instead.
    muted: [...muted, ...musts],
    rewrite: (text) => rewrites.reduce((written, rewrite) => rewrite(written), text),
    warnings: all.flatMap((edits) => edits.warnings ?? []),
  }
}

function collect(all: readonly SpeechEdits[]) {
  const drop = new Map<number, boolean>()
  const shownAs = new Map<number, string>()
  for (const edits of all) {
    for (const { index, must } of edits.drop ?? []) drop.set(index, must || drop.get(index) === true)
    for (const [index, text] of edits.shownAs ?? []) shownAs.set(index, text)
  }
  const muted = all.flatMap((edits) => edits.mute ?? [])
  const rewrites = all.flatMap((edits) => edits.rewrite ?? [])
  return { drop, muted, shownAs, rewrites }
}
