/**
 * Workflows as somebody writes them in a real Chromium: begun from a template, seen on a sample while fields change, with a
 * file that is uploaded where it is needed, on screens of three widths.
 */
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { createCanvas } from '@napi-rs/canvas'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WORKFLOW_TEMPLATES } from '../../server/nodes/index.ts'
import { openSeed } from '../support/studio-seed.ts'
import { findChromium, NO_CHROMIUM } from './preview/browser.ts'
import { openStudio, shot, violations, type StudioBrowser } from './studio/studio-browser.ts'

const chromium = findChromium()
if (chromium === null) process.stderr.write(`studio tests are skipped: ${NO_CHROMIUM}\n`)

/** However busy the machine is. */
const PATIENT = { timeout: 30_000 }

let studio: StudioBrowser
let page: Page

beforeAll(async () => {
  if (chromium === null) return
  studio = await openStudio(chromium)
  page = await studio.newPage()
  await page.goto(studio.appliance.studioUrl)
}, 240_000)
afterAll(() => (chromium === null ? undefined : studio.close()))

const canvas = () => page.getByLabel('The clip as this workflow makes it')
/** What the preview shows: empty before the first picture. */
const shown = () => canvas().getAttribute('data-shown')
const pixels = () => canvas().evaluate((one: HTMLCanvasElement) => one.toDataURL())
/** How many colours a picture has, roughly: one that is not drawn has one. */
const coloursIn = (index: number) =>
  page
    .locator('dialog canvas')
    .nth(index)
    .evaluate((one: HTMLCanvasElement) => {
      const data = one.getContext('2d')?.getImageData(0, 0, one.width, one.height).data ?? []
      const seen = new Set<number>()
      for (let at = 0; at < data.length; at += 400)
        seen.add(((data[at] ?? 0) >> 4) * 256 + ((data[at + 1] ?? 0) >> 4) * 16 + ((data[at + 2] ?? 0) >> 4))
      return seen.size
    })

const pickNode = (label: string) => page.getByLabel('Edit a node').selectOption({ label })

