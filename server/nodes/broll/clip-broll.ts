/** Chooses a clip's b-roll from its words: on the clip's own timeline, stored in source seconds. */
import type { BrollCandidate, BrollInsert, ClipBroll } from '../../contract/clip-broll.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { TimeSpan } from '../../contract/composition.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { rationalToNumber, ticksToSeconds } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { placeWords } from '../compose/placed-words.ts'
import { buildTimeMap, listPlayedRanges, type PlayedRange } from '../compose/time-map.ts'
import { outputShape } from '../settings.ts'
import { chooseBroll, LONGEST, type Chosen, type Frequency } from './choose.ts'
import type { Static } from '@sinclair/typebox'
import type { ResolvedNode } from '../../contract/run.ts'
import { dropInvalidFields } from '../compose/read-config.ts'
import { addBroll } from '../types/add-broll.ts'

export interface ClipBrollInput {
  /** With `cuts` as its nodes make them (`withPlayedTimes`). */
  readonly document: ClipDocument
  readonly words: readonly TranscriptWord[]
  readonly facts: SourceFacts
  /** In the order of preference where they fit equally well. */
  readonly candidates: readonly BrollCandidate[]
  readonly frequency: Frequency
  readonly prompt: string
}

export function clipBroll(input: ClipBrollInput): ClipBroll {
  const { document, words, facts, candidates, frequency, prompt } = input
  const { frameRate } = outputShape(document.nodes, facts)
  const ranges = playedRanges(document, ticksToSeconds(facts.duration))
  if (ranges.length === 0) return { inserts: [] }
  const { timeMap, durationFrames } = buildTimeMap(ranges, frameRate, facts.duration)
  const chosen = chooseBroll({
    words: placeWords(words, timeMap),
    durationFrames,
    framesPerSecond: rationalToNumber(frameRate),
    candidates,
    frequency,
    topics: { prompt, keywords: document.keywords },
  })
  return { inserts: chosen.map((one, index) => insertOf(one, index, timeMap)) }
}

/** The played ranges: the segments without what nodes cut out of them. */
function playedRanges(document: ClipDocument, sourceDuration: number): PlayedRange[] {
  return listPlayedRanges(document, sourceDuration).flatMap((range) => {
    let from = range.start
    const parts: PlayedRange[] = []
    for (const { start, end } of document.cuts ?? []) {
      if (end <= from || start >= range.end) continue
      if (start > from) parts.push({ ...range, start: from, end: start })
      from = Math.min(end, range.end)
    }
    return from < range.end ? [...parts, { ...range, start: from }] : parts
  })
}

function insertOf(chosen: Chosen, index: number, timeMap: readonly TimeSpan[]): BrollInsert {
  const { startFrame, endFrame, candidate, use, matched } = chosen
  const { provider, kind, url, name, credit, durationSeconds } = candidate
  const later = use * LONGEST
  return {
    id: `broll-${index + 1}`,
    start: sourceSecond(timeMap, startFrame, 'start'),
    end: sourceSecond(timeMap, endFrame, 'end'),
    provider,
    kind,
    url,
    // A video that comes again shows another part of itself.
    sourceStart: durationSeconds !== null && later + LONGEST <= durationSeconds ? later : 0,
    matched,
    name,
    credit,
  }
}

/** The source's second at the edge of a frame; at a cut, that of what begins or of what ends there. */
function sourceSecond(timeMap: readonly TimeSpan[], frame: number, edge: 'start' | 'end'): number {
  const span =
    timeMap.find(({ startFrame, endFrame }) =>
      edge === 'start' ? startFrame <= frame && frame < endFrame : startFrame < frame && frame <= endFrame,
    ) ?? timeMap.at(-1)
  if (span === undefined) return 0
  const share = (frame - span.startFrame) / (span.endFrame - span.startFrame)
  return ticksToSeconds(span.sourceStart + share * (span.sourceEnd - span.sourceStart))
}

export interface BrollSettings {
  readonly frequency: Frequency
  readonly prompt: string
  readonly useLibrary: boolean
  /** Ids; empty: all. */
  readonly folders: readonly string[]
  /** Services that may be searched, each once. */
  readonly methods: readonly ('google_images' | 'youtube' | 'getty')[]
  /** Pictures are to be made where none is found. */
  readonly generate: boolean
}

/** Of the last node that is on; null when there is none. */
export function brollSettings(nodes: readonly ResolvedNode[]): BrollSettings | null {
  const node = nodes.findLast(({ type, enabled }) => type === 'add_broll' && enabled)
  if (node === undefined) return null
  const config = dropInvalidFields(addBroll.config, node.config, 'add_broll', () => undefined) as Static<
    typeof addBroll.config
  >
  return {
    frequency: config.broll_frequency ?? 'medium',
    prompt: config.prompt ?? '',
    useLibrary: config.use_broll_library ?? true,
    folders: config.library_folder_ids ?? [],
    methods: [...new Set(config.allowed_methods ?? [])],
    generate: config.enable_ai_broll ?? false,
  }
}
