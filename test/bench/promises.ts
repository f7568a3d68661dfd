/**
 * `npm run bench -- promises`: 4 runs and 4 renders of two companies at a time, of sources and clips of many lengths. The
 * appliance first learns what such work takes; then every time that it promises is noted as a client reads it, and held
 * against the moment at which the client sees the work done.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { StudioRenders } from '../../server/contract/studio-editor.ts'
import { openBenchAppliance, type BenchAppliance, type BenchTenant } from './bench-appliance.ts'
import { speedBench } from './report.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared')
const WORKS = 4
const LOOK_MS = 250
const CLIP_SECONDS = 9
/** Of each run: as many as the renders of a company need. */
const CLIPS = 2
/** Two filmed people who talk for 26 s. */
const FILM = {
  video: join(SHARED, 'media', 'two_faces_two_voices_26s.mp4'),
  faceModels: join(SHARED, 'models', 'face'),
}
/** Lengths of sources, as multiples of the film. */
const TIMES = [8, 20, 12, 28, 16, 40]
const LIMIT = 0.2
/** While nobody has ended anything yet there is nothing to learn from. */
const MIN_ENDED = 6

interface Options {
  /** Of what is measured; it learns for half of that before. */
  readonly seconds?: number
  readonly say?: (line: string) => void
}

/** What a client saw of one piece of work, milliseconds since the epoch. */
interface Seen {
  readonly kind: 'run' | 'render'
  readonly promisedAt: number
  readonly readyAt: number
  readonly endedAt: number
}

interface Watched {
  readonly isOver: boolean
  readonly readyAt: string | undefined
}

/** Looks until it is over; null: no time was promised before that. The first time counts, whatever is said later. */
async function watch(kind: Seen['kind'], look: () => Promise<Watched>): Promise<Seen | null> {
  let promise: { promisedAt: number; readyAt: number } | null = null
  for (;;) {
    const { isOver, readyAt } = await look()
    const at = Date.now()
    if (isOver) return promise === null ? null : { kind, ...promise, endedAt: at }
    if (promise === null && readyAt !== undefined) promise = { promisedAt: at, readyAt: Date.parse(readyAt) }
    await pause(LOOK_MS)
  }
}

/** `times` of the source: the talk is so often as long. */
async function watchRun({ client }: BenchTenant, address: string): Promise<Seen | null> {
  const id = await client.trigger(address)
  return watch('run', async () => {
    const { status, readyAt, error } = (await client.results(id)) as Awaited<
      ReturnType<typeof client.results>
    > & { readyAt?: string }
    if (status === 'Error') throw new Error(`a run failed: ${error}`)
    // A time is read as a promise once the length of its source is known: it is being worked on.
    return { isOver: status === 'Completed', readyAt: status === 'Pending' ? undefined : readyAt }
  })
}

