/** Which ffmpeg is used, with real builds: the bundled one, and those that `npm run install:ffmpegs` brings. */
import { existsSync } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256OfFile } from '../../models/installed.ts'
import { fetchFfmpeg, pinnedFfmpeg, type PinnedFfmpeg } from '../../server/adapters/ffmpeg-download.ts'
import { installFfmpeg } from '../../server/adapters/ffmpeg-install.ts'
import { compareFfmpegs, findSameFfmpeg, listFfmpegs, takeFfmpeg } from '../../server/adapters/ffmpegs.ts'
import { mediaTools } from '../../server/adapters/media-tools.ts'
import { loadConfig, type Config } from '../../server/config/config.ts'
import { openHome } from '../../server/home.ts'
import { cutroom } from '../support/appliance-process.ts'
import { listInstalledFfmpegs } from '../support/installed-ffmpegs.ts'
import { bundledTools } from '../support/stage-harness.ts'
import { measureSlowness } from '../support/pace.ts'

const others = listInstalledFfmpegs()
if (others.length === 0) console.info('skipped: no other ffmpeg is here; npm run install:ffmpegs brings two')
const newest = others.at(-1)?.path ?? ''

let root = ''
let home = ''
let count = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-choice-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(() => {
  home = openHome(join(root, `home-${(count += 1)}`)).root
})

const config = (changes: Partial<Config> = {}): Config => ({
  ...loadConfig({ home }, {}),
  encoder: 'software',
  ...changes,
})
const taken = async (changes: Partial<Config> = {}) =>
  takeFfmpeg(config(changes), await compareFfmpegs(config(changes)))

/** A program that is no ffmpeg that clips can be made by. */
async function program(name: string, script: string): Promise<string> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'ffmpeg')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

describe('the choice', () => {
  it('is the bundled one where there is no other, without a trial', async () => {
    expect(await taken()).toMatchObject({ taken: { origin: 'bundled' }, reason: 'it is the only one' })
    expect(existsSync(join(home, 'tools'))).toBe(false)
  })

  it.skipIf(newest === '')(
    'is a newer one on the PATH, and says why; the bundled one where that is set',
    async () => {
      const choice = await taken({ ffmpegOnPath: newest })
      expect(choice).toMatchObject({
        taken: { origin: 'path', ffmpeg: newest },
        reason: expect.stringMatching(
          /^unlike the bundled one it decodes AV1 faster .*the filters xfade, arnndn$/,
        ) as string,
      })
      const pinned = await taken({ ffmpegOnPath: newest, ffmpeg: 'bundled' })
      expect(pinned.tools.paths).toMatchObject({ ffmpeg: bundledTools().ffmpeg })
      expect((await taken({ ffmpegOnPath: newest, queue: 'bullmq' })).taken.origin).toBe('bundled')
    },
  )

  it('is no other in place of a configured one that cannot be used', async () => {
    const silent = await program('silent', 'exit 1')
    await expect(taken({ ffmpeg: silent })).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(
        /silent\/ffmpeg cannot make clips: .*does not run.* or unset it/,
      ) as string,
    })
    const { code, stderr } = await cutroom(['serve', '--port', '0', '--home', home], {
      environment: { CUTROOM_FFMPEG: silent },
    })
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/silent\/ffmpeg cannot make clips/),
    ])
  })

  it('leaves out one that fails at what clips need, and names the failure', async () => {
    const real = bundledTools().ffmpeg
    const blind = await program(
      'blind',
      `case "$*" in *trial-clip*|*clip.mp4*) exit 1;; esac\nexec '${real}' "$@"`,
    )
    const found = await compareFfmpegs(config({ ffmpegOnPath: blind }))
    expect(found.map(({ origin, problem }) => [origin, problem === null])).toEqual([
      ['bundled', true],
      ['path', false],
    ])
    expect(takeFfmpeg(config(), found)).toMatchObject({
      taken: { origin: 'bundled' },
      reason: 'no other can be used',
    })
  })

  it('counts a link to the bundled one once', async () => {
    const link = join(root, 'link')
    await symlink(bundledTools().ffmpeg, link)
    expect(await listFfmpegs(config({ ffmpegOnPath: link }))).toHaveLength(1)
  })

  it.skipIf(newest === '')('is remembered for these files, and made anew for others', async () => {
    const place = join(root, 'moving')
    await mkdir(place)
    const path = join(place, 'ffmpeg')
    await copyFile(newest, path)
    const first = await compareFfmpegs(config({ ffmpegOnPath: path }))
    const started = performance.now()
    const second = await compareFfmpegs(config({ ffmpegOnPath: path }))
    expect(second).toEqual(first)
    // Four questions for versions.
    expect(performance.now() - started).toBeLessThan(3000 * measureSlowness())
    await utimes(path, 1, 1)
    const third = await compareFfmpegs(config({ ffmpegOnPath: path }))
    expect(third.map(({ problem }) => problem)).toEqual([null, null])
    const note = JSON.parse(await readFile(join(home, 'tools/ffmpegs.json'), 'utf8')) as { found: object }
    expect(Object.keys(note.found)).toHaveLength(3)
  })

  it('tells a worker node which of its builds the appliance has', async () => {
    const { fingerprint, paths } = await mediaTools(config())
    expect(
      (await findSameFfmpeg(config({ ffmpegOnPath: newest === '' ? null : newest }), fingerprint))?.paths,
    ).toEqual({
      ffmpeg: paths.ffmpeg,
      ffprobe: paths.ffprobe,
    })
    expect(await findSameFfmpeg(config(), 'another')).toBeNull()
    expect(paths.chosen).toBe('the bundled one: it is the only one')
  })
})

