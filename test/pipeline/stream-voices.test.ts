/** Real voices in a live event, through the orchestrator: each speaker has one number in all chunks, also after a restart. */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { listRecentClips } from '../../server/db/clips.ts'
import { createRunWithOperation } from '../../server/db/runs.ts'
import { startJobs, type RunningJobs } from '../../server/jobs/orchestrator.ts'
import { createLogger } from '../../server/log.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import type { Turn } from '../../workers/stages/speakers/pure/turns.ts'
import { hasMedia, media, modelFolders, NO_MEDIA, RATE, samplesOf } from '../bench/media.ts'
import { itemsOf, makeEventMedia, startEvent, type HlsEvent } from '../support/hls-event.ts'
import { describeRun, makeHome, slotsOf, until, type TestHome } from '../support/run-on-jobs.ts'
import { pretendSpeechServer, type PretendSpeechServer } from '../support/speech-server.ts'
import { wavFile } from '../support/wav.ts'

const present = hasMedia && modelFolders().some((folder) => existsSync(join(folder, 'speaker')))
if (!present) console.log(`the voices of a stream: skipped, because ${NO_MEDIA}`)

/** People of two AMI meetings and a speech of 1961: who speaks in which stretch of whose recording. */
const RECORDINGS = { man: 'ami-dev/trn03.flac', woman: 'ami-dev/trn05.flac', speech: 'jfk.flac' } as const
type Who = keyof typeof RECORDINGS
const CHUNK = 14
const EVENT: readonly (readonly [who: Who, from: number])[] = [
  ['man', 1],
  ['woman', 11],
  ['woman', 19],
  ['man', 9],
  ['speech', 0],
  ['man', 17],
]
const PART = 7
/** A short clip in the middle of each chunk, where the voice changes. */
const CLIPS: ResolvedNode = {
  id: 'f',
  type: 'find_clips',
  enabled: true,
  config: {
    min_length: 1,
    pinnedTimestampsOnly: true,
    pinnedTimestamps: [0, 1, 2].map((chunk) => ({
      start: CHUNK * chunk + PART - 2,
      end: CHUNK * chunk + PART + 2,
    })),
  },
}
/** Root mean square of every voice, because the meetings are far softer. */
const LEVEL = 2000

async function makeSound(file: string): Promise<void> {
  const samples = new Int16Array(EVENT.length * PART * RATE)
  for (const [place, [who, from]] of EVENT.entries()) {
    const all = await samplesOf(media(RECORDINGS[who]))
    const own = all.subarray(from * RATE, (from + PART) * RATE - RATE / 4)
    const level = Math.sqrt(own.reduce((sum, sample) => sum + sample * sample, 0) / own.length)
    samples.set(
      own.map((sample) => Math.max(-32_768, Math.min(32_767, (sample * LEVEL) / level))),
      place * PART * RATE,
    )
  }
  await writeFile(file, wavFile(samples))
}

/** A word each second, whatever is spoken. */
const transcribe = (seconds: number): object => ({
  text: 'word',
  language: 'english',
  duration: seconds,
  words: Array.from({ length: Math.floor(seconds) }, (_, at) => ({
    word: `word${at}`,
    start: at + 0.2,
    end: at + 0.7,
  })),
})

describe.skipIf(!present)('the voices of a stream', () => {
  let root: string
  let place: TestHome
  let jobs: RunningJobs
  let speech: PretendSpeechServer
  let event: HlsEvent | null = null

  const start = async (): Promise<void> => {
    const { home, db } = place
    const config = loadConfig(
      { home: home.root },
      {
        CUTROOM_MIN_FREE_BYTES: '0',
        CUTROOM_STREAM_CHUNK: String(CHUNK),
        CUTROOM_MODELS: modelFolders()[0] ?? '',
        CUTROOM_ASR_URL: speech.url,
        CUTROOM_ASR_MODEL: 'large-v3',
      },
    )
    jobs = await startJobs({ config, home, db, log: createLogger('error'), now: Date.now })
  }

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cutroom-stream-voices-'))
    place = makeHome(join(root, 'home'))
    speech = await pretendSpeechServer(({ wav }) => ({ json: transcribe((wav.length - 44) / (2 * RATE)) }))
    await start()
  })
  afterAll(async () => {
    await event?.close()
    await jobs.stop()
    await speech.stop()
    await place.remove()
    await rm(root, { recursive: true, force: true })
  })

  /** Who of the chunk speaks most in each of its parts. */
  async function speakersOf(runId: string, chunk: number): Promise<(number | undefined)[]> {
    const key = slotsOf(place.db, runId).get(`chunk:${chunk}:speakers`)?.key ?? ''
    const text = await readFile(
      join(artefactFolder(place.home.artefacts, 'speakers', key), 'turns.json'),
      'utf8',
    )
    const turns = JSON.parse(text) as Turn[]
    return [0, PART].map((from) => {
      const spoken = new Map<number, number>()
      for (const { start: begin, end, speaker } of turns) {
        const common = Math.min(end, from + PART) - Math.max(begin, from)
        if (common > 0) spoken.set(speaker, (spoken.get(speaker) ?? 0) + common)
      }
      return [...spoken].toSorted(([, a], [, b]) => b - a)[0]?.[0]
    })
  }

  it('keep their numbers through its chunks, after a restart too, and new ones take new numbers', async () => {
    const sound = join(root, 'event.wav')
    await makeSound(sound)
    const recorded = await makeEventMedia(root, { seconds: EVENT.length * PART, sound })
    const live = (event = await startEvent({ items: itemsOf(recorded), step: 14, holdAt: 2 * CHUNK + 1 }))
    const { runId, operationId } = createRunWithOperation(place.db, {
      companyId: 'c',
      snapshot: {
        workflowId: 'w',
        workflowName: 'W',
        nodes: [CLIPS],
        originalUrl: live.url,
        keywords: [],
        source: { kind: 'url', url: live.url },
        channel: 'current',
        pipelineVersion: '1.0.0',
      },
      now: Date.now(),
    })
    jobs.wake()
    const finished = (slot: string) => slotsOf(place.db, runId).get(slot)?.state === 'finished'
    await until(
      () => finished('chunk:1:speakers'),
      120_000,
      () => describeRun(place.db, runId),
    )
    await jobs.stop()
    await start()
    live.release()
    expect(await jobs.whenSettled(operationId, 120_000), describeRun(place.db, runId)).toMatchObject({
      state: 'succeeded',
    })
    expect([await speakersOf(runId, 0), await speakersOf(runId, 1), await speakersOf(runId, 2)]).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
    ])
    // Clips name speakers by these numbers.
    const clips = listRecentClips(place.db, 'c', 10).toSorted(
      (a, b) => (a.document.chunk?.index ?? 0) - (b.document.chunk?.index ?? 0),
    )
    expect(clips.map(({ document }) => document.speakers)).toEqual([
      ['Speaker 1', 'Speaker 2'],
      ['Speaker 1', 'Speaker 2'],
      ['Speaker 1', 'Speaker 3'],
    ])
  }, 300_000)
})
