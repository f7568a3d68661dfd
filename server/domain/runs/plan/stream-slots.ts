/** PURE: the slots of a stream's recording and of its chunks in the plan of a run. */
import { isStreamAddress, type RunSource } from '../../../contract/run.ts'
import type { SlotResult, SlotResults } from './plan-draft.ts'
import type { RecordedChunk } from '../../../../workers/stages/record/declaration.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'

export const RECORD_SLOT = 'record'

/** A delivered chunk; its stages are in slots such as `chunk:3:probe`. */
export const chunkSlot = (index: number): string => `chunk:${index}`

/** Marks that the clips of a chunk are listed. From then on they belong to people, who may edit and delete them. */
export const shownSlot = (index: number): string => `chunk:${index}:shown`

/** The slot of a stage in a run: of one of its chunks, or (null) of a source that is one file. */
export const slotIn = (chunkIndex: number | null | undefined, slot: string): string =>
  chunkIndex === null || chunkIndex === undefined ? slot : `chunk:${chunkIndex}:${slot}`

/** Whether a run records: its address says so, or a playlist was found behind it. */
export function isStream(source: RunSource, results: SlotResults): boolean {
  if (source.kind !== 'url') return false
  const ingest = results.get('ingest')
  return isStreamAddress(source.url) || ingest?.failure?.details?.['found'] === 'playlist'
}

/** The recorded chunks of a run, in order. */
export function chunksOf(results: SlotResults): RecordedChunk[] {
  const record = results.get(RECORD_SLOT)
  const delivered = [...results].flatMap(([slot, { state, output }]) =>
    /^chunk:\d+$/.test(slot) && state === 'finished' ? [output as RecordedChunk] : [],
  )
  const all = record?.state === 'finished' ? (record.output as OutputOf<Stages['record']>).chunks : []
  return [...new Map([...delivered, ...all].map((chunk) => [chunk.index, chunk])).values()].sort(
    (a, b) => a.index - b.index,
  )
}

/** The results of one chunk, as a run of it alone would have them, with the chunk as the output of ingest. */
export function resultsOfChunk(
  results: SlotResults,
  chunk: RecordedChunk,
  chunkIndex: number | null,
): SlotResults {
  const prefix = slotIn(chunkIndex, '')
  const ownResults = new Map<string, SlotResult>()
  for (const [slot, result] of results) {
    if (prefix === '' ? slot !== 'ingest' : slot.startsWith(prefix))
      ownResults.set(slot.slice(prefix.length), result)
  }
  const { digest, bytes, mediaType } = chunk
  // The title names the part, because its times begin at the part.
  const displayName = `${chunk.displayName}${chunkIndex === null ? '' : `, part ${chunkIndex + 1}`}`
  const ingest: OutputOf<Stages['ingest']> = {
    digest,
    bytes,
    mediaType,
    displayName,
    finalUrl: null,
    etag: null,
    lastModified: null,
    unchanged: false,
    sidecars: [],
  }
  return ownResults.set('ingest', { state: 'finished', key: digest, output: ingest, failure: null })
}