describe.each(others)('$name', ({ path }) => {
  it('does all that clips need, decodes AV1 and has the newer filters', async () => {
    const found = await listFfmpegs(config({ ffmpegOnPath: path, encoder: 'auto' }))
    const one = found.find(({ origin }) => origin === 'path')
    expect(one?.problem).toBeNull()
    expect(one?.abilities?.filters).toEqual(['xfade', 'arnndn', 'zscale', 'tonemap', 'bwdif', 'yadif'])
    expect(one?.abilities?.framesPerSecond.av1).toBeGreaterThan(0)
    expect(one?.abilities?.encoders.length).toBeGreaterThan(0)
  })
})

describe('an ffmpeg that is installed', () => {
  const request = () => ({ from: newest === '' ? bundledTools().ffmpeg : newest })

  it('is kept with its checksum, used, and not used any more when it has changed', async () => {
    const { folder, ffmpeg } = await installFfmpeg(config(), request())
    expect(ffmpeg.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect((await readdir(folder)).sort()).toEqual(['ffmpeg', 'installed.json'])
    const file = join(folder, 'ffmpeg')
    const origins = async () =>
      (await compareFfmpegs(config())).map(({ origin, problem }) => [origin, problem])
    expect(await origins()).toEqual([
      ['bundled', null],
      ['installed', null],
    ])
    await utimes(file, 1, 1)
    expect(await origins()).toEqual([
      ['bundled', null],
      ['installed', null],
    ])
    await writeFile(file, '#!/bin/sh\n')
    expect(await origins()).toEqual([
      ['bundled', null],
      ['installed', expect.stringContaining('not the file that was installed')],
    ])
    expect((await taken()).taken.origin).toBe('bundled')
  })

  it('is not installed with another checksum, or when it cannot make clips; what was there stays', async () => {
    const before = await installFfmpeg(config(), request())
    const names = () => readdir(join(home, 'tools'))
    const there = await names()
    const wrong = installFfmpeg(config(), { ...request(), sha256: 'ab'.repeat(32) })
    await expect(wrong).rejects.toMatchObject({
      code: 'INVALID_USAGE',
      message: expect.stringContaining('SHA-256') as string,
    })
    const silent = await program('useless', 'exit 1')
    await expect(installFfmpeg(config(), { from: silent })).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('useless/ffmpeg was not installed') as string,
    })
    await expect(installFfmpeg(config(), { from: join(root, 'nowhere') })).rejects.toMatchObject({
      code: 'INVALID_USAGE',
    })
    expect(await names()).toEqual(there)
    expect(JSON.parse(await readFile(join(before.folder, 'installed.json'), 'utf8'))).toMatchObject({
      ffmpeg: before.ffmpeg,
    })
    await mkdir(join(home, 'tools', 'ffmpeg.partial-killed'))
    await installFfmpeg(config(), request())
    expect(await names()).toEqual(there)
  })

  it('is brought and listed by command', async () => {
    const installed = await cutroom(['ffmpeg', 'install', '--from', request().from, '--home', home, '--json'])
    expect(installed).toMatchObject({ code: 0 })
    const environment = { CUTROOM_FFMPEG: '', CUTROOM_ENCODER: 'auto', PATH: '/nonexistent' }
    const list = await cutroom(['ffmpeg', 'list', '--home', home, '--json'], { environment })
    const told = JSON.parse(list.stdout) as {
      taken: string
      reason: string
      builds: Record<string, unknown>[]
    }
    expect(told.builds.map(({ from }) => from)).toEqual(['bundled', 'installed'])
    expect(told.taken).toBe(newest === '' ? bundledTools().ffmpeg : join(home, 'tools/ffmpeg/ffmpeg'))
    const text = await cutroom(['ffmpeg', 'list', '--home', home], { environment })
    expect(text.stdout).toMatch(/^bundled: .*nvenc is not in this build of ffmpeg/m)
    expect(text.stdout).toMatch(/^Used: /m)
    const doctor = await cutroom(['doctor', '--home', home], { environment })
    expect(doctor.stdout).toContain(told.reason.split(' (')[0])
  })
})

