/** Split screens as broadcasts and recorded calls show them, made of real people who talk in turns, with the true places. */
import { join } from 'node:path'
import { runTool } from '../../workers/media/run-tool.ts'
import { makeTakes, takesSeconds, type SpokenTake, type Take } from './grid-people.ts'
import { bundledTools } from './stage-harness.ts'

export const WIDTH = 1280
export const HEIGHT = 720

type Box = readonly [x: number, y: number, width: number, height: number]

export interface SplitScene {
  readonly name: string
  readonly half: 'tuned' | 'held out'
  readonly clips: readonly string[]
  /** Of each guest, pixels of the picture: in the order of the clips. */
  readonly boxes: readonly Box[]
  /** Behind the boxes: a source of ffmpeg's. */
  readonly ground: string
  /** Pixels of a line around each box, outside it, and its colour. */
  readonly border?: { readonly width: number; readonly colour: string }
  /** Whose turns there are, one after the other; null: nobody speaks. */
  readonly turns: readonly (number | null)[]
}

const PLAIN = `color=c=black:s=${WIDTH}x${HEIGHT}:r=25`
const BLUE = `color=c=0x18346c:s=${WIDTH}x${HEIGHT}:r=25,drawbox=x=0:y=40:w=1280:h=50:color=0x3060a0:t=fill,drawbox=x=0:y=640:w=900:h=40:color=0xa02020:t=fill`
const TURNS = [0, 1, null, 0, 1]

export const SPLIT_SCENES: readonly SplitScene[] = [
  {
    name: 'halves without a border',
    half: 'tuned',
    clips: ['bbaf2n', 'lbax4n'],
    boxes: [
      [0, 0, 640, 720],
      [640, 0, 640, 720],
    ],
    ground: PLAIN,
    turns: TURNS,
  },
  {
    name: 'boxes on a blue ground',
    half: 'tuned',
    clips: ['brbk7n', 'bbaf2n'],
    boxes: [
      [50, 130, 570, 456],
      [660, 130, 570, 456],
    ],
    ground: BLUE,
    border: { width: 4, colour: 'white' },
    turns: TURNS,
  },
  {
    name: 'a call, with gaps',
    half: 'tuned',
    clips: ['lbax4n', 'brbk7n'],
    boxes: [
      [8, 120, 628, 480],
      [644, 120, 628, 480],
    ],
    ground: PLAIN,
    turns: TURNS,
  },
  {
    name: 'halves with a white line',
    half: 'held out',
    clips: ['lbbc2a', 'sbia1a'],
    boxes: [
      [0, 0, 636, 720],
      [644, 0, 636, 720],
    ],
    ground: `color=c=white:s=${WIDTH}x${HEIGHT}:r=25`,
    turns: TURNS,
  },
  {
    name: 'a large and a small box',
    half: 'held out',
    clips: ['sbia1a', 'bbaf2n'],
    boxes: [
      [30, 60, 760, 600],
      [820, 200, 430, 340],
    ],
    ground: BLUE,
    turns: TURNS,
  },
  {
    name: 'quarters of a call',
    half: 'held out',
    clips: ['lbbc2a', 'brbk7n', 'sbia1a', 'lbax4n'],
    boxes: [
      [104, 4, 532, 354],
      [644, 4, 532, 354],
      [104, 362, 532, 354],
      [644, 362, 532, 354],
    ],
    ground: PLAIN,
    turns: [0, 1, 2, 3, null],
  },
]

interface SplitVideo {
  readonly file: string
  readonly seconds: number
  readonly spoken: readonly SpokenTake[]
}

/** Writes the scene with its sound. */
export async function makeSplitScreen(
  media: string,
  folder: string,
  { clips, boxes, ground, border, turns, name }: SplitScene,
): Promise<SplitVideo> {
  const base = join(folder, name.replaceAll(/\W+/gu, '-'))
  const takes = turns.map((sound, at): Take => ({
    people: clips.map((clip, place) => (place === sound ? { clip } : { clip, from: 0.3 + 0.4 * (at % 3) })),
    sound,
  }))
  const spoken = await makeTakes(media, `${base}-talk.mp4`, takes)
  const filters = [`[0:v]split=${clips.length}${clips.map((_, at) => `[t${at}]`).join('')}`]
  let below = '[1:v]'
  boxes.forEach(([x, y, width, height], at) => {
    const shape = width / height
    const wide = Math.min(360, Math.floor((288 * shape) / 2) * 2)
    const high = Math.min(288, Math.floor(360 / shape / 2) * 2)
    const line = border?.width ?? 0
    const pad = `pad=${width + 2 * line}:${height + 2 * line}:${line}:${line}:${border?.colour ?? 'black'}`
    const cut = `crop=${wide}:${high}:${at * 360 + (360 - wide) / 2}:${(288 - high) / 2}`
    filters.push(`[t${at}]${cut},scale=${width}:${height},${pad}[b${at}]`)
    filters.push(`${below}[b${at}]overlay=${x - line}:${y - line}:shortest=1[o${at}]`)
    below = `[o${at}]`
  })
  const file = `${base}.mp4`
  const inputs = ['-i', `${base}-talk.mp4`, '-f', 'lavfi', '-i', ground]
  const coding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '20',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'copy',
  ]
  await runTool({
    executable: bundledTools().ffmpeg,
    args: [
      '-v',
      'error',
      '-y',
      ...inputs,
      '-filter_complex',
      filters.join(';'),
      '-map',
      below,
      '-map',
      '0:a',
    ].concat(coding, ['-r', '25', '-shortest', file]),
  })
  return { file, seconds: takesSeconds(takes), spoken }
}
