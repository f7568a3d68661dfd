import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../server/contract/errors.ts'
import { writeChunk, writeWhole } from '../../workers/media/pipes.ts'
import { runTool, type ToolRun } from '../../workers/media/run-tool.ts'
import { readCapabilities, locateTools } from '../../workers/media/tools.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { measureSlowness } from '../support/pace.ts'

const { ffmpeg } = bundledTools()
const endless = ['-f', 'lavfi', '-i', 'testsrc=duration=3600:size=320x180', '-f', 'null', '-']
/** As long as real time takes. */
const slow = ['-re', ...endless]
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-tools-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function failure(run: Partial<ToolRun>): Promise<AppError> {
  const error: unknown = await runTool({ executable: ffmpeg, args: [], ...run }).then(
    () => new Error('it succeeded'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw error as Error
  return error
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Every process that was started with this text among its arguments, as this machine counts them: a tool that sees no other
 * process has a number of its own.
 */
async function findProcesses(text: string): Promise<number[]> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    numbers.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
  )
  return numbers.filter((_, at) => lines[at]?.includes(text)).map(Number)
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    if (!isAlive(pid)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

describe('the spawner', () => {
  it('reports progress in seconds of output and streams stdout with push-back', async () => {
    const seen: number[] = []
    let bytes = 0
    let busy = false
    let overlapped = false
    await runTool({
      executable: ffmpeg,
      args: [
        '-f',
        'lavfi',
        '-i',
        'testsrc=duration=4:size=320x180',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'gray',
        'pipe:1',
      ],
      onProgress: (seconds) => seen.push(seconds),
      onStdout: async (chunk) => {
        overlapped ||= busy
        busy = true
        await new Promise((resolve) => setImmediate(resolve))
        bytes += chunk.length
        busy = false
      },
    })
    expect([bytes, overlapped]).toEqual([4 * 25 * 320 * 180, false])
    expect(seen.at(-1)).toBeCloseTo(4, 1)
  })

  it('reads to the end what a tool has written, also when the reader is slower than the tool', async () => {
    const wanted = 190_000
    let bytes = 0
    await runTool({
      executable: process.execPath,
      args: ['-e', `process.stdout.write(Buffer.alloc(${wanted}))`],
      onStdout: async (chunk) => {
        await new Promise((resolve) => setTimeout(resolve, 900))
        bytes += chunk.length
      },
    })
    expect(bytes).toBe(wanted)
  })

  it('is cancelled also when the tool has ended and its reader has not', async () => {
    const cancel = new AbortController()
    const never = new Promise<void>(() => undefined)
    const running = runTool({
      executable: process.execPath,
      args: ['-e', 'process.stdout.write("x")'],
      onStdout: () => never,
      signal: cancel.signal,
    })
    setTimeout(() => cancel.abort(), 600)
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('feeds pipes, reads others, and survives a tool that stops reading early', async () => {
    const frame = new Uint8Array(64 * 64 * 4)
    let written = 0
    let back = 0
    const raw = ['-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', '64x64', '-r', '25']
    await runTool({
      executable: ffmpeg,
      args: [
        '-v',
        'error',
        ...raw,
        '-i',
        'pipe:3',
        '-t',
        '1',
        '-f',
        'rawvideo',
        '-pix_fmt',
        'gray',
        'pipe:4',
      ],
      inputs: [
        async (pipe) => {
          // More than it will ever read: the writer learns it and stops.
          while (written < 1e6 && (await writeChunk(pipe, frame))) written++
        },
      ],
      outputs: [
        async (pipe) => {
          for await (const chunk of pipe) back += (chunk as Buffer).length
        },
      ],
    })
    expect(back).toBe(25 * 64 * 64)
    expect(written).toBeLessThan(10_000)
    const whole = await runTool({
      executable: ffmpeg,
      args: ['-v', 'error', ...raw, '-i', 'pipe:3', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'],
      inputs: [
        async (pipe) => {
          for (let index = 0; index < 10; index++) await writeWhole(pipe, frame.fill(index * 20))
          pipe.end()
        },
      ],
    })
    // One buffer used ten times: each frame arrived as it was when it was written.
    const greys = Array.from({ length: 10 }, (_, index) => whole.stdout[index * 64 * 64])
    expect(new Set(greys).size).toBeGreaterThan(8)
  })

  it('ends a tool and its whole group within a second of the abort', async () => {
    const controller = new AbortController()
    const mark = `stubborn-${process.pid}`
    let running: Promise<number[]> | undefined
    const stubborn = `process.on("SIGTERM",()=>0);process.stdout.write("${mark}");setInterval(()=>0,1000)`
    const started = { at: 0 }
    const error = await failure({
      executable: process.execPath,
      args: ['-e', stubborn],
      signal: controller.signal,
      onStdout: async () => {
        running = findProcesses(mark)
        await running
        started.at = performance.now()
        controller.abort()
      },
    })
    expect(error.code).toBe('CANCELLED')
    expect(performance.now() - started.at).toBeLessThan(1000 * measureSlowness())
    const pids = await running
    expect(pids).not.toEqual([])
    for (const pid of pids ?? []) expect(await gone(pid, 100)).toBe(true)
    const encoder = new AbortController()
    let began = 0
    const args = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=duration=3600',
      '-c:v',
      'libx264',
      '-y',
      join(folder, 'x.mp4'),
    ]
    const work = failure({
      args,
      signal: encoder.signal,
      onProgress: () => {
        if (began === 0) began = performance.now()
        encoder.abort()
      },
    })
    expect((await work).code).toBe('CANCELLED')
    expect(performance.now() - began).toBeLessThan(1000 * measureSlowness())
  })

  it('reports what went wrong: the tool’s reason, a full disk, no progress, a timeout, a missing tool', async () => {
    const reason = await failure({ args: ['-i', '/nowhere.mp4', '-f', 'null', '-'] })
    expect([reason.code, reason.message]).toEqual([
      'STAGE_FAILED',
      'ffmpeg: /nowhere.mp4: No such file or directory',
    ])
    expect(String(reason.details?.['stderr'])).toContain('nowhere')
    const full = ['-f', 'lavfi', '-i', 'testsrc=duration=60', '-f', 'rawvideo', '-y', '/dev/full']
    expect((await failure({ args: full })).code).toBe('DISK_FULL')
    const stuck = ['-f', 'rawvideo', '-s', '64x64', '-i', 'pipe:3', '-f', 'null', '-']
    const never = await failure({
      args: stuck,
      stallSeconds: 0.5,
      inputs: [() => new Promise(() => undefined)],
    })
    expect(never.message).toMatch(/no progress for 0.5 seconds/)
    expect((await failure({ args: slow, timeoutSeconds: 0.3 })).message).toMatch(/did not finish/)
    expect((await failure({ executable: '/nowhere/ffmpeg' })).message).toMatch(/could not be started/)
    const reader = await failure({
      args: ['-f', 'lavfi', '-i', 'testsrc=duration=60', '-f', 'rawvideo', 'pipe:1'],
      onStdout: () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    })
    expect(reader.code).toBe('DISK_FULL')
  })

  it('gives the tool nothing of its own environment', async () => {
    process.env['CUTROOM_TEST_SECRET'] = 'do not tell'
    const script = 'process.stdout.write(JSON.stringify(Object.keys(process.env)))'
    const { stdout } = await runTool({ executable: process.execPath, args: ['-e', script] })
    // What confines a tool tells it its folder, which is the root.
    const names = JSON.parse(stdout.toString()) as string[]
    expect(names.filter((name) => name !== 'PWD')).toEqual(['PATH', 'GCONV_PATH'])
    delete process.env['CUTROOM_TEST_SECRET']
  })
})

describe('the reaper', () => {
  const windows = process.platform === 'win32'
  if (windows) console.log('skipped: on Windows children die with their parent by themselves')
  it.skipIf(windows)('kills what a killed engine’s threads have started, then ends itself', async () => {
    const program = join(import.meta.dirname, '..', 'support', 'orphan-parent.ts')
    const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    for await (const chunk of parent.stdout) {
      text += String(chunk)
      if (text.includes('tool runs')) break
    }
    const reaper = Number(/reaper (\d+)/.exec(text)?.[1])
    const tools = await findProcesses(`orphan of ${parent.pid}`)
    expect(tools).not.toEqual([])
    const pids = [...tools, reaper]
    expect(pids.every((pid) => pid > 1 && isAlive(pid))).toBe(true)
    parent.kill('SIGKILL')
    // The reaper has only just been started: on a full machine it is a while before it reads its first line.
    for (const pid of pids) expect(await gone(pid, 20_000)).toBe(true)
  })
})

describe('locating the tools', () => {
  it('finds the bundled ones, with a fingerprint that stays', async () => {
    const options = { ffmpeg: null, ffprobe: null, fallbackFolder: join(folder, 'bin') }
    const first = await locateTools(options)
    const second = await locateTools(options)
    expect(first).toEqual(second)
    expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(first.version).toMatch(/ffmpeg version .*; ffprobe version /)
    const able = await readCapabilities(first.paths.ffmpeg)
    expect(['libx264', 'aac'].every((name) => able.encoders.has(name))).toBe(true)
    expect([able.filters.has('zscale'), able.filters.has('xfade'), able.decoders.has('h264')]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('names a configured tool that does not run, and how to repair it', async () => {
    const fake = join(folder, 'ffmpeg')
    await writeFile(fake, '#!/bin/sh\necho nothing\n')
    await chmod(fake, 0o755)
    const error: unknown = await locateTools({ ffmpeg: fake, ffprobe: null, fallbackFolder: folder }).catch(
      (e: unknown) => e,
    )
    expect(error).toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('CUTROOM_FFMPEG') as string,
    })
  })
})
