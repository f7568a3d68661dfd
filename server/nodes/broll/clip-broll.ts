/** Chooses a clip's b-roll from its words: on the clip's own timeline, stored in source seconds. */
import type { BrollCandidate, BrollInsert, ClipBroll } from '../../contract/clip-broll.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { TimeSpan } from '../../contract/composition.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { placeWords } from '../compose/placed-words.ts'
import { storedTimeMap } from '../../contract/time-map/clip-times.ts'
import { sourceSecondAtEdge } from '../../contract/time-map/frames.ts'
import { outputShape } from '../settings.ts'
import { chooseBroll, LONGEST, type Chosen, type Frequency } from './choose.ts'
import type { Static } from '@sinclair/typebox'
import type { ResolvedNode } from '../../contract/run.ts'
import { dropInvalidFields } from '../compose/read-config.ts'
import { addBroll } from '../types/add-broll.ts'

export interface ClipBrollInput {
  /** With `played` as its nodes make it (`withPlayedTimes`). */
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
  const { timeMap, durationFrames } = storedTimeMap(document, frameRate)
  if (durationFrames === 0) return { inserts: [] }
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

function insertOf(chosen: Chosen, index: number, timeMap: readonly TimeSpan[]): BrollInsert {
  const { startFrame, endFrame, candidate, use, matched } = chosen
  const { provider, kind, url, name, credit, durationSeconds } = candidate
  const later = use * LONGEST
  return {
    id: `broll-${index + 1}`,
    start: sourceSecondAtEdge(timeMap, startFrame, 'start'),
    end: sourceSecondAtEdge(timeMap, endFrame, 'end'),
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
