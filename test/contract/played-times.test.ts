/** One time map: what the public API says of a clip's times is what a render plays (docs/decisions/0068). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PublicWord } from '../../server/contract/clip-transcript.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import type { PublicClip } from '../../server/contract/public-clip.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { rationalToNumber } from '../../server/contract/time.ts'
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

const word = (text: string, start: number, end: number): TranscriptWord => ({ word: text, start, end })
const WORDS = [
  word('We', 20.5, 21),
  word('um,', 21.2, 21.8),
  word('fix', 22, 23),
  word('uh,', 23.4, 24.1),
  word('bikes', 24.4, 25),
  word('every', 26, 26.6),
  word('um', 27, 27.6),
  word('day', 28, 28.5),
  word('here.', 29, 30),
  word('And', 33, 33.4),
  word('um', 33.6, 34.2),
  word('there.', 34.4, 35),
]

/** 20 to 32 s of a source of 60 s whose fillers are cut, as a run leaves it, or as it was stored before there was a map. */
function fillerClip(changes: Partial<ClipDocument> = {}, isOld = false): string {
  const runId = addRun(server, { workflowId })
  const facts = addFacts(server, runId)
  const nodes = [{ id: 'f', type: 'filler_words', enabled: true, config: {} }]
  const range = { startTimestamp: 20, endTimestamp: 32, extended: { start: 10, end: 42, fileStart: 10 } }
  const about = { workflowId, runId, words: WORDS }
  const found = addClip(server, { ...about, document: { nodes, language: 'en', ...range, ...changes } })
  const row = getClip(server.services.db, 'acme', found)
  if (row === null) throw new Error('no clip')
  const made = withPlayedTimes({ document: row.document, words: WORDS, facts })
  if (!isOld) return addClip(server, { ...about, document: made })
  const { played = [], ...rest } = made
  const cuts = played.slice(1).map((one, at) => ({ start: played[at]?.end ?? 0, end: one.start }))
  return addClip(server, { ...about, document: { ...rest, cuts } })
}

const update = (clipId: string, fields: Record<string, unknown>) =>
  server.call('/update-clip', { json: { companyId: 'acme', clipId, ...fields } })
const read = async (clipId: string): Promise<PublicClip> =>
  (await server.call(`/clip?companyId=acme&clipId=${clipId}`)).json<{ clip: PublicClip }>().clip
const wordsOf = async (clipId: string): Promise<PublicWord[]> =>
  (await server.call(`/clip-transcript?companyId=acme&clipId=${clipId}`)).json<{ words: PublicWord[] }>()
    .words
const visible = async (clipId: string): Promise<string> =>
  (await wordsOf(clipId)).flatMap((one) => (one.visible ? [one.word] : [])).join(' ')

/** Seconds of the file that a render would make. */
function rendered(clipId: string): number {
  const { durationFrames, output } = planRender(server.services, clipId).composition
  return durationFrames / rationalToNumber(output.frameRate)
}

/** The clip as it is answered, whose times hold together. */
async function agree(clipId: string): Promise<PublicClip> {
  const clip = await read(clipId)
  expect(Math.abs(clip.duration - rendered(clipId))).toBeLessThan(0.001)
  let at = 0
  for (const { startSeconds, endSeconds } of clip.segments) {
    expect(startSeconds).toBe(at)
    expect(endSeconds).toBeGreaterThan(startSeconds)
    at = endSeconds
  }
  expect(at).toBeLessThanOrEqual(clip.duration)
  const whole = clip.endTimestamp - clip.startTimestamp
  if (clip.segments.length === 0) expect(clip.duration).toBeCloseTo(whole, 1)
  return clip
}
const refused = async (clipId: string, fields: Record<string, unknown>, field: string): Promise<void> => {
  const answer = await update(clipId, fields)
  expect([answer.status, answer.json()]).toMatchObject([
    400,
    { code: 'INVALID_CLIP_UPDATE', details: { field } },
  ])
}

