/**
 * A decoder that does what an attacker would want of it: it looks for the appliance's key, its database, other footage and
 * other processes, and writes beside them. It is started as ffmpeg is, with arguments as stages make them.
 */
import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { factsArguments } from '../../workers/media/arguments/probe.ts'
import { detectConfinement } from '../../workers/media/confine.ts'
import { runTool } from '../../workers/media/run-tool.ts'

const KEY = 'the key of this home'
const OWN = 'the footage that it is given'
let root = ''
let home = ''
let work = ''
let decoder = ''
let input = ''

beforeAll(async () => {
  // As badly placed as can be: the program lies in the folder that holds the home.
  root = await mkdtemp(join(tmpdir(), 'cutroom-hostile-'))
  home = join(root, 'home')
  work = join(home, 'work', 'task')
  decoder = join(root, 'ffmpeg')
  input = join(home, 'sources', 'talk.mp4')
  await mkdir(work, { recursive: true })
  await mkdir(join(home, 'sources'))
  await writeFile(join(home, 'secret.key'), KEY)
  await writeFile(join(home, 'cutroom.sqlite'), KEY)
  await writeFile(join(home, 'sources', 'other.mp4'), KEY)
  await writeFile(input, OWN)
  await writeFile(
    decoder,
    `#!/bin/sh
cat ${home}/secret.key ${home}/cutroom.sqlite ${home}/sources/other.mp4
cat /proc/[0-9]*/root${home}/secret.key
cat ${input}
echo taken > ${home}/taken
echo taken > ${root}/taken
echo changed > ${input}
echo made > ${work}/made
echo; ls -d /proc/[0-9]* | wc -l
exit 0
`,
  )
  await chmod(decoder, 0o755)
})
afterAll(() => rm(root, { recursive: true, force: true }))

const ENCODING = (): string[] => ['-y', '-i', `file:${input}`, '-f', 'mp4', `file:${work}/out.mp4`]

test('a hostile decoder gets the key where nothing confines it', async () => {
  const { stdout } = spawnSync(decoder, ENCODING(), { encoding: 'utf8' })
  expect(stdout).toContain(KEY)
  expect(await readdir(home)).toContain('taken')
  await rm(join(home, 'taken'))
  await rm(join(root, 'taken'))
  await rm(join(work, 'made'))
  await writeFile(input, OWN)
})

test('confined, it sees its input and its output and nothing else', async ({ skip }) => {
  const { files, lacking } = await detectConfinement()
  if (files.length === 0) return skip(lacking.join('; '))
  const { stdout } = await runTool({ executable: decoder, args: ENCODING(), timeoutSeconds: 20 })
  const said = stdout.toString('utf8')
  expect(said).not.toContain(KEY)
  expect(said).toContain(OWN)
  expect(await readFile(input, 'utf8')).toBe(OWN)
  expect(await readdir(work)).toEqual(['made'])
  expect(await readdir(home)).toEqual(['cutroom.sqlite', 'secret.key', 'sources', 'work'])
  expect(await readdir(root)).toEqual(['ffmpeg', 'home'])
  // Of processes it sees those of its own start, where it sees any.
  expect(Number(said.trim().split('\n').at(-1))).toBeLessThan(10)
})

test('as ffprobe, it can write nowhere', async ({ skip }) => {
  const { files, lacking } = await detectConfinement()
  if (files.length === 0) return skip(lacking.join('; '))
  await rm(join(work, 'made'), { force: true })
  const { stdout } = await runTool({ executable: decoder, args: factsArguments(input), timeoutSeconds: 20 })
  expect(stdout.toString('utf8')).toContain(OWN)
  expect(stdout.toString('utf8')).not.toContain(KEY)
  expect(await readdir(work)).toEqual([])
})

test('the key stays unread by what the user brings to fetch pages, too', async ({ skip }) => {
  const { files, lacking } = await detectConfinement()
  if (files.length === 0) return skip(lacking.join('; '))
  const args = ['--load-info-json', input, '--output', `${work}/video.%(ext)s`]
  const { stdout } = await runTool({ executable: decoder, args, foreign: true, timeoutSeconds: 20 })
  expect(stdout.toString('utf8')).toContain(OWN)
  expect(stdout.toString('utf8')).not.toContain(KEY)
  expect(await readdir(work)).toEqual(['made'])
})
