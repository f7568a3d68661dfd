/** How tests of the studio get a clip to work on: a talk is uploaded on the first page, and its one clip is opened. */
import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { StudioEditor } from '../../../server/contract/studio-editor.ts'
import { make } from '../../pipeline/render-support.ts'
import { cutroom } from '../../support/appliance-process.ts'
import { makeTinyTalk } from '../../support/tiny-talk.ts'
import type { StudioBrowser } from './studio-browser.ts'

/** What is done to the one clip that a test wants. */
export interface Wanted {
  readonly name: string
  /** Seconds of the talk: sentences begin each 4 s. */
  readonly clip: { readonly start: number; readonly end: number }
  /** Applied in this order. */
  readonly nodes: readonly { readonly type: string; readonly config?: Readonly<Record<string, unknown>> }[]
}

const workflowOf = (name: string, all: Wanted['nodes']) => {
  return {
    name,
    description: 'A few short clips',
    nodes: all.map((node) => ({ id: node.type, config: {}, ...node })),
    edges: all.slice(1).map(({ type }, index) => ({ source: all[index]?.type, target: type })),
  }
}

/** Puts the workflow on the home of the appliance. */
export async function importWorkflow(studio: StudioBrowser, { name, clip, nodes }: Wanted): Promise<void> {
  const config = { pinnedTimestamps: [clip], pinnedTimestampsOnly: true, renderEverything: true }
  await importWorkflowOf(studio, name, [{ type: 'find_clips', config }, ...nodes])
}

/** The same for a workflow of these nodes, in this order. */
export async function importWorkflowOf(
  { folder, home }: StudioBrowser,
  name: string,
  nodes: Wanted['nodes'],
): Promise<void> {
  const file = join(folder, 'workflow.json')
  await writeFile(file, JSON.stringify(workflowOf(name, nodes)))
  const imported = await cutroom(['workflow', 'import', file, '--company', 'local', '--home', home])
  expect(imported.code, imported.stderr).toBe(0)
}

/**
 * The tiny talk with its captions inside, as an upload has no sidecars; returns its path. `speakers`: the speakers of
 * its sentences, alternating; empty: captions without speakers.
 */
export async function captionedTalk(folder: string, speakers: readonly string[] = []): Promise<string> {
  const { video, captions } = await makeTinyTalk(folder)
  if (speakers.length > 0) {
    let turn = 0
    const reported = (await readFile(captions, 'utf8')).replaceAll(
      /(--> .*\n)/g,
      (line: string) => `${line}${speakers[turn++ % speakers.length]}: `,
    )
    await writeFile(captions, reported)
  }
  const captioned = join(folder, 'captioned.mp4')
  await make(['-i', video, '-i', captions, '-c', 'copy', '-c:s', 'mov_text', captioned])
  return captioned
}

/** Drops a file on a part of the page, as from a file manager. */
async function dropFile(page: Page, on: string, path: string): Promise<void> {
  const bytes = (await readFile(path)).toString('base64')
  const dataTransfer = await page.evaluateHandle(
    ([name, content]) => {
      const carried = new DataTransfer()
      const data = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
      carried.items.add(new File([data], name, { type: 'video/mp4' }))
      return carried
    },
    [basename(path), bytes] as const,
  )
  await page.dispatchEvent(on, 'drop', { dataTransfer })
}

/**
 * On the first page: puts the video through the workflow, and waits for the clip; however busy the machine is. `beside`: it is
 * dropped there, instead of being chosen.
 */
export async function putIn(page: Page, { name }: Wanted, video: string, beside?: string): Promise<void> {
  if (beside === undefined) await page.locator('input[type=file]').setInputFiles([video])
  else await dropFile(page, beside, video)
  const sheet = page.getByRole('dialog', { name: 'New run' })
  await sheet.getByLabel('Workflow').selectOption({ label: name })
  await sheet.getByRole('button', { name: 'Make clips' }).click()
  await page.getByText('1 clip in Review').waitFor({ timeout: 150_000 })
}

/** The id of the one clip that there is. */
export async function onlyClip({ context, appliance }: StudioBrowser): Promise<string> {
  const answer = await context.request.get(`${appliance.url}/clips`)
  const { data } = (await answer.json()) as { data: { id: string }[] }
  const [clip] = data
  if (clip === undefined || data.length > 1) throw new Error(`there are ${data.length} clips and not one`)
  return clip.id
}

/** Signs in, puts a talk in as it is wanted, and answers the id of its clip. The first page is left open. */
export async function makeClip(
  studio: StudioBrowser,
  page: Page,
  wanted: Wanted,
  speakers: readonly string[] = [],
): Promise<string> {
  const video = await captionedTalk(studio.folder, speakers)
  await importWorkflow(studio, wanted)
  await page.goto(studio.appliance.studioUrl)
  await putIn(page, wanted, video)
  return await onlyClip(studio)
}

/** Opens the clip in the editor. */
export const openClip = async ({ appliance }: StudioBrowser, page: Page, clipId: string): Promise<unknown> =>
  await page.goto(`${appliance.url}/#/clips/${clipId}`)

/** The clip as it is saved, and would be rendered. */
export async function readEditor(
  { context, appliance }: StudioBrowser,
  clipId: string,
): Promise<StudioEditor> {
  const answer = await context.request.get(`${appliance.url}/studio/clips/${clipId}/editor`)
  return (await answer.json()) as StudioEditor
}
