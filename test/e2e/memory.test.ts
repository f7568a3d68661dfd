/**
 * Memory stays flat with the length of a source: ten minutes and an hour through the same appliance. `npm run test:memory`
 * plays three hours.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  engineBelow,
  makeTenant,
  reopenAppliance,
  type RunningAppliance,
  type Tenant,
} from '../support/appliance.ts'
import { serveBytes, startBadServer, type Answer, type BadServer } from '../support/bad-server.ts'
import { commandLine } from '../support/run-on-jobs.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

const run = promisify(execFile)
const WORKFLOW = {
  name: 'Plain',
  description: '',
  edges: [],
  nodes: [{ id: 'find', type: 'find_clips', config: { min_length: 8, max_length: 15 } }],
}
const LONG =
  process.env['MODE'] === 'slow' ? { name: 'three hours', times: 270 } : { name: 'an hour', times: 90 }
const steady = (mebibytes: number): string =>
  `--min-semi-space-size=${mebibytes} --max-semi-space-size=${mebibytes} --no-parallel-scavenge --expose-gc MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144 MALLOC_TRIM_THRESHOLD_=262144`

let folder = ''
let server: BadServer
let tenant: Tenant
const home = () => join(folder, 'home')

const stamp = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', ',')

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(',', '.').split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** The captions of a talk that is played `times` times in a row. */
function repeated(captions: string, times: number, every: number): string {
  const cues = captions.trim().split('\n\n')
  return Array.from({ length: times }, (_, round) =>
    cues.map((cue, place) => {
      const [, span = '', text = ''] = cue.split('\n')
      const [from = '', to = ''] = span.split(' --> ')
      const moved = [from, to].map((time) => stamp(secondsOf(time) + round * every)).join(' --> ')
      return `${round * cues.length + place + 1}\n${moved}\n${text}\n`
    }),
  )
    .flat()
    .join('\n')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-memory-'))
  const talk = await makeTinyTalk(folder)
  const { ffmpeg } = bundledTools()
  const quiet = ['-v', 'error', '-nostdin', '-y']
  const small = join(folder, 'small.mp4')
  const codec = ['-vf', 'scale=160:90', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'copy']
  await run(ffmpeg, [...quiet, '-i', talk.video, ...codec, small])
  const captions = await readFile(talk.captions, 'utf8')
  const answers: Record<string, Answer> = {}
  for (const [name, times] of [
    ['short', 15],
    ['long', LONG.times],
  ] as const) {
    const file = join(folder, `${name}.mp4`)
    const loop = ['-stream_loop', String(times - 1), '-i', small, '-c', 'copy', '-movflags', '+faststart']
    await run(ffmpeg, [...quiet, ...loop, file])
    answers[`/${name}.mp4`] = serveBytes(await readFile(file))
    answers[`/${name}.srt`] = serveBytes(Buffer.from(repeated(captions, times, talk.durationSeconds)))
  }
  server = await startBadServer(answers)
  const workflow = join(folder, 'workflow.json')
  await writeFile(workflow, JSON.stringify(WORKFLOW))
  tenant = await makeTenant(home(), workflow)
}, 60_000)
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

function residentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // it ended while we looked
  }
}

/** Those of a process's flags and environment variables that make the allocator return freed memory. */
function howStarted(pid: number): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    const words = [...commandLine(pid).split(' '), ...environment]
    return words
      .filter((word) =>
        /^(--(min|max)-semi-space-size|--no-parallel-scavenge|--expose-gc|MALLOC_)/.test(word),
      )
      .join(' ')
  } catch {
    return '' // it is not there yet, or no longer
  }
}

/** Highest resident memory of server and engine in one run, in an appliance that did nothing before. */
async function peaksOf(path: string): Promise<{ server: number; engine: number }> {
  const appliance: RunningAppliance = await reopenAppliance(home(), tenant)
  const { pid } = appliance.process
  const peak = { server: 0, engine: 0 }
  const started = { server: howStarted(pid), engine: '' }
  const watch = setInterval(() => {
    const engine = engineBelow(pid)
    if (engine !== undefined && started.engine === '') started.engine = howStarted(engine)
    peak.server = Math.max(peak.server, residentMb(pid))
    if (engine !== undefined) peak.engine = Math.max(peak.engine, residentMb(engine))
  }, 40)
  try {
    const runId = await appliance.client.trigger(server.url(path))
    const { status, error, clips } = await appliance.client.settled(runId, 240_000)
    expect([status, error]).toEqual(['Completed', undefined])
    expect(clips.length).toBeGreaterThan(0)
    // Both: the soak's figures are of processes that were started so.
    expect(started).toEqual({ server: steady(8), engine: steady(4) })
    return peak
  } finally {
    clearInterval(watch)
    await appliance.process.stop()
  }
}

test.skipIf(process.platform !== 'linux')(
  `${LONG.name} of source needs hardly more than ten minutes (measured by /proc, Linux only)`,
  async () => {
    const short = await peaksOf('/short.mp4')
    const long = await peaksOf('/long.mp4')
    const megabytes = (of: typeof short) =>
      `server ${of.server.toFixed(0)} MB, engine ${of.engine.toFixed(0)} MB`
    console.log(`ten minutes: ${megabytes(short)}; ${LONG.name}: ${megabytes(long)}`)
    expect(short.engine).toBeGreaterThan(50)
    // Six or eighteen times the source: what grew with it would be seen far above this.
    expect(long.engine, JSON.stringify({ short, long })).toBeLessThan(short.engine * 1.35)
    expect(long.server, JSON.stringify({ short, long })).toBeLessThan(short.server * 1.25)
  },
  500_000,
)