async function watchRender(
  { appliance, cookie }: BenchAppliance,
  { client, companyId, clipIds }: BenchTenant,
  { place, count }: { place: number; count: number },
): Promise<Seen | null> {
  const clipId = clipIds[place] ?? ''
  const endSeconds = 3 + ((count * 7) % 5) * 0.9 + (count % 97) / 100
  // A cut is held against what is played: the whole clip again first.
  for (const segments of [[], [{ startSeconds: 0, endSeconds }]]) {
    const updates = { segments, title: `Cut ${count}` }
    const edited = await client.call('POST', '/update-clip', { companyId, clipId, updates })
    if (edited.status !== 200) throw new Error(`an edit answered ${JSON.stringify(edited)}`)
  }
  const own = { cookie, 'x-cutroom-company': companyId }
  const queued = await fetch(`${appliance.url}/clips/${clipId}/render-jobs`, {
    method: 'POST',
    headers: {
      ...own,
      origin: appliance.url,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: '{}',
  })
  if (!queued.ok) throw new Error(`a render answered ${queued.status}: ${await queued.text()}`)
  return watch('render', async () => {
    const answer = await fetch(`${appliance.url}/studio/clips/${clipId}/renders`, { headers: own })
    if (!answer.ok) throw new Error(`the renders of a clip answered ${answer.status}`)
    const { open, problem } = (await answer.json()) as StudioRenders
    if (problem !== null) throw new Error(`a render failed: ${problem}`)
    return { isOver: open === null, readyAt: open?.readyAt }
  })
}

/** One piece of work after the other until `over`; work that has begun is seen to its end. */
async function goOn(
  over: () => boolean,
  work: (count: number) => Promise<Seen | null>,
): Promise<(Seen | null)[]> {
  const seen: (Seen | null)[] = []
  for (let count = 0; !over(); count += 1) seen.push(await work(count))
  return seen
}

async function workFor(bench: BenchAppliance, seconds: number, offset: number): Promise<(Seen | null)[]> {
  const end = performance.now() + seconds * 1000
  const over = (): boolean => performance.now() > end
  const loops = Array.from({ length: WORKS }, (_, at) => {
    const tenant = bench.tenants[at % 2 === 0 ? 0 : 1]
    const times = (count: number): number => TIMES[(count + at + offset) % TIMES.length] ?? 4
    return [
      goOn(over, async (count) => watchRun(tenant, await bench.newTalk(times(count)))),
      goOn(over, (count) =>
        watchRender(bench, tenant, { place: at >> 1, count: offset * 1000 + at * 100 + count }),
      ),
    ]
  })
  return (await Promise.all(loops.flat())).flat()
}

export interface Kept {
  readonly ended: number
  readonly promised: number
  readonly inTime: number
  /** Late by more than 0 at its most in nine of ten: share of the time that was promised. */
  readonly lateP90: number
  /** Early or late, in the middle: share of the time that was promised. */
  readonly offP50: number
}

/** PURE: how promises were kept. */
export function judgePromises(seen: readonly (Seen | null)[]): Kept {
  const promised = seen.filter((one) => one !== null)
  const off = promised.map(
    ({ promisedAt, readyAt, endedAt }) => (endedAt - readyAt) / Math.max(1, readyAt - promisedAt),
  )
  const at = (values: readonly number[], share: number): number =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
  return {
    ended: seen.length,
    promised: promised.length,
    inTime: off.filter((share) => share <= 0).length,
    lateP90: at(
      off.map((share) => Math.max(0, share)),
      0.9,
    ),
    offP50: at(off.map(Math.abs), 0.5),
  }
}

export async function runPromisesBench({ seconds = 900, say = () => undefined }: Options = {}) {
  if (!existsSync(SHARED)) throw new Error('The development media and models are not beside the project.')
  const sizes = { clipSeconds: CLIP_SECONDS, spacing: 8, clips: CLIPS, times: 4, film: FILM }
  const bench = await openBenchAppliance(say, sizes)
  try {
    const learned = await workFor(bench, seconds / 2, 0)
    say(`learned of ${learned.length} pieces of work`)
    const seen = await workFor(bench, seconds, 3)
    return report(seconds, learned.length, seen)
  } finally {
    await bench.close()
  }
}

function report(seconds: number, learned: number, seen: readonly (Seen | null)[]) {
  const of = (kind: Seen['kind']): Kept => judgePromises(seen.filter((one) => one?.kind === kind))
  const kinds = { run: of('run'), render: of('render') }
  const unpromised = seen.filter((one) => one === null).length
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
  const rows = Object.entries(kinds).map(([kind, kept]) => [
    kind,
    String(kept.promised),
    percent(kept.inTime / kept.promised),
    percent(kept.lateP90),
    percent(kept.offP50),
  ])
  const isEnough = kinds.run.promised >= MIN_ENDED && kinds.render.promised >= MIN_ENDED
  return speedBench(
    'promises',
    {
      title: `Promised times: ${WORKS} runs and ${WORKS} renders of two companies at a time, for ${seconds} s`,
      tables: [
        {
          title: 'First promise of each, against its end, as a client reads both',
          columns: ['kind', 'promised', 'in time', 'late, 90th percentile', 'off, median'],
          rows,
          notes: [
            `Late and off are shares of the time that was promised; asked: late by no more than ${percent(LIMIT)} in nine of ten.`,
            `${learned} pieces of work had ended before. ${unpromised} ended before a time was promised of them.`,
            `Sources of 208 to 1040 s (two filmed people whose faces are followed in ${CLIPS} clips of ${CLIP_SECONDS} s, captions given), renders of clips of 3 to 8 s. What is begun later is not known when a time is promised.`,
          ],
        },
      ],
      unmeasured: isEnough ? [] : ['too little ended in the time given; take more --seconds.'],
    },
    {
      seconds,
      learned,
      kinds,
      unpromised,
      limit: LIMIT,
      ok: Math.max(kinds.run.lateP90, kinds.render.lateP90) <= LIMIT,
    },
  )
}
