/** How a run is walked: each stage is started once, however long it takes to look at the machine in between. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import type { SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { claimOperation } from '../../server/db/operations.ts'
import { executeRun, type Machine } from '../../server/jobs/run-executor.ts'
import { createLogger } from '../../server/log.ts'
import { makeHome, queueRun } from '../support/run-on-jobs.ts'

const audio = {
  streamIndex: 0,
  codec: 'aac',
  sampleRate: 48_000,
  channels: 2,
  layout: 'stereo',
  language: '',
}
const FACTS: SourceFacts = {
  container: 'mp4',
  duration: secondsToTicks(60),
  bytes: 1,
  audioStreams: 1,
  video: null,
  captions: [],
  chapters: [],
  warnings: [],
  audio: { ...audio, startTime: 0 },
}
const INGESTED = { digest: 'a'.repeat(64), bytes: 1, mediaType: 'video/mp4', etag: null, lastModified: null }

it('starts no stage again that ended during the check of the machine', async () => {
  const place = makeHome(await mkdtemp(join(tmpdir(), 'cutroom-walk-')))
  const begun: string[] = []
  const outputs: Readonly<Record<string, unknown>> = { ingest: INGESTED, probe: FACTS }
  const stages: Machine['stages'] = {
    keyOf: ({ slot }) => Promise.resolve(slot),
    run: async ({ invocation, begin }) => {
      begun.push(invocation.slot)
      begin()
      // They end one after the other, some of them while the machine is looked at; the run fails with its sound.
      await pause(invocation.stage === 'audio' ? 600 : begun.length * 20)
      const output = outputs[invocation.stage]
      if (output !== undefined)
        return { kind: 'finished', output, warnings: [], reused: false, milliseconds: 1 }
      return { kind: 'failed', failure: { code: 'STAGE_FAILED', message: 'as planned' }, retryable: false }
    },
  }
  const speech: Machine['speech'] = () => pause(70, { state: 'missing', message: 'no model' } as const)
  const services = {
    config: loadConfig({ home: place.home.root }, {}),
    home: place.home,
    db: place.db,
    log: createLogger('error'),
    now: Date.now,
  }
  try {
    const pictures = Array.from({ length: 6 }, (_, index) => ({
      id: `overlay-${index}`,
      type: 'media_overlay',
      enabled: true,
      config: { media_overlay_config: { mediaUrl: `http://pictures.test/${index}.png` } },
    }))
    const sounding = { id: 'audiogram', type: 'add_audiogram', enabled: true, config: {} }
    const { operationId } = queueRun(place.db, '/talk.mp4', [sounding, ...pictures])
    const operation = claimOperation(place.db, operationId, 'test', Date.now())
    if (operation === null) throw new Error('the run is not there to be claimed')
    const verdict = await executeRun({ services, stages, speech }, operation, new AbortController().signal)
    expect(verdict).toMatchObject({ kind: 'failed', failure: { message: 'as planned' } })
    expect(begun.filter((slot) => slot.startsWith('asset:'))).toHaveLength(6)
    expect(begun).toHaveLength(new Set(begun).size)
  } finally {
    await place.remove()
  }
})