describe('a clip whose fillers are cut', () => {
  it('says so: segments that are as long as it is', async () => {
    const clip = await agree(fillerClip())
    expect(clip).toMatchObject({ startTimestamp: 20, endTimestamp: 32 })
    expect(clip.duration).toBeLessThan(11)
    expect(clip.segments.length).toBeGreaterThan(1)
    expect(clip.segments.at(-1)?.endSeconds).toBe(clip.duration)
    expect(clip.playedRanges).toHaveLength(clip.segments.length)
  })

  it('keeps all of it where all of it is kept, in one segment and in those that it says', async () => {
    const clipId = fillerClip()
    const before = await agree(clipId)
    const { revision, document } = getClip(server.services.db, 'acme', clipId) ?? {}
    for (const segments of [[{ startSeconds: 0, endSeconds: before.duration }], before.segments]) {
      const answer = await update(clipId, { segments })
      expect(answer.json()).toMatchObject({ updates: { segments, duration: before.duration } })
      const { duration, segments: pieces, playedRanges } = await agree(clipId)
      expect({ duration, pieces, playedRanges }).toEqual({
        duration: before.duration,
        pieces: before.segments,
        playedRanges: before.playedRanges,
      })
    }
    const { document: saved, revision: last } = getClip(server.services.db, 'acme', clipId) ?? {}
    expect(saved?.trim).toBeUndefined()
    expect(saved?.played).toEqual(document?.played)
    expect(last).toBe((revision ?? 0) + 2)
  })

  it('takes no segment that ends after it', async () => {
    const clipId = fillerClip()
    const { duration } = await read(clipId)
    for (const endSeconds of [12, 12.5, duration + 0.01])
      await refused(clipId, { segments: [{ startSeconds: 0, endSeconds }] }, 'segments')
    expect((await agree(clipId)).duration).toBe(duration)
  })

  it('keeps exactly what is kept of what it plays, and [] gives back what was trimmed', async () => {
    const clipId = fillerClip()
    const before = await agree(clipId)
    const segments = [
      { startSeconds: 1, endSeconds: 4 },
      { startSeconds: 6, endSeconds: 8.5 },
    ]
    const answer = await update(clipId, { segments })
    expect(answer.json()).toMatchObject({
      updatedFields: ['segments', 'duration'],
      updates: { segments, duration: 5.5 },
    })
    expect((await agree(clipId)).duration).toBe(5.5)
    expect(await visible(clipId)).not.toMatch(/\b(um|uh)\b/)
    await update(clipId, { segments: [{ start: 0, end: 5 }] })
    expect((await agree(clipId)).duration).toBe(5)
    expect((await update(clipId, { segments: [] })).json()).toMatchObject({
      updates: { segments: [], duration: before.duration },
    })
    expect((await agree(clipId)).segments).toEqual(before.segments)
  })

  it.each([6, 10, 3.5, 0.2, 12, 20])('is %d s long when that is wanted', async (wanted) => {
    const clipId = fillerClip()
    const answer = await update(clipId, { duration: wanted })
    expect(answer.json()).toMatchObject({ updates: { duration: wanted } })
    expect((await agree(clipId)).duration).toBe(wanted)
    // And back, where it was shortened: what was left out is there again.
    if (wanted > 10) return
    await update(clipId, { duration: 10.2 })
    expect((await agree(clipId)).duration).toBe(10.2)
  })

  it('is refused what cannot be: longer than the source goes on', async () => {
    const clipId = fillerClip()
    const before = await read(clipId)
    await refused(clipId, { duration: 41 }, 'duration')
    await refused(clipId, { duration: 0.001 }, 'duration')
    expect((await agree(clipId)).duration).toBe(before.duration)
  })

  it('marks the words that it does not play', async () => {
    const clipId = fillerClip()
    expect(await visible(clipId)).toBe('We fix bikes every day here.')
    await update(clipId, { segments: [{ start: 0, end: 2 }] })
    expect(await visible(clipId)).toBe('We fix')
    const words = await wordsOf(clipId)
    expect(words.map((one) => one.visible)).toEqual(WORDS.map((one) => ['We', 'fix'].includes(one.word)))
  })

  it('plays segments at their speed, and says it', async () => {
    const clipId = fillerClip()
    const { duration } = await read(clipId)
    await update(clipId, {
      segments: [
        { start: 0, end: 2, playbackRate: 2 },
        { start: 2, end: duration },
      ],
    })
    const fast = await agree(clipId)
    // Each piece is a whole number of frames.
    expect(Math.abs(fast.duration - (duration - 1))).toBeLessThan(0.1)
    expect(fast.segments[0]).toMatchObject({ playbackRate: 2 })
    await update(clipId, { segments: [{ start: 0, end: fast.duration }] })
    expect((await agree(clipId)).segments).toEqual(fast.segments)
    await update(clipId, { segments: fast.segments })
    expect((await agree(clipId)).segments).toEqual(fast.segments)
    await update(clipId, { segments: fast.segments.map((one) => ({ ...one, playbackRate: 1 })) })
    expect(Math.abs((await agree(clipId)).duration - duration)).toBeLessThan(0.1)
  })

  it('another range keeps its trim where it is, and segments with a range count on that range', async () => {
    const clipId = fillerClip()
    await update(clipId, { segments: [{ start: 0, end: 4 }] })
    const trimmed = await agree(clipId)
    await update(clipId, { endTimestamp: 36 })
    expect((await agree(clipId)).playedRanges).toEqual(trimmed.playedRanges)
    await update(clipId, { startTimestamp: 22, endTimestamp: 35, segments: [{ start: 0, end: 1 }] })
    const moved = await agree(clipId)
    expect(moved).toMatchObject({ startTimestamp: 22, endTimestamp: 35, duration: 1 })
    expect(moved.playedRanges).toEqual([{ start: 22, end: 23 }])
  })
})

