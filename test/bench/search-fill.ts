/** Fills a home with transcripts: sentences of the written talks in another order each hour, and vectors near to real ones. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packVectors, SCALE_BYTES } from '../../server/contract/passages.ts'
import { passageIndexes, runStages } from '../../server/db/schema.ts'
import { saveIndexedRun } from '../../server/db/passages.ts'
import { PASSAGES_VERSION } from '../../server/domain/search/index-passages.ts'
import { splitPassages } from '../../workers/stages/passages/pure/split-passages.ts'
import { randomFrom, type Random } from '../fuzz/random.ts'
import { addClip, addRun, type TestServer } from '../support/server.ts'
import { spokenWords } from '../support/spoken-runs.ts'
import { readTalk } from './talks/read-talk.ts'

const WORDS_AN_HOUR = 9300
const CLIPS_AN_HOUR = 10
/** Sentences that stay together. */
const TOGETHER = 6
/** Of each number of a vector, in the usual size of such numbers. */
const NOISE = 0.3

export interface Filled {
  readonly passages: number
  readonly clips: number
  readonly bytes: number
  readonly vectorBytes: number
}

/** Adds so many runs of an hour to the server's first company, indexed. */
export function fillHours(server: TestServer, workflowId: string, hours: number, folder: string): Filled {
  const { db, home, now } = server.services
  const sentences = readdirSync(join(folder, 'tuned')).flatMap((file) => {
    const { words } = readTalk(readFileSync(join(folder, 'tuned', file), 'utf8'))
    return words
      .map(({ word }) => word)
      .join(' ')
      .split(/(?<=[.!?]) /)
  })
  const known = db.orm
    .select()
    .from(passageIndexes)
    .all()
    .find(({ vectors }) => vectors !== null)
  const model = known?.model ?? 'none'
  const size = known?.size ?? 0
  const real = unpack(known?.vectors ?? null, size)
  const random = randomFrom(5)
  const before = databaseBytes(home.database)
  let passages = 0
  let vectorBytes = 0
  for (let hour = 0; hour < hours; hour += 1) {
    const words = spokenWords(anHour(sentences, random)).map((word) => ({
      ...word,
      start: (word.start * (3600 * 3)) / WORDS_AN_HOUR,
      end: (word.end * (3600 * 3)) / WORDS_AN_HOUR,
    }))
    const runId = addRun(server, { workflowId, finishedAt: now() })
    const stage = { runId, slot: 'speech', stage: 'speech' as const, key: `filled-${hour}`, startedAt: 0 }
    db.orm
      .insert(runStages)
      .values({ ...stage, state: 'finished', output: {} })
      .run()
    const split = splitPassages(words)
    const vectors = real.length === 0 ? null : Buffer.from(packVectors(split.map(() => noisy(real, random))))
    passages += split.length
    vectorBytes += vectors?.length ?? 0
    saveIndexedRun(
      db,
      {
        runId,
        companyId: server.companyId,
        model,
        version: PASSAGES_VERSION,
        endedAt: now(),
        transcripts: [],
        size,
        problem: null,
        vectors,
      },
      split.map((one) => ({ ...one, chunk: null, words: one.text })),
      now(),
    )
    for (let clip = 0; clip < CLIPS_AN_HOUR; clip += 1) {
      const startTimestamp = clip * 350
      const endTimestamp = startTimestamp + 45
      const title = sentences[random.below(sentences.length)]?.slice(0, 60) ?? ''
      const own = words.filter(({ start, end }) => end > startTimestamp && start < endTimestamp)
      addClip(server, { workflowId, runId, document: { title, startTimestamp, endTimestamp }, words: own })
    }
  }
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  const bytes = databaseBytes(home.database) - before
  return { passages, clips: hours * CLIPS_AN_HOUR, bytes, vectorBytes }
}

const databaseBytes = (file: string): number => statSync(file).size

function anHour(sentences: readonly string[], random: Random): string[] {
  const hour: string[] = []
  for (let words = 0; words < WORDS_AN_HOUR;) {
    const from = random.below(sentences.length)
    for (const sentence of sentences.slice(from, from + TOGETHER)) {
      hour.push(sentence)
      words += sentence.split(' ').length
    }
  }
  return hour
}

function unpack(packed: Buffer | null, size: number): Float32Array[] {
  if (packed === null) return []
  const vectors: Float32Array[] = []
  for (let at = 0; at + SCALE_BYTES + size <= packed.length; at += SCALE_BYTES + size) {
    const scale = packed.readFloatLE(at)
    vectors.push(
      Float32Array.from({ length: size }, (_, index) => packed.readInt8(at + SCALE_BYTES + index) * scale),
    )
  }
  return vectors
}

function noisy(real: readonly Float32Array[], random: Random): Float32Array {
  const near = random.pick(real)
  const usual = NOISE / Math.sqrt(near.length)
  const vector = near.map((value) => value + (random.next() - 0.5) * 2 * usual)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
