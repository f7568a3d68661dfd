/** Clips whose nodes cut words out: duration, cuts and visible words stay consistent through every edit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PublicWord } from '../../server/contract/clip-transcript.ts'
import type { PublicClip } from '../../server/contract/public-clip.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { getClip } from '../../server/db/clips.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { withPlayedTimes } from '../../server/nodes/index.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())

const reported = (word: string, start: number, end: number): TranscriptWord => ({ word, start, end })
const WORDS = [
  reported('We', 10.5, 11),
  reported('um,', 11.2, 11.8),
  reported('fix', 12, 13),
  reported('bikes', 13.1, 14),
  reported('uh', 41, 41.5),
  reported('today.', 41.7, 42),
]

/** 10 to 40 s of a source of 60 s, as a run with filler_words leaves it. */
function clipWithFillers(): string {
  const runId = addRun(server, { workflowId })
  const facts = addFacts(server, runId)
  const nodes = [{ id: 'f', type: 'filler_words', enabled: true, config: {} }]
  const clipId = addClip(server, { workflowId, runId, words: WORDS, document: { nodes, language: 'en' } })
  const row = getClip(server.services.db, 'acme', clipId)
  if (row === null) throw new Error('no clip')
  const document = withPlayedTimes({ document: row.document, words: WORDS, facts })
  return addClip(server, { workflowId, runId, words: WORDS, document })
}

const read = async (clipId: string): Promise<PublicClip> =>
  (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{ clip: PublicClip }>().clip

const visible = async (clipId: string): Promise<string> => {
  const answer = await server.call(`/clip-transcript?companyId=acme&clipId=${clipId}`)
  const { words } = answer.json<{ words: PublicWord[] }>()
  return words
    .filter((word) => word.visible)
    .map((word) => word.word)
    .join(' ')
}

/** What a render would play, seconds. */
function rendered(clipId: string): number {
  return planRender(server.services, clipId).composition.durationFrames / 30
}

async function agree(clipId: string): Promise<PublicClip> {
  const clip = await read(clipId)
  expect(Math.abs(clip.duration - rendered(clipId))).toBeLessThan(0.05)
  return clip
}

describe('a clip whose fillers are cut', () => {
  it('has the duration that it plays, and shows the audible words', async () => {
    const clipId = clipWithFillers()
    const { duration } = await agree(clipId)
    expect(duration).toBeLessThan(29.5)
    expect(duration).toBeGreaterThan(28.5)
    expect(await visible(clipId)).toBe('We fix bikes')
  })

  it('becomes longer once a filler is corrected to a word', async () => {
    const clipId = clipWithFillers()
    const operations = [{ type: 'replace', from: 'um', to: 'Tom' }]
    const body = { companyId: 'acme', clipId, operations }
    const patch = await server.call('/clip-transcript', { method: 'PATCH', json: body })
    expect(patch.status).toBe(200)
    expect((await agree(clipId)).duration).toBe(30)
    expect(await visible(clipId)).toBe('We Tom, fix bikes')
  })

  it('returns the resulting duration from an update', async () => {
    const clipId = clipWithFillers()
    const before = (await read(clipId)).duration
    const json = { companyId: 'acme', clipId, endTimestamp: 43 }
    const answer = (await server.call('/update-clip', { json })).json<{ updates: { duration: number } }>()
    const after = await agree(clipId)
    expect(answer.updates.duration).toBe(after.duration)
    // Three seconds more, of which the second filler takes a part.
    expect(after.duration - before).toBeLessThan(2.6)
    expect(await visible(clipId)).toBe('We fix bikes today.')
  })

  it('takes a duration as the playing time', async () => {
    const clipId = clipWithFillers()
    const json = { companyId: 'acme', clipId, duration: 20 }
    expect((await server.call('/update-clip', { json })).status).toBe(200)
    expect((await agree(clipId)).duration).toBeCloseTo(20, 2)
    const segments = [{ startSeconds: 0, endSeconds: 5 }]
    await server.call('/update-clip', { json: { companyId: 'acme', clipId, segments } })
    expect((await agree(clipId)).duration).toBe(5)
  })
})