describe.skipIf(chromium === null)('workflows', { timeout: 240_000 }, () => {
  it('begin from a template that shows what it makes', async () => {
    await page.goto(`${studio.appliance.url}/#/workflows`)
    await page.getByRole('button', { name: 'New workflow' }).click()
    const drawn = page.locator('dialog canvas[data-shown]')
    await expect.poll(() => drawn.count(), PATIENT).toBe(WORKFLOW_TEMPLATES.length)
    for (const index of WORKFLOW_TEMPLATES.keys()) expect(await coloursIn(index)).toBeGreaterThan(20)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await shot(page, `workflow-templates-${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use this: Podcast to shorts' }).click()
    await page.getByLabel('Workflow name').waitFor()
    await expect.poll(() => page.getByLabel('Workflow name').inputValue()).toBe('Podcast to shorts')
  })

  it('are shown on the sample while a field is typed in', async () => {
    await expect.poll(shown, PATIENT).not.toBe('')
    await pickNode('Add title overlay')
    await page.getByText('Headline text and styling').click()
    const before = await shown()
    const text = page.getByLabel('The headline', { exact: true })
    await text.pressSequentially('Rolled')
    await expect.poll(shown, PATIENT).not.toBe(before)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(await text.getAttribute('id'))
    // Drawn, not only composed.
    const drawn = await pixels()
    const key = await shown()
    await text.pressSequentially(' over by rent')
    await expect.poll(shown, PATIENT).not.toBe(key)
    await expect.poll(pixels, PATIENT).not.toBe(drawn)
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      // The graph is seen in a window of any size.
      const first = page.locator('.svelte-flow__node').first()
      const left = async () => (await first.boundingBox())?.x ?? -1
      const frame = await page.locator('.svelte-flow').boundingBox()
      await expect.poll(left, PATIENT).toBeGreaterThanOrEqual(frame?.x ?? 0)
      await expect.poll(left, PATIENT).toBeLessThan((frame?.x ?? 0) + 60)
      await shot(page, `workflow-preview-${width}`)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await violations(page)).toEqual([])
  })

  it('show a change soon after typing has ended', async () => {
    const text = page.getByLabel('The headline', { exact: true })
    await text.fill('')
    await expect.poll(() => page.getByLabel('The headline', { exact: true }).inputValue()).toBe('')
    await page.waitForTimeout(1000)
    const took = await text.evaluate(async (field: HTMLTextAreaElement) => {
      const picture = document.querySelector('canvas[data-shown]')
      if (picture === null) return -1
      const before = picture.getAttribute('data-shown')
      field.value = 'Now'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      const began = performance.now()
      while (picture.getAttribute('data-shown') === before && performance.now() - began < 20_000)
        await new Promise((resolve) => setTimeout(resolve, 5))
      return performance.now() - began
    })
    process.stdout.write(`a change was shown ${Math.round(took)} ms after the last letter\n`)
    expect(took).toBeGreaterThan(0)
    expect(took).toBeLessThan(20_000)
  })

  it('say in words what no picture shows', async () => {
    await pickNode('Find clips')
    await page.getByText('Looks through each video', { exact: false }).waitFor()
    await pickNode('Remove filler words')
    await page.getByText('out of this clip', { exact: false }).waitFor()
  })

  it('take a file that is uploaded in its field', async () => {
    await page.getByLabel('Add a node').selectOption({ label: 'Add watermark' })
    await page.locator('aside summary').first().click()
    const picture = createCanvas(200, 200)
    const context = picture.getContext('2d')
    context.fillStyle = '#00ff00'
    context.fillRect(0, 0, 200, 200)
    const file = join(studio.folder, 'logo.png')
    await writeFile(file, picture.toBuffer('image/png'))
    const before = await shown()
    await page.locator('aside input[type=file]').first().setInputFiles(file)
    await page.locator('aside select option', { hasText: 'logo' }).first().waitFor({ state: 'attached' })
    await expect.poll(shown, PATIENT).not.toBe(before)
    const greens = () =>
      canvas().evaluate((one: HTMLCanvasElement) => {
        const data = one.getContext('2d')?.getImageData(0, 0, one.width, one.height).data ?? []
        let found = 0
        for (let at = 0; at < data.length; at += 4)
          if ((data[at] ?? 0) < 60 && (data[at + 1] ?? 0) > 200 && (data[at + 2] ?? 0) < 60) found += 1
        return found
      })
    await expect.poll(greens, PATIENT).toBeGreaterThan(50)
    await shot(page, 'workflow-file-field')
  })

  it.each([1440, 1024, 390])('show a node that is added to a long graph, %i px wide', async (width) => {
    await page.setViewportSize({ width, height: 900 })
    for (let more = 0; more < 6; more++) {
      const before = await page.locator('.svelte-flow__node').count()
      await page.getByLabel('Add a node').selectOption({ label: 'Smart zoom' })
      await expect.poll(() => page.locator('.svelte-flow__node').count()).toBe(before + 1)
    }
    const inside = () =>
      page.evaluate(() => {
        const frame = document.querySelector('.svelte-flow')?.getBoundingClientRect()
        const card = document.querySelector('.svelte-flow__node.selected')?.getBoundingClientRect()
        return (
          frame !== undefined &&
          card !== undefined &&
          card.left >= frame.left - 1 &&
          card.right <= frame.right + 1 &&
          card.top >= frame.top - 1 &&
          card.bottom <= frame.bottom + 1
        )
      })
    await expect.poll(inside, PATIENT).toBe(true)
    await shot(page, `workflow-long-${width}`)
  })

  it('are undone and done again by keys', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const count = () => page.locator('.svelte-flow__node').count()
    const before = await count()
    await page.locator('.svelte-flow__pane').click({ position: { x: 10, y: 10 } })
    await page.keyboard.press('Control+z')
    await expect.poll(count).toBe(before - 1)
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(count).toBe(before)
  })

  it('show what is wrong at the field, at the node and at the edge that have it', async () => {
    const saveButton = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByLabel('Add a node').selectOption({ label: 'Smart zoom' })
    await page.locator('aside summary').first().click()
    await page.locator('aside input[type=number]').first().fill('999')
    await page.keyboard.press('Tab')
    const wrong = page.locator('.svelte-flow__node').filter({ has: page.locator('.card.wrong') })
    await wrong.getByLabel('Smart zoom: needs attention').waitFor()
    await page
      .getByRole('alert')
      .filter({ hasText: /^Smart zoom: should be a number/ })
      .waitFor()
    await page
      .locator('aside')
      .getByText(/^Should be a number/)
      .waitFor()
    expect(await saveButton.isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await shot(page, 'workflow-node-wrong')
    // From another node back to it.
    await pickNode('Find clips')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('aside').getByRole('heading', { name: 'Smart zoom' }).waitFor()
    await page.locator('.svelte-flow__pane').click({ position: { x: 10, y: 10 } })
    await page.keyboard.press('Control+z')
    await expect.poll(() => wrong.count()).toBe(0)
    // An edge that leads back to the beginning.
    await page.locator('.svelte-flow__node').last().click()
    await page.getByLabel('Connects to').selectOption({ label: 'Find clips' })
    await page.getByRole('alert').filter({ hasText: 'The edges form a cycle' }).waitFor()
    await expect.poll(() => page.locator('.svelte-flow__edge.loop').count()).toBeGreaterThan(1)
    await page.getByText('Loop', { exact: true }).first().waitFor()
    expect(await saveButton.isDisabled()).toBe(true)
    await shot(page, 'workflow-edge-wrong')
    await page.locator('.svelte-flow__pane').click({ position: { x: 10, y: 10 } })
    await page.keyboard.press('Control+z')
    await expect.poll(() => page.locator('.svelte-flow__edge.loop').count()).toBe(0)
  })

  it('are imported by dropping a file, and a file that is none is named', async () => {
    await page.goto(`${studio.appliance.url}/#/workflows`)
    const list = page.getByRole('region', { name: 'Workflows' })
    await list.waitFor()
    const dropFile = async (name: string, text: string): Promise<void> => {
      const dataTransfer = await page.evaluateHandle(
        ([of, content]) => {
          const data = new DataTransfer()
          data.items.add(new File([content], of))
          return data
        },
        [name, text] as const,
      )
      await list.dispatchEvent('dragover', { dataTransfer })
      await page.getByText('Drop a workflow file to import it').waitFor()
      await list.dispatchEvent('drop', { dataTransfer })
    }
    await dropFile('notes.txt', 'Remember the milk')
    await page.getByRole('alert').filter({ hasText: '“notes.txt” is not a workflow.' }).waitFor()
    const nodes = [{ id: 'find', type: 'find_clips', config: {}, position: { x: 0, y: 0 } }]
    await dropFile('mine.json', JSON.stringify({ name: 'From a file', description: '', nodes, edges: [] }))
    await expect.poll(() => page.getByLabel('Workflow name').inputValue()).toBe('From a file')
  })

  it('never complain', () => {
    expect(studio.complaints).toEqual([])
  })
})

describe.skipIf(chromium === null)('a workflow', { timeout: 120_000 }, () => {
  it('is shown on the sample where no clip can be, and says so of one that is chosen', async () => {
    const seed = openSeed(studio.home)
    await seed.clip('Left behind', 'x')
    seed.close()
    await page.goto(`${studio.appliance.url}/#/workflows`)
    await page.getByRole('link', { name: 'From a file' }).click()
    await expect.poll(shown, PATIENT).not.toBe('')
    const clips = page.getByLabel('Shown on')
    expect([await clips.inputValue(), await page.getByRole('alert').count()]).toEqual(['', 0])
    await clips.selectOption({ label: 'Left behind' })
    await page.getByRole('alert').filter({ hasText: 'The run that made this clip is gone' }).waitFor()
  })

  it('says at a second node that finds clips that it is one too many', async () => {
    await page.getByLabel('Add a node').selectOption({ label: 'Find clips' })
    await page.getByLabel('Find clips: needs attention').first().waitFor()
    const wrong = page.getByRole('alert').filter({ hasText: 'Find clips: there is one already' })
    await wrong.waitFor()
    expect(await page.getByText('find_clips').count()).toBe(0)
    await page.getByRole('button', { name: 'Delete node' }).click()
    await wrong.waitFor({ state: 'detached' })
  })
})
