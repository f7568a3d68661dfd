/**
 * Faces found and false detections: pictures with a known number of people, at several sizes and in bad light, and
 * pictures without people.
 */
import { findFaceModel } from '../../workers/inference/find-model.ts'
import { loadFaceDetector } from '../../workers/inference/face-detector.ts'
import { media, modelFolders, picturesOf, timed, times } from './media.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'

/** What the stage looks at. */
export const SIZE = { width: 640, height: 352 } as const

interface Pictures {
  readonly name: string
  readonly input: string
  readonly filter: string
  /** Faces in each picture. */
  readonly people: number
  readonly generated?: true
  readonly most?: number
}

const portrait = { input: media('portrait_obama_official.jpg'), people: 1 }
const astronaut = { input: media('astronaut.png'), people: 1 }
const fitted = `scale=-2:${SIZE.height},pad=${SIZE.width}:${SIZE.height}:(ow-iw)/2:0`
const small = (height: number): string =>
  `scale=-2:${height},pad=${SIZE.width}:${SIZE.height}:(ow-iw)/2:(oh-ih)/2:gray`
const nobody = (name: string, source: string, most = 5): Pictures => ({
  name,
  input: `${source}${source.includes('=') ? ':' : '='}s=${SIZE.width}x${SIZE.height}`,
  filter: 'null',
  people: 0,
  generated: true,
  most,
})

const SETS: readonly Pictures[] = [
  { ...astronaut, name: 'portrait (astronaut)', filter: fitted },
  { ...astronaut, name: 'the same, turned by 20°', filter: `${fitted},rotate=PI/9` },
  { ...astronaut, name: 'the same, dark', filter: `${fitted},eq=brightness=-0.35` },
  { ...astronaut, name: 'the same, noisy', filter: `${fitted},noise=alls=60` },
  { ...astronaut, name: 'the same, a face of about 40 pixels', filter: small(176) },
  { ...astronaut, name: 'the same, of about 20 pixels', filter: small(88) },
  { ...astronaut, name: 'the same, of about 12 pixels', filter: small(52) },
  { ...portrait, name: 'official portrait', filter: fitted },
  { ...portrait, name: 'the same, small', filter: small(88) },
  {
    name: 'moving face, 5 a second',
    input: media('moving_face_10s.mp4'),
    filter: `fps=5,scale=${SIZE.width}:${SIZE.height}`,
    people: 1,
  },
  {
    name: 'two people, 2 a second',
    input: media('two_faces_two_voices_26s.mp4'),
    filter: `fps=2,scale=${SIZE.width}:${SIZE.height}`,
    people: 2,
  },
  nobody('plain colours', 'color=c=0x806050', 1),
  nobody('test pattern', 'testsrc2=r=2'),
  nobody('colour bars', 'smptehdbars', 1),
  nobody('fractal', 'mandelbrot=r=2'),
  nobody('blobs', 'life=mold=10:r=2:ratio=0.1:death_color=#C83232:life_color=#00ff00'),
  { ...nobody('noise', 'color=c=gray:r=5', 10), filter: 'noise=alls=100:allf=t' },
  {
    ...nobody('blurred noise', 'color=c=gray:r=5', 10),
    filter: 'noise=alls=100:allf=t,boxblur=8,eq=contrast=6',
  },
]

export async function facesTable(say: (line: string) => void): Promise<FigureTable> {
  const detector = await loadFaceDetector(await findFaceModel(modelFolders()), {
    inference: 'cpu',
    warn: say,
  })
  const rows: string[][] = []
  const all = { pictures: 0, people: 0, found: 0, wrong: 0 }
  let speed = 0
  try {
    for (const { name, input, filter, people, generated, most } of SETS) {
      say(`faces, ${name}`)
      const options = { ...(generated === true ? { generated } : {}), most: most ?? 1000 }
      const pictures = await picturesOf(input, filter, SIZE, options)
      const counted = await timed(pictures.length, async () => {
        const counts: number[] = []
        for (const picture of pictures)
          counts.push((await detector.find(picture, SIZE.width, SIZE.height)).length)
        return counts
      })
      if (pictures.length > 40) speed = counted.speed
      const found = counted.result.reduce((sum, count) => sum + Math.min(count, people), 0)
      const wrong = counted.result.reduce((sum, count) => sum + Math.max(0, count - people), 0)
      rows.push([
        name,
        String(pictures.length),
        String(people * pictures.length),
        String(found),
        String(wrong),
      ])
      all.pictures += pictures.length
      all.people += people * pictures.length
      all.found += found
      all.wrong += wrong
    }
  } finally {
    await detector.close()
  }
  rows.push([
    'all',
    String(all.pictures),
    String(all.people),
    `${all.found} (${percent(all.found / all.people)})`,
    String(all.wrong),
  ])
  return {
    title: 'Faces found and false',
    columns: ['pictures', 'how many', 'faces in them', 'found', 'false'],
    rows,
    notes: [
      `Pictures of ${SIZE.width}x${SIZE.height}, as the stage looks at them. ${speed.toFixed(0)} pictures a second on one core, where it looks at 4 a second (${times(speed / 4)} real time, decoding aside).`,
    ],
  }
}
