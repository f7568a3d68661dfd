/** Fonts by address: fetched, checked, stored by their digest, and used for titles and captions. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Assets } from '../../server/contract/asset.ts'
import type { Composition } from '../../server/contract/composition.ts'
import { sentencesOf } from '../../server/contract/render-remarks.ts'
import { assetInvocation } from '../../server/domain/runs/plan/plan-assets.ts'
import { compileComposition, requiredAssets } from '../../server/nodes/index.ts'
import { drawFrame, prepare } from '../../workers/compositor/compositor.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { runFetchAsset } from '../../workers/stages/fetch-asset/stage.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { documentOf, factsOf, node, spoken } from '../support/node-values.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')
let root: string
let web: BadServer
let font: Buffer

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-font-'))
  font = await readFile(join(RESOURCES, 'fonts', 'BebasNeue_400Regular.ttf'))
  // Its list of tables is whole, and what the tables should hold is not there.
  const hollow = Buffer.concat([font.subarray(0, 600), Buffer.alloc(2000)])
  web = await startBadServer({
    '/brand.ttf': serveBytes(font),
    '/hollow.ttf': serveBytes(hollow),
    '/page': serveBytes(Buffer.from('<!doctype html><html>fonts</html>'), { type: 'font/ttf' }),
    '/huge.ttf': serveBytes(Buffer.concat([font, Buffer.alloc(10_100_000)])),
  })
})
afterAll(async () => {
  await web.close()
  await rm(root, { recursive: true, force: true })
})

/** As a run requests it, with the limits of a run. */
function fetchFont(path: string) {
  const off = { state: 'refused', why: 'off' } as const
  const services = { google_images: off, youtube: off, getty: off }
  const limits = {
    addresses: 'any',
    minFreeBytes: 0,
    idleTimeoutSeconds: 5,
    totalTimeoutSeconds: 30,
    services,
  } as const
  const { params } = assetInvocation({ url: web.url(path), kind: 'font' }, limits)
  return runStageForTest(runFetchAsset, params as Parameters<typeof runFetchAsset>[1], { root })
}

describe('a font by address', () => {
  it('is stored by its digest', async () => {
    const { output } = await fetchFont('/brand.ttf')
    expect(output).toMatchObject({ kind: 'font', mediaType: 'font/ttf', bytes: font.length })
    const kept = await readFile(join(root, 'sources', output.digest.slice(0, 2), output.digest))
    expect(kept.equals(font)).toBe(true)
  })

  it.each([
    ['/page', 'SOURCE_NOT_VIDEO', /web page, not to a font/],
    ['/hollow.ttf', 'SOURCE_NOT_VIDEO', /damaged/],
    ['/huge.ttf', 'SOURCE_TOO_LARGE', /10 MB/],
  ])('%s is refused: %s', async (path, code, message) => {
    await expect(fetchFont(path)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('text in it', () => {
  const URL = 'https://example.test/brand.ttf'
  const nodes = [
    node('convert_to_vertical'),
    node('add_subtitles', { subtitle_config: { fontUrl: URL } }),
    node('add_title_overlay', { title_config: { fontUrl: URL, duration: 0 } }),
  ]
  const compiled = (assets?: Assets) =>
    compileComposition({
      document: documentOf(nodes, { startTimestamp: 10, endTimestamp: 14 }),
      words: spoken('Nobody reads the manual twice', 10),
      facts: factsOf(),
      ...omitUndefined({ assets }),
    })
  const drawn = async (composition: Composition): Promise<Buffer> => {
    const table = await registerFontsFor(composition, RESOURCES, join(root, 'sources'))
    const prepared = prepare(composition, createCanvas(2, 2).getContext('2d'), table)
    const canvas = createCanvas(prepared.width, prepared.height)
    drawFrame(canvas.getContext('2d'), prepared, 40)
    return Buffer.from(canvas.data())
  }

  it('is requested once', () => {
    expect(requiredAssets(documentOf(nodes))).toEqual([{ url: URL, kind: 'font' }])
  })

  it('looks as the file has it, and not as the default', async () => {
    const { output } = await fetchFont('/brand.ttf')
    const ready = compiled(new Map([[URL, { state: 'ready', kind: 'font', digest: output.digest } as const]]))
    expect(ready.warnings).toEqual([])
    expect(JSON.stringify(ready.composition).match(/"fontWeight":\d+/g)).toEqual([
      '"fontWeight":400',
      '"fontWeight":400',
    ])
    // The same font is among the bundled ones; named by family it must look the same.
    const bundled = structuredClone(ready.composition)
    const plain = structuredClone(ready.composition)
    for (const [composition, family] of [
      [bundled, 'Bebas Neue'],
      [plain, 'Montserrat'],
    ] as const) {
      for (const layer of composition.layers) {
        const faces =
          layer.kind === 'captions'
            ? layer.styles.map((style) => style.face)
            : layer.kind === 'title'
              ? [layer.face]
              : []
        for (const face of faces) {
          delete face.fontFile
          face.fontFamily = family
        }
      }
    }
    const own = await drawn(ready.composition)
    expect(own.equals(await drawn(bundled))).toBe(true)
    expect(own.equals(await drawn(plain))).toBe(false)
  })

  it('is set in the default font, with a warning, when the file could not be had', () => {
    const failed = compiled(new Map([[URL, { state: 'failed', message: 'The server says no.' } as const]]))
    expect(JSON.stringify(failed.composition)).not.toContain('fontFile')
    expect(sentencesOf(failed.warnings)).toEqual([
      `subtitleConfig.fontUrl (${URL}) is left out: The server says no.`,
      `titleConfig.fontUrl (${URL}) is left out: The server says no.`,
    ])
  })

  it('fails the render, with what to do, when the file is missing from the home', async () => {
    const gone = compiled(new Map([[URL, { state: 'ready', kind: 'font', digest: 'b'.repeat(64) } as const]]))
    await expect(drawn(gone.composition)).rejects.toMatchObject({
      code: 'RENDER_FAILED',
      message: expect.stringContaining('Run the workflow again') as string,
    })
  })
})
