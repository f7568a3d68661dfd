/**
 * Watched folders of a real appliance: by the command line with kill -9 in the middle and clips in the output folder;
 * then the section of the settings in a real Chromium.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WatchedFile, WatchFolder } from '../../server/contract/watch.ts'
import { withServices } from '../../server/cli/open-home.ts'
import { describeWatchFolder } from '../../server/domain/watch/watch-folders.ts'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'
import { until } from '../support/run-on-jobs.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`the studio test of watched folders is skipped: ${NO_CHROMIUM}\n`)

/** Two short clips of the talk. */
const WORKFLOW = {
  name: 'Short clips',
  description: '',
  nodes: [{ id: 'find', type: 'find_clips', config: { min_length: 8, max_length: 15 } }],
  edges: [],
}

let folder: string
let talk: TinyTalk
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-watched-'))
  talk = await makeTinyTalk(folder)
  await writeFile(join(folder, 'workflow.json'), JSON.stringify(WORKFLOW))
  // The first call builds, where that is needed.
  expect((await cutroom(['--version'], { timeoutMs: 200_000 })).code).toBe(0)
}, 230_000)
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** What `cutroom WORDS... --json` prints. */
async function printed<T>(home: string, ...words: string[]): Promise<T> {
  const { code, stdout, stderr } = await cutroom([...words, '--home', home, '--json'])
  if (code !== 0) throw new Error(`cutroom ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

describe('by the command line', () => {
  let appliance: ServeProcess | null = null
  afterAll(() => appliance?.stop('SIGKILL'))

  it('a video that is put there becomes clips in the output folder, once, through kill -9 and a rename', async () => {
    const home = join(folder, 'home')
    const watched = join(folder, 'in')
    const output = join(folder, 'out')
    await mkdir(watched)
    appliance = await serve(home, [], { CUTROOM_MIN_FREE_BYTES: '0' })
    await printed(home, 'workflow', 'import', join(folder, 'workflow.json'), '--company', 'local')
    const words = ['watch', 'add', watched, '--workflow', 'Short clips', '--out', output, '--settle', '1s']
    const added = await printed<WatchFolder>(home, ...words)
    expect(added).toMatchObject({ companyId: 'local', folder: watched, output, state: 'active' })
    const inside = ['watch', 'add', watched, '--workflow', 'Short clips', '--out', join(watched, 'clips')]
    expect((await cutroom([...inside, '--home', home])).stderr).toMatch(/lies in the watched folder/)

    // A command for each look would take the processor from the renders.
    const show = () =>
      withServices({ home, json: false }, (services) => describeWatchFolder(services, added.id, 10).files)
    const explain = () => appliance?.stderr.slice(-20).join('\n') ?? ''
    await copyFile(talk.captions, join(watched, 'Größe 日本語.srt'))
    await copyFile(talk.video, join(watched, 'Größe 日本語.mp4'))
    const database = join(home, 'cutroom.sqlite')
    // As soon as its bytes are in the home, and before or just after there is a run.
    await until(
      () => readdirSync(join(home, 'sources')).some((name) => /^[0-9a-f]{2}$/.test(name)),
      20_000,
      explain,
    )
    await appliance.stop('SIGKILL')
    expect(existsSync(database)).toBe(true)
    appliance = await serve(home, [], { CUTROOM_MIN_FREE_BYTES: '0' })
    await until(async () => (await show()).length === 1, 20_000, explain)
    await rename(join(watched, 'Größe 日本語.mp4'), join(watched, 'later.mp4'))

    // In the middle of the run, when the first clip is there or nearly.
    await until(() => existsSync(join(home, 'artefacts', 'render')), 60_000, explain)
    await appliance.stop('SIGKILL')
    appliance = await serve(home, [], { CUTROOM_MIN_FREE_BYTES: '0' })
    await until(async () => (await show())[0]?.clips === 2, 150_000, explain)

    const { files } = await printed<{ files: WatchedFile[] }>(home, 'watch', 'show', added.id)
    expect(files.map(({ state, run, path }) => [path, state, run?.status])).toEqual([
      ['later.mp4', 'taken', 'Completed'],
    ])
    const written = readdirSync(output).toSorted()
    expect(written.filter((name) => name.endsWith('.mp4'))).toHaveLength(2)
    expect(written.filter((name) => name.endsWith('.srt'))).toHaveLength(2)
    expect(written).toHaveLength(6)
    for (const name of written) expect(name).toMatch(/^(later|Größe 日本語) - .+\.(mp4|srt|vtt)$/)
    expect(readFileSync(join(output, written.find((name) => name.endsWith('.srt')) ?? ''), 'utf8')).toMatch(
      /-->/,
    )
    for (const name of written) expect((await stat(join(output, name))).size).toBeGreaterThan(50)
    expect(readdirSync(watched).toSorted()).toEqual(['Größe 日本語.srt', 'later.mp4'])

    expect(await printed(home, 'watch', 'pause', added.id)).toMatchObject({ state: 'paused' })
    expect(await printed<WatchFolder[]>(home, 'watch', 'list', '--company', 'local')).toHaveLength(1)
    expect(await printed(home, 'watch', 'resume', added.id)).toMatchObject({ state: 'active' })
    await printed(home, 'watch', 'remove', added.id)
    expect(await printed(home, 'watch', 'list')).toEqual([])
    expect(readdirSync(output)).toHaveLength(6)
  }, 240_000)
})

describe.skipIf(chromium === null)('in the settings', () => {
  it('an owner adds a folder, sees what is taken and what failed, tries again, pauses and removes it', async () => {
    if (chromium === null) return
    const watched = join(folder, 'a long name of a folder on the share, so that lines must break', 'in')
    await mkdir(watched, { recursive: true })
    const studio = await openStudio(chromium, () => Promise.resolve({ CUTROOM_WATCH_ROOTS: folder }))
    try {
      await printed(studio.home, 'workflow', 'import', join(folder, 'workflow.json'), '--company', 'local')
      const page = await studio.newPage()
      await page.goto(studio.appliance.studioUrl)
      await page.getByRole('link', { name: 'Settings', exact: true }).click()
      await page
        .getByRole('navigation', { name: 'Settings' })
        .getByRole('link', { name: 'Watch folders' })
        .click()
      await page.getByText('No folder is watched yet.').waitFor()
      expect(await violations(page)).toEqual([])
      await shot(page, 'watch-empty')

      const field = (name: string) => page.getByLabel(name)
      await field('Folder on the appliance’s machine').fill('/etc')
      await field('Workflow').selectOption({ label: 'Short clips' })
      await field('Complete after, seconds').fill('1')
      await page.getByRole('button', { name: 'Watch folder', exact: true }).click()
      await page.getByRole('alert').filter({ hasText: 'may not name this folder' }).waitFor()
      await field('Folder on the appliance’s machine').fill(watched)
      await field('Output folder (optional)').fill(join(folder, 'studio-clips'))
      await page.keyboard.press('Enter')
      await page.getByText('Watching', { exact: true }).waitFor()

      await writeFile(
        join(watched, 'broken.mp4'),
        Buffer.concat([readFileSync(talk.video).subarray(0, 4000), Buffer.alloc(9000)]),
      )
      await copyFile(talk.video, join(watched, 'talk.mp4'))
      await copyFile(talk.captions, join(watched, 'talk.srt'))
      await page.getByRole('button', { name: `Files of ${watched}` }).click()
      const row = (name: string) => page.getByRole('row').filter({ hasText: name })
      await row('broken.mp4').getByText('Failed').waitFor()
      await row('talk.mp4')
        .getByText(/In progress|Queued|Done/)
        .waitFor()
      // It is looked at again while the page is.
      await copyFile(talk.video, join(watched, 'broken.mp4'))
      expect(await violations(page)).toEqual([])
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(wide).toBeLessThanOrEqual(0)
        await shot(page, `watch-${width}`)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      await row('broken.mp4').filter({ hasText: 'under another name' }).waitFor()
      await page.getByRole('button', { name: `Pause ${watched}` }).click()
      await page.getByText('Paused', { exact: true }).waitFor()
      await page.getByRole('button', { name: `Resume ${watched}` }).click()
      await page.getByText('Watching', { exact: true }).waitFor()
      await page.getByRole('button', { name: `Remove ${watched}` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No folder is watched yet.').waitFor()
      expect(readdirSync(watched).toSorted()).toEqual(['broken.mp4', 'talk.mp4', 'talk.srt'])
      // The refusal of /etc is an answer that the browser reports by itself.
      expect(studio.complaints.filter((text) => !text.includes('400'))).toEqual([])
    } finally {
      await studio.close()
    }
  }, 120_000)
})
