/** `cutroom profiles list` and `cutroom export --profile`, as a person types them, on a clip that a run has made. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROFILES } from '../../server/contract/profiles/registry.ts'
import { cutroom } from '../support/appliance-process.ts'
import { node } from '../support/node-values.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'
import { commandLine, processesNaming, until } from '../support/run-on-jobs.ts'

const media = join(import.meta.dirname, '..', '..', '..', 'shared', 'media', 'people')
const present = existsSync(join(media, 'nasa_13013.mp4'))
if (!present)
  console.log(
    'export: the sample that ships is used, because the development media are not beside the project',
  )

let house: RunEnvironment
let clipId = ''
let out = ''

/** A clip of a narrated film with its captions; its home is open in this process, as beside a running appliance. */
beforeAll(async () => {
  house = await openRunEnvironment()
  const film = join(house.root, 'webb.mp4')
  if (present) {
    await copyFile(join(media, 'nasa_13013.mp4'), film)
    await copyFile(join(media, 'nasa.srt'), join(house.root, 'webb.srt'))
  } else await copyFile(join('resources', 'sample', 'sample.mp4'), film)
  ;({ clip: { id: clipId } } = await house.clipOf(film, [pinned(1, 5), node('add_subtitles')])) // prettier-ignore
  out = join(house.root, 'out')
  await mkdir(out)
}, 300_000)
afterAll(() => house.close())

const run = (words: readonly string[]) =>
  cutroom(words, { environment: { CUTROOM_HOME: house.home.root }, timeoutMs: 180_000 })
const exported = (profile: string, output: string, id = clipId) =>
  run(['export', id, '--profile', profile, '--output', output, '--json'])

it('lists every profile, with what this machine can make of them and why not', async () => {
  const { code, stdout } = await run(['profiles', 'list', '--json'])
  const listed = JSON.parse(stdout) as { name: string; available: boolean; why: string | null }[]
  expect([code, listed.map(({ name }) => name)]).toEqual([0, PROFILES.map(({ name }) => name)])
  expect(listed.find(({ name }) => name === 'social-1080')).toMatchObject({
    extension: 'mp4',
    available: true,
    why: null,
    encoder: 'libx264',
  })
  for (const { available, why } of listed) expect(available).toBe(why === null)
}, 240_000)

describe('cutroom export --profile', () => {
  it('writes the finished file with its captions beside it, and leaves nothing in the home', async () => {
    const { code, stdout, stderr } = await exported('broadcast-r128-25i', join(out, 'clip.mxf'))
    expect([code, stderr.includes('%')]).toEqual([0, true])
    expect(JSON.parse(stdout)).toMatchObject({
      profile: 'broadcast-r128-25i',
      file: join(out, 'clip.mxf'),
      width: 1920,
      height: 1080,
      frames: 100,
      durationSeconds: 4,
      encoder: 'mpeg2video',
      sidecars: [join(out, 'clip.xml')],
    })
    expect((await readdir(out)).toSorted()).toEqual(['clip.mxf', 'clip.xml'])
    expect(await readFile(join(out, 'clip.xml'), 'utf8')).toContain('urn:ebu:tt:distribution')
    const kept = join(house.home.artefacts, 'export')
    const left = existsSync(kept) ? await readdir(kept, { recursive: true, withFileTypes: true }) : []
    expect(left.filter((entry) => entry.isFile())).toEqual([])
  }, 240_000)

  it('refuses everything that cannot be done before it begins, and leaves no file', async () => {
    const folder = join(out, 'folder')
    await mkdir(folder)
    const cases = [
      [await exported('vhs', join(out, 'a.mov')), 'INVALID_REQUEST'],
      [await exported('gif', folder), 'INVALID_REQUEST'],
      [await exported('gif', join(out, 'nowhere', 'a.gif')), 'INVALID_REQUEST'],
      [await exported('gif', join(out, 'a.gif'), 'nothing'), 'CLIP_NOT_FOUND'],
      [await run(['export', clipId, '--profile', 'gif', '--json']), 'INVALID_USAGE'],
      [await run(['export', clipId, '--json']), 'INVALID_USAGE'],
      [await run(['export', clipId, '--profile', 'gif', '--format', 'srt', '--json']), 'INVALID_USAGE'],
    ] as const
    for (const [{ code, stdout, stderr }, expected] of cases) {
      expect([code === 0, `${stdout}${stderr}`.includes(expected)]).toEqual([false, true])
    }
    await rm(folder, { recursive: true })
    expect((await readdir(out)).filter((name) => !name.startsWith('clip.'))).toEqual([])
  }, 240_000)

  it('is ended by Ctrl-C with its ffmpeg, and leaves no file', async () => {
    const words = ['export', clipId, '--profile', 'hevc', '--output', join(out, 'stopped.mp4')]
    const child = spawn(process.execPath, [join('server', 'cli', 'bin.mjs'), ...words], {
      env: { ...process.env, CUTROOM_HOME: house.home.root },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    // What is said comes too late on a fast machine: the clip has four seconds.
    await until(
      () => processesNaming(house.root, /ffmpeg/u).some((pid) => commandLine(pid).includes('libx265')),
      120_000,
      () => said,
    )
    child.kill('SIGINT')
    expect(await ended).not.toBe(0)
    await until(
      () => processesNaming(house.root, /ffmpeg/u).length === 0,
      10_000,
      () => said,
    )
    expect((await readdir(out)).filter((name) => name.startsWith('stopped'))).toEqual([])
  }, 240_000)

  it('writes words without an encoder', async () => {
    const { code } = await exported('captions-scc', join(out, 'clip.scc'))
    expect([code, await readFile(join(out, 'clip.scc'), 'utf8')]).toEqual([
      0,
      expect.stringMatching(/^Scenarist_SCC V1\.0\n/u),
    ])
  }, 120_000)
})
