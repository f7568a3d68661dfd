/** A person cut out of a designed thumbnail, from the video's pixels to those of the finished picture. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas, ImageData, loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClipFaces } from '../../server/contract/clip-measurements.ts'
import type { ManualThumbnail } from '../../server/contract/manual-overrides/thumbnail.ts'
import { thumbnailDesign, thumbnailPlan } from '../../server/nodes/index.ts'
import { NO_OUTLINE } from '../../workers/compositor/cutout/cut-out-job.ts'
import type { Pixels } from '../../workers/compositor/cutout/pixels.ts'
import { runThumbnail } from '../../workers/stages/thumbnail/stage.ts'
import { makeMedia } from '../support/make-media.ts'
import { GROUNDS, nobody, pretendPerson } from '../support/pretend-people.ts'
import { sampleComposition } from '../support/sample-composition.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-person-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function pixelsOf(file: string): Promise<Uint8ClampedArray> {
  const image = await loadImage(await readFile(file))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, image.width, image.height).data
}

it('cuts a person out along their outline, and falls back to the ellipse, with a warning, where no outline is found', async () => {
  const { picture: frame, face } = pretendPerson(GROUNDS.shelf)
  const png = join(root, 'person.png')
  const canvas = createCanvas(640, 480)
  const filmed = async (name: string, pixels: Pixels): Promise<string> => {
    canvas.getContext('2d').putImageData(new ImageData(pixels.data, 640, 480), 0, 0)
    await writeFile(png, canvas.toBuffer('image/png'))
    return await makeMedia(root, name, [
      '-loop',
      '1',
      '-r',
      '30',
      '-i',
      png,
      '-t',
      '1',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '12',
      '-pix_fmt',
      'yuv420p',
    ])
  }
  const composition = sampleComposition({
    width: 480,
    height: 480,
    durationFrames: 20,
    fromFrame: 0,
    layers: [],
    source: { width: 640, height: 480, hasAudio: false },
  })
  const place = { xPercent: 50, yPercent: 50 }
  const thumbnail: ManualThumbnail = {
    moment: 0.3,
    clipLayers: false,
    items: [
      {
        kind: 'shape',
        id: 's',
        ...place,
        widthPercent: 100,
        heightPercent: 100,
        form: 'rect',
        radius: 0,
        colour: '#ff00ff',
        colourTo: '',
        opacity: 1,
      },
      {
        kind: 'cutout',
        id: 'c',
        ...place,
        form: 'person',
        sizePercent: 100,
        ratio: 1,
        fromX: 50,
        fromY: 50,
        fromWidth: 75,
        ringColour: '#ffffff',
        ringWidth: 18,
      },
    ],
  }
  const share = { x: face.x / 640, y: face.y / 480, width: face.width / 640, height: face.height / 480 }
  const faces = {
    start: 0,
    end: 1,
    shotStarts: [],
    screens: [],
    tracks: [{ id: 1, points: [[0.3, share.x, share.y, share.width, share.height]], speaking: [] }],
  } satisfies ClipFaces
  const taken = async (source: string, seen: ClipFaces | undefined) => {
    const document = { overrides: { thumbnail }, ...omitUndefined({ faces: seen }) }
    const plan = thumbnailPlan(
      composition,
      undefined,
      thumbnailDesign({ composition, document, assets: new Map() }),
    )
    const params = { ...plan, png: true } as const
    const { output, folder } = await runStageForTest(runThumbnail, params, { inputs: { source }, root })
    const pixels = await pixelsOf(join(folder, output.file))
    const at = (x: number, y: number): string =>
      [...pixels.subarray((y * 480 + x) * 4, (y * 480 + x) * 4 + 3)]
        .map((value) => (value > 225 ? '1' : '0'))
        .join('')
    return { output, at }
  }
  // The part is 480 of the source's 640 across, as it is.
  const person = await taken(await filmed('person.mp4', frame), faces)
  expect(person.output.warnings).toBeUndefined()
  const x = Math.round(face.x + face.width / 2 - 80)
  const y = Math.round(face.y + face.height / 2)
  expect([person.at(x, y), person.at(30, 30), person.at(450, 200)]).toEqual(['000', '101', '101'])
  // Going out from the face: skin and hair, the white outline, then what is laid behind.
  const way = Array.from({ length: 150 }, (_, step) => person.at(x + step, y))
  expect(way.indexOf('111')).toBeGreaterThan(30)
  expect(way.lastIndexOf('111') - way.indexOf('111')).toBeGreaterThan(3)
  expect(way.at(-1)).toBe('101')
  const none = await taken(await filmed('nobody.mp4', nobody(GROUNDS.plain)), undefined)
  expect(none.output.warnings).toEqual([NO_OUTLINE])
  expect([none.at(240, 240), none.at(240, 30), none.at(12, 12)]).toEqual(['000', '000', '101'])
})