describe('a pinned ffmpeg', () => {
  const bundled = bundledTools().ffmpeg
  let server: Server
  let pinned: PinnedFfmpeg
  /** Bytes after which the next answer breaks off; null: none does. */
  let breaksAfter: number | null = null
  let ranges: (string | undefined)[] = []

  beforeAll(async () => {
    const body = await readFile(bundled)
    server = createServer((request, response) => {
      ranges.push(request.headers.range)
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
      const length = body.length - start
      response.writeHead(start === 0 ? 200 : 206, { 'content-length': length, etag: '"one"' })
      const cut = breaksAfter
      breaksAfter = null
      if (cut === null) response.end(body.subarray(start))
      else response.write(body.subarray(start, start + cut), () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    pinned = {
      version: '4.4',
      url: `http://127.0.0.1:${port}/ffmpeg`,
      bytes: body.length,
      sha256: await sha256OfFile(bundled),
    }
  })
  afterAll(() => server.close())
  beforeEach(() => {
    ranges = []
  })

  it('is fetched, held against its checksum, tried, and lies in the home', async () => {
    const notes: string[] = []
    const installed = await fetchFfmpeg(config(), pinned, { onProgress: (_share, note) => notes.push(note) })
    expect(installed.ffmpeg).toMatchObject({ sha256: pinned.sha256, bytes: pinned.bytes })
    expect(await sha256OfFile(join(home, 'tools/ffmpeg/ffmpeg'))).toBe(pinned.sha256)
    expect(notes.at(-1)).toBe('Trying it')
    expect(await readdir(join(home, 'tools/.partial'))).toEqual([])
    expect((await compareFfmpegs(config())).map(({ origin }) => origin)).toContain('installed')
  })

  it('goes on where a download broke off', async () => {
    breaksAfter = 2_000_000
    await expect(fetchFfmpeg(config(), pinned)).rejects.toMatchObject({
      code: 'FFMPEG_NOT_INSTALLED',
      message: expect.stringMatching(/could not deliver ffmpeg: .*--from FILE/) as string,
    })
    const { ffmpeg } = await fetchFfmpeg(config(), pinned)
    expect(ffmpeg.sha256).toBe(pinned.sha256)
    // What was on its way when the connection broke did not all arrive.
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d+-$/)])
  })

  it('is not installed with another checksum or size, nor with the network off; what was there stays', async () => {
    const before = await fetchFfmpeg(config(), pinned)
    const refused = async (changes: Partial<PinnedFfmpeg>, network: Config['network'] = 'on') => {
      const outcome = fetchFfmpeg(config({ network }), { ...pinned, ...changes })
      return (await outcome.catch((error: unknown) => error)) as Error
    }
    expect((await refused({ sha256: 'ab'.repeat(32) })).message).toContain('is not the pinned file')
    expect((await refused({ bytes: 5 })).message).toContain(`${pinned.bytes} bytes instead of 5`)
    expect((await refused({}, 'off')).message).toContain('CUTROOM_NETWORK')
    expect(await readdir(join(home, 'tools/.partial'))).toEqual([])
    expect(JSON.parse(await readFile(join(before.folder, 'installed.json'), 'utf8'))).toMatchObject({
      ffmpeg: before.ffmpeg,
    })
  })

  it('ends when it is stopped', async () => {
    const stopping = new AbortController()
    const fetching = fetchFfmpeg(config(), pinned, {
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    })
    await expect(fetching).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(existsSync(join(home, 'tools/ffmpeg'))).toBe(false)
  })

  it('is named by the command before it is fetched, and a failure says what else there is', async () => {
    const environment = { HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9' }
    const failed = await cutroom(['ffmpeg', 'install', '--home', home], { environment })
    expect(failed.code).toBe(1)
    expect(failed.stderr).toMatch(/^ffmpeg 7\.[\d.]+, [\d.]+ MB, under the GPL: https:/m)
    expect(failed.stderr).toMatch(/could not deliver ffmpeg-.*--from FILE/)
    const alone = await cutroom(['ffmpeg', 'install', '--sha256', 'ab'.repeat(32), '--home', home])
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--from') as string])
  })

  it('has an address that names a commit, for each system that Cutroom is built for', () => {
    for (const machine of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'])
      expect(pinnedFfmpeg(...(machine.split('-') as [string, string]))).toMatchObject({
        url: expect.stringMatching(/^https:.*\/[0-9a-f]{40}\//) as string,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      })
    expect(pinnedFfmpeg('sunos', 'x64')).toBeNull()
  })

  // The same release, brought another way.
  const seven = others.find(({ name }) => name.endsWith('linux-x86_64-v7.0.2'))?.path
  it.skipIf(seven === undefined)('is the build that all golden frames were held against', async () => {
    expect(await sha256OfFile(seven ?? '')).toBe(pinnedFfmpeg('linux', 'x64')?.sha256)
  })
})
