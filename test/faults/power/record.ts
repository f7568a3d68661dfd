/** Records what the appliance writes, by strace, where that is there and may trace. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { makeTinyTalk } from '../../support/tiny-talk.ts'
import { asRecording, type Recording } from './disk.ts'
import { CALLS, DATA_BYTES, readTrace, type Event } from './trace.ts'

/** What was answered as done, and after which event. */
export interface Promised {
  readonly event: number
  readonly kind: string
  readonly words: readonly string[]
}

export interface Recorded extends Recording {
  readonly promised: readonly Promised[]
}

/** Null: it can; else why not. */
export function whyNoTrace(): string | null {
  const { status, error, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], {
    encoding: 'utf8',
  })
  return status === 0 ? null : (error?.message ?? stderr)
}

/** `folder`: an empty one, which keeps what the appliance wrote. */
export async function record(folder: string): Promise<Recorded> {
  await recordWork(folder)
  return readRecording(folder)
}

const diskOf = (folder: string): string => join(folder, 'disk')
const traceOf = (folder: string): string => join(folder, 'trace')

async function recordWork(folder: string): Promise<void> {
  await makeTinyTalk(folder)
  await mkdir(diskOf(folder))
  const words = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', String(DATA_BYTES), '-e', `trace=${CALLS}`]
  const work = spawn(
    'strace',
    [
      ...words,
      '-e',
      'signal=none',
      '-o',
      traceOf(folder),
      process.execPath,
      join(import.meta.dirname, 'work.ts'),
      folder,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  const [code] = (await once(work, 'close')) as [number | null]
  if (code !== 0) throw new Error(`what was to be recorded ended with ${String(code)}`)
}

/** What was recorded into a folder. */
export async function readRecording(folder: string): Promise<Recorded> {
  const disk = diskOf(folder)
  const lines: string[] = []
  for await (const line of createInterface({ input: createReadStream(traceOf(folder)) })) lines.push(line)
  const notes = join(folder, 'promises')
  const all = readTrace(lines, (path) => path === notes || path === disk || path.startsWith(`${disk}/`))
  const isNote = (event: Event): boolean =>
    event.kind !== 'move' && event.kind !== 'link' && event.path === notes
  const promised = all.flatMap((event, at): Promised[] => {
    if (!isNote(event) || event.kind !== 'write') return []
    const [kind = '', ...rest] = (event.data?.toString('utf8') ?? '').trim().split(' ')
    return [{ event: at, kind, words: rest }]
  })
  return { ...asRecording(all, disk), promised }
}