describe('a clip that was found with something left out', () => {
  const segments = [
    { startSeconds: 0, endSeconds: 4 },
    { startSeconds: 8, endSeconds: 12 },
  ]
  const found = { segments, nodes: [] }

  it('has no segment that ends after it', async () => {
    const clipId = fillerClip(found)
    const clip = await agree(clipId)
    expect(clip.duration).toBe(8)
    expect(clip.segments).toEqual([
      { startSeconds: 0, endSeconds: 4 },
      { startSeconds: 4, endSeconds: 8 },
    ])
    expect(clip.playedRanges).toEqual([
      { start: 20, end: 24 },
      { start: 28, end: 32 },
    ])
    await update(clipId, { segments: [{ start: 0, end: 8 }] })
    expect((await agree(clipId)).segments).toEqual(clip.segments)
    await refused(clipId, { duration: 9 }, 'duration')
    await update(clipId, { duration: 6 })
    expect((await agree(clipId)).duration).toBe(6)
    await update(clipId, { segments: [] })
    expect((await agree(clipId)).segments).toEqual([])
  })

  it('is one cut for the clip editor, which trims on its own', async () => {
    const clipId = fillerClip(found)
    await update(clipId, { segments: [{ start: 1, end: 6 }] })
    const path = `/studio/clips/${clipId}/editor?companyId=acme`
    const opened = (await server.call(path)).json<{
      etag: string
      startTimestamp: number
      endTimestamp: number
      segments: unknown[]
    }>()
    expect(opened).toMatchObject({
      startTimestamp: 21,
      endTimestamp: 30,
      segments: [
        { startSeconds: 0, endSeconds: 3 },
        { startSeconds: 7, endSeconds: 9 },
      ],
    })
  })
})

describe('a clip that was stored before its document had what it plays', () => {
  it('means what it meant', async () => {
    const now = await agree(fillerClip())
    const clipId = fillerClip({}, true)
    expect(getClip(server.services.db, 'acme', clipId)?.document).not.toHaveProperty('played')
    const old = await agree(clipId)
    expect(old.duration).toBe(now.duration)
    expect(old.segments).toEqual(now.segments)
    expect(await visible(clipId)).toBe('We fix bikes every day here.')
    await update(clipId, { segments: [{ start: 0, end: old.duration }] })
    expect((await agree(clipId)).segments).toEqual(now.segments)
    await update(clipId, { duration: 6 })
    expect((await agree(clipId)).duration).toBe(6)
  })

  it('with segments too', async () => {
    const trimmed = { segments: [{ startSeconds: 2, endSeconds: 9 }] }
    const clipId = fillerClip(trimmed, true)
    const clip = await agree(clipId)
    expect(clip.duration).toBeLessThan(7)
    expect(clip.playedRanges[0]).toMatchObject({ start: 22 })
  })
})

describe('whatever is edited', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const edit = fc.oneof(
    fc.record({ kind: fc.constant('keep' as const), edges: fc.array(share, { minLength: 2, maxLength: 6 }) }),
    fc.record({
      kind: fc.constant('length' as const),
      seconds: fc.double({ min: 0.1, max: 25, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('range' as const), from: share, to: share }),
    fc.record({ kind: fc.constant('everything' as const) }),
  )
  type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never

  /** The fields of an edit, for a clip that is so long now. */
  function fieldsOf(one: Edit, { duration }: PublicClip): Record<string, unknown> {
    if (one.kind === 'everything') return { segments: [] }
    if (one.kind === 'length') return { duration: Math.round(one.seconds * 1000) / 1000 }
    if (one.kind === 'range') return { startTimestamp: 12 + one.from * 10, endTimestamp: 24 + one.to * 16 }
    const edges = one.edges.map((edge) => edge * duration).toSorted((a, b) => a - b)
    const segments = edges.flatMap((edge, at) =>
      at % 2 === 0 && at + 1 < edges.length ? [{ startSeconds: edge, endSeconds: edges[at + 1] ?? 0 }] : [],
    )
    return { segments }
  }

  it('the times hold together, keeping all is no change, a length is had or refused, words say what is played', async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const clipId = fillerClip()
        for (const one of edits) {
          const before = await read(clipId)
          const fields = fieldsOf(one, before)
          const answer = await update(clipId, fields)
          expect([200, 400]).toContain(answer.status)
          const after = await agree(clipId)
          if (answer.status === 400) {
            expect(answer.json()['code']).toBe('INVALID_CLIP_UPDATE')
            expect(after).toEqual(before)
            continue
          }
          taken += 1
          // Half a frame of the source, or what is rounded away.
          if (one.kind === 'length')
            expect(Math.abs(after.duration - Number(fields['duration']))).toBeLessThan(0.021)
          const whole = [{ startSeconds: 0, endSeconds: after.duration }]
          expect((await update(clipId, { segments: whole })).status).toBe(200)
          const same = await agree(clipId)
          expect([same.duration, same.segments, same.playedRanges]).toEqual([
            after.duration,
            after.segments,
            after.playedRanges,
          ])
        }
        const played = (await read(clipId)).playedRanges ?? []
        for (const { word: text, start, end, visible: shown } of await wordsOf(clipId)) {
          if (played.some((range) => range.start <= start && end <= range.end))
            expect([text, shown]).toEqual([text, true])
          if (played.every((range) => end <= range.start || range.end <= start))
            expect([text, shown]).toEqual([text, false])
        }
      }),
      { numRuns: 40, seed: 21 },
    )
    expect(taken).toBeGreaterThan(30)
  })
})
