/**
 * ffmpeg and ffprobe as they are started: under control of a hostile file they read no other file, open no connection,
 * and use no more memory than their limit.
 */
import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AppError } from '../../server/contract/errors.ts'
import { ffmpegStart } from '../../workers/media/arguments/input.ts'
import { decodeCheckArguments, factsArguments } from '../../workers/media/arguments/probe.ts'
import { confineTool, detectConfinement, memoryLimit } from '../../workers/media/confine.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from '../support/stage-harness.ts'

const { ffmpeg, ffprobe } = bundledTools()
const SECRET = 'what stands in the secret file'
let folder = ''
let server: Server
let asked = 0
let address = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-confined-'))
  await writeFile(join(folder, 'secret.txt'), `${SECRET}\n`.repeat(200))
  server = createServer((_request, response) => {
    asked += 1
    response.end('inside')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Files that pass for a video by their name, and name others inside. */
const TRICKS: Readonly<Record<string, (secret: string, url: string) => string>> = {
  'a playlist of a local file': (secret) =>
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
  'a playlist of an address': (_secret, url) => `#EXTM3U\n#EXTINF:10.0,\n${url}/a.ts\n#EXT-X-ENDLIST\n`,
  'a playlist that joins an address and a file': (secret, url) =>
    `#EXTM3U\n#EXTINF:1,\nconcat:${url}/head|file://${secret}\n#EXT-X-ENDLIST\n`,
  'a playlist with subfile': (secret) =>
    `#EXTM3U\n#EXTINF:1,\nsubfile,,start,0,end,99,,:${secret}\n#EXT-X-ENDLIST\n`,
  'a playlist with a key at an address': (secret, url) =>
    `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"\n#EXTINF:1,\nfile://${secret}\n#EXT-X-ENDLIST\n`,
  'a concat script': (secret) => `ffconcat version 1.0\nfile '${secret}'\n`,
  'a DASH manifest': (_secret, url) =>
    `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1" bandwidth="1"><BaseURL>${url}/v.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  'a session description': (_secret, url) =>
    `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 ${new URL(url).hostname}\nt=0 0\nm=video ${new URL(url).port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
}

async function outcome(executable: string, args: readonly string[]): Promise<string> {
  try {
    // With this machine's network: it is the protocols that are looked at here.
    const { stdout, stderr } = await runTool({ executable, args, timeoutSeconds: 20, network: 'loopback' })
    return stdout.toString('latin1') + stderr
  } catch (error) {
    return `refused: ${(error as AppError).message} ${String((error as AppError).details?.['stderr'])}`
  }
}

describe.each(Object.entries(TRICKS))('%s named talk.mp4', (name, content) => {
  test('opens no other file and no connection', async () => {
    const file = join(folder, 'talk.mp4')
    await writeFile(file, content(join(folder, 'secret.txt'), address))
    const before = asked
    for (const said of [
      await outcome(ffprobe, factsArguments(file)),
      await outcome(ffmpeg, decodeCheckArguments(file, 0, 'video')),
      // Without the list of formats, too: the protocols alone, which the spawner sets, are in the way.
      await outcome(ffmpeg, [...ffmpegStart(), '-i', `file:${file}`, '-c', 'copy', '-f', 'data', 'pipe:1']),
    ]) {
      expect(said, name).not.toContain(SECRET)
      expect(said, name).toMatch(/^refused/)
    }
    expect(asked).toBe(before)
  })
})

const SHOW_NETWORK = '/proc/self/net/dev'

describe('where the system allows it', () => {
  test('a tool has no network: not even the loopback of this machine', async ({ skip }) => {
    const { network, lacking } = await detectConfinement()
    if (network.length === 0) return skip(lacking.join('; '))
    // What the kernel shows to the started process itself: a file without a form, read as it is.
    const raw = ['-f', 'u8', '-ar', '8000', '-ac', '1']
    const read = [...ffmpegStart(), ...raw, '-i', `file:${SHOW_NETWORK}`, '-f', 'u8', '-c', 'copy', 'pipe:1']
    const { stdout } = await runTool({ executable: ffmpeg, args: read, timeoutSeconds: 20 })
    const interfaces = stdout.toString('latin1').match(/^ *[\w.-]+:/gm) ?? []
    expect(interfaces.map((one) => one.trim())).toEqual(['lo:'])
    const [, loopback] = /^ *lo: *(\d+)/m.exec(stdout.toString('latin1')) ?? []
    expect(loopback).toBe('0')
    const open = await runTool({ executable: ffmpeg, args: read, network: 'loopback', timeoutSeconds: 20 })
    expect(/^ *lo: *(\d+)/m.exec(open.stdout.toString('latin1'))?.[1]).not.toBe('0')
  })

  test('a tool that requests more memory than its limit is refused', async ({ skip }) => {
    const { memory, lacking } = await detectConfinement()
    if (memory.length === 0) return skip(lacking.join('; '))
    const { executable, args } = await confineTool({ executable: ffprobe, args: [] }, 'none', 'look')
    expect([executable, ...args]).toContain(`--data=${memoryLimit('look')}`)
    const script = `new Uint8Array(new ArrayBuffer(${memoryLimit('look') + 1024 ** 3})).fill(1)`
    const limited = await confineTool({ executable: process.execPath, args: ['-e', script] }, 'none', 'look')
    const { status, stderr } = spawnSync(limited.executable, limited.args, { encoding: 'utf8' })
    expect(status).not.toBe(0)
    expect(stderr).toMatch(/allocation failed/i)
  })

  test("the user's own yt-dlp has the network, and memory as limited as the rest", async ({ skip }) => {
    const { memory, lacking } = await detectConfinement()
    if (memory.length === 0) return skip(lacking.join('; '))
    const script = `cat ${SHOW_NETWORK} /proc/self/limits`
    const shell = { executable: '/bin/sh', args: ['-c', script], timeoutSeconds: 20 }
    const said = (await runTool({ ...shell, foreign: true })).stdout.toString('latin1')
    expect(/^ *lo: *(\d+)/m.exec(said)?.[1]).not.toBe('0')
    expect(said).toMatch(new RegExp(`^Max data size +${memoryLimit('work')} `, 'm'))
  })
})

test('a missing program is reported as such, confined or not', async () => {
  const missing = join(folder, 'no-such-tool')
  expect(await outcome(missing, ['-version'])).toMatch(/could not be started.*ENOENT/)
})
