/** RTMP pull against ffmpeg's own RTMP server, and against servers that refuse, stop or talk nonsense. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { sourcePath } from '../../workers/artefacts.ts'
import { decodeAmf, encodeAmf } from '../../workers/stages/record/rtmp/amf.ts'
import { createChunkReader, encodeMessage } from '../../workers/stages/record/rtmp/chunks.ts'
import { runRecord } from '../../workers/stages/record/stage.ts'
import { ask, h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { until } from '../support/run-on-jobs.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'

type Params = Parameters<typeof runRecord>[1]

let root: string
let talk: string
let child: ChildProcess | null = null
let server: Server | null = null

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-rtmp-'))
  talk = await makeMedia(root, 'talk.mp4', [...picture(10), ...tone(10), ...h264(25)])
})
afterEach(() => {
  child?.kill('SIGKILL')
  server?.close()
  ;[child, server] = [null, null]
})
afterAll(() => rm(root, { recursive: true, force: true }))

const params = (url: string, change: Partial<Params> = {}): Params => ({
  url,
  addresses: 'any',
  chunkSeconds: 4,
  maxSeconds: 3600,
  maxBytes: 1e9,
  stallSeconds: 2,
  idleTimeoutSeconds: 10,
  minFreeBytes: 0,
  done: [],
  ...change,
})

let homes = 0
const record = (url: string, change: Partial<Params> = {}) => {
  const home = join(root, `home-${homes++}`)
  const run = runStageForTest(runRecord, params(url, change), { root: home })
  return { home, run }
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Waits until a server listens there. It takes one connection only, so connecting is no way to test it. */
async function listening(port: number): Promise<void> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`
  await until(
    () => readFileSync('/proc/net/tcp', 'utf8').includes(wanted),
    60_000,
    () => `nobody listens on ${port}`,
  )
}

it.skipIf(process.platform !== 'linux')('records what ffmpeg serves, in chunks, to its end', async () => {
  const port = await freePort()
  const url = `rtmp://127.0.0.1:${port}/app/talk`
  const { ffmpeg } = bundledTools()
  child = spawn(ffmpeg, ['-v', 'error', '-i', talk, '-c', 'copy', '-f', 'flv', '-listen', '1', url], {
    stdio: 'ignore',
  })
  await listening(port)
  const { home, run } = record(url)
  const { output, parts, warnings } = await run
  expect(output.live).toBe(true)
  expect(parts).toEqual(output.chunks)
  expect(output.chunks.map(({ index }) => index)).toEqual([0, 1, 2])
  expect(output.chunks.map(({ seconds }) => Math.round(seconds))).toEqual([4, 4, 2])
  expect(warnings.filter((message) => !message.startsWith('Nothing more came'))).toEqual([])
  let pictures = 0
  for (const { digest, seconds } of output.chunks) {
    const path = sourcePath(join(home, 'sources'), digest)
    const text = await ask(path, 'stream=codec_type,nb_frames,duration')
    const durations = [...text.matchAll(/^duration=([\d.]+)$/gm)].map((match) => Number(match[1]))
    expect(durations).toHaveLength(2)
    for (const duration of durations) expect(Math.abs(duration - seconds)).toBeLessThan(0.2)
    pictures += Number(/codec_type=video[\s\S]*?nb_frames=(\d+)/.exec(text)?.[1])
  }
  // No picture is lost between chunks.
  expect(pictures).toBe(250)
})

/** A server that does the handshake and answers each command by `answer`. */
async function talkingServer(
  answer: (
    command: string,
    send: (...values: Parameters<typeof encodeAmf>[0]) => void,
    socket: Socket,
  ) => void,
) {
  const commands: unknown[][] = []
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    const reader = createChunkReader()
    let greeted: Buffer | null = Buffer.alloc(0)
    socket.on('data', (data: Buffer) => {
      let rest = data
      if (greeted !== null) {
        greeted = Buffer.concat([greeted, data])
        if (greeted.length === 1537)
          socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536), greeted.subarray(1)]))
        if (greeted.length < 3073) return
        rest = greeted.subarray(3073)
        greeted = null
      }
      for (const { type, payload } of reader.push(rest)) {
        if (type !== 20) continue
        const values = decodeAmf(payload)
        commands.push(values)
        const send = (...reply: Parameters<typeof encodeAmf>[0]) =>
          void socket.write(encodeMessage(3, { type: 20, stream: 0, payload: encodeAmf(reply) }))
        answer(values[0] as string, send, socket)
      }
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { port, commands }
}

it('requests the application and the stream of the address, and reports the server’s reason for a refusal', async () => {
  const { port, commands } = await talkingServer((command, send) => {
    if (command === 'connect') send('_result', 1, null, { code: 'NetConnection.Connect.Success' })
    if (command === 'createStream') send('_result', 2, null, 7)
    if (command === 'play')
      send('onStatus', 0, null, {
        level: 'error',
        code: 'NetStream.Play.StreamNotFound',
        description: 'no such stream',
      })
  })
  const { run } = record(`rtmp://127.0.0.1:${port}/live/room/talk?token=x`)
  await expect(run).rejects.toMatchObject({
    code: 'SOURCE_UNREACHABLE',
    message: expect.stringMatching(/StreamNotFound: no such stream/) as string,
  })
  expect(commands[0]?.[2]).toMatchObject({ app: 'live/room', tcUrl: `rtmp://127.0.0.1:${port}/live/room` })
  expect(commands.find(([name]) => name === 'play')).toEqual(['play', 3, null, 'talk?token=x', -2000])
})

it('takes a rejected connection for forbidden, at once', async () => {
  const { port, commands } = await talkingServer((_, send) =>
    send('_error', 1, null, {
      code: 'NetConnection.Connect.Rejected',
      description: '[ code=403 need auth ]',
    }),
  )
  await expect(record(`rtmp://127.0.0.1:${port}/live/talk`).run).rejects.toMatchObject({
    code: 'SOURCE_FORBIDDEN',
  })
  expect(commands).toHaveLength(1)
})

it('gives up a stream that sends only pings', async () => {
  const ping = encodeMessage(2, { type: 4, stream: 0, payload: Buffer.from([0, 6, 0, 0, 0, 1]) })
  const beats: NodeJS.Timeout[] = []
  const { port } = await talkingServer((command, send, socket) => {
    if (command === 'connect') send('_result', 1, null, { code: 'NetConnection.Connect.Success' })
    if (command === 'createStream') send('_result', 2, null, 1)
    if (command === 'play') beats.push(setInterval(() => socket.write(ping), 50))
  })
  await expect(record(`rtmp://127.0.0.1:${port}/live/talk`, { stallSeconds: 1 }).run).rejects.toMatchObject({
    code: 'SOURCE_UNREACHABLE',
  })
  for (const beat of beats) clearInterval(beat)
})

it.each([
  ['rtmp://169.254.169.254/live/x', 'any', 'SOURCE_FORBIDDEN'],
  ['rtmp://127.0.0.1:1/live/x', 'public', 'SOURCE_FORBIDDEN'],
  ['rtmp://[fd00:ec2::254]/live/x', 'any', 'SOURCE_FORBIDDEN'],
  ['rtmp://127.0.0.1:1/live', 'any', 'INVALID_URL'],
] as const)('%s under the rule %s: %s', async (url, addresses, code) => {
  await expect(record(url, { addresses }).run).rejects.toMatchObject({ code })
})

it('reports a server that speaks another protocol', async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await expect(record(`rtmp://127.0.0.1:${port}/live/x`).run).rejects.toMatchObject({
    code: 'SOURCE_NOT_VIDEO',
  })
})
