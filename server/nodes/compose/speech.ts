/** What nodes make of the speech before there is a timeline: the cuts of all of them are placed together. */
import type { ClipDocument } from '../../contract/clip.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import type { Rational } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { JsonObject, NodeDefinition, SpeechContext, SpeechEdits } from '../declare.ts'
import type { MutedWord } from '../speech/audio-masks.ts'
import { frameGrid } from '../speech/frame-grid.ts'
import { planCuts } from '../speech/plan-cuts.ts'
import { detectTextLanguage } from './language.ts'
import type { PlayedRange } from '../../contract/time-map/spans.ts'
import { endsSentence } from '../speech/spoken-text.ts'
import type { RenderRemark } from '../../contract/render-remarks.ts'

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
  readonly warnings: readonly RenderRemark[]
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
  const sounds = all.flatMap((edits) => edits.cut ?? [])
  const grid = frameGrid(input.frameRate)
  const cuts =
    drop.size === 0 && sounds.length === 0 && !shortenPauses
      ? { ranges: kept, dropped: new Set<number>() }
      : planCuts({ words: spoken, kept, drop, sounds, sound, shortenPauses, grid })
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

/** `words` are in order; deleted and removed ones are left out, and `shownAs` replaces texts. */
function shownWords(
  words: readonly TranscriptWord[],
  removed: ReadonlySet<number>,
  shownAs: ReadonlyMap<number, string>,
): TranscriptWord[] {
  const shown: TranscriptWord[] = []
  let opening = false
  words.forEach((word, index) => {
    if (word.isDeleted === true) return
    const before = shown.at(-1)
    if (removed.has(index)) {
      const starts = before === undefined || endsSentence(before.word) || before.speaker !== word.speaker
      opening = opening || (starts && /^\P{L}*\p{Lu}/u.test(word.word))
      if (before !== undefined && before.speaker === word.speaker)
        shown[shown.length - 1] = closed(before, word)
      return
    }
    const text = shownAs.get(index) ?? word.word
    shown.push({ ...word, word: opening ? capitalised(text) : text })
    opening = false
  })
  return shown
}

/** The word before a gap takes over that the sentence, or the cue, ended there. */
function closed(word: TranscriptWord, removed: TranscriptWord): TranscriptWord {
  const mark = /[.!?…]+["'”’»)\]]*$/u.exec(removed.word)?.[0]
  const ends = mark !== undefined && !endsSentence(word.word)
  return {
    ...word,
    ...(ends ? { word: word.word.replace(/[,;:–—-]+$/u, '') + mark } : {}),
    ...(removed.endsCue === true ? { endsCue: true } : {}),
  }
}

function capitalised(text: string): string {
  return text.replace(/\p{L}/u, (letter) => letter.toUpperCase())
}
