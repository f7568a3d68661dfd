/** Films with banners, score boxes and tickers drawn over them as broadcasters do, and where each is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from './stage-harness.ts'

export const WIDTH = 1280
export const HEIGHT = 720
export const RATE = 25

const FONTS = join(import.meta.dirname, '..', '..', 'resources', 'fonts')

interface Line {
  readonly text: string
  readonly font: string
  readonly size: number
  readonly colour: string
  readonly x: number
  readonly y: number
}

export interface BannerScene {
  readonly name: string
  /** Which half of the scenes it is in: thresholds were set on the first. */
  readonly half: 'tuned' | 'held out'
  readonly film: keyof typeof FILMS
  readonly seconds: number
  /** Null: nothing is drawn. */
  readonly drawn: {
    readonly from: number
    readonly to: number
    /** What lies under the letters, pixels of the picture: left, top, width, height; null: nothing does. */
    readonly box: readonly [number, number, number, number] | null
    readonly fill: string
    readonly lines: readonly Line[]
    /** Pixels per second to the left; 0: it stands. */
    readonly speed: number
    /** Where letters are: left, top, width, height. */
    readonly letters: readonly [number, number, number, number]
  } | null
}

/** With filters that bring them to 1280x720. */
const FILMS = {
  'two men': { file: 'people/simpl_vp9_webrtc_3.webm', filter: 'null' },
  performer: { file: 'people/hamilton.mp4', filter: 'scale=1280:720' },
  telescope: { file: 'people/nasa_13013.mp4', filter: 'scale=1280:720' },
  'a talker': { file: 'people/grid/bbaf2n.mpg', filter: 'scale=1280:720' },
  'another talker': { file: 'people/grid/lbax4n.mpg', filter: 'crop=360:202:0:40,scale=1280:720' },
} as const

const line = (text: string, font: string, size: number, colour: string, x: number, y: number): Line => ({
  text,
  font,
  size,
  colour,
  x,
  y,
})
const CRAWL =
  'MARKETS CLOSE HIGHER AFTER A QUIET DAY   ***   RAIN IN THE NORTH, SUN IN THE SOUTH   ***   TRAINS RUN LATE ON THE COAST LINE   ***   CITY BRIDGE OPENS AGAIN ON MONDAY   ***   LIBRARY STAYS OPEN ALL NIGHT   ***   '.repeat(
    3,
  )

export const BANNER_SCENES: readonly BannerScene[] = [
  {
    name: 'a lower third on blue, for six seconds',
    half: 'tuned',
    film: 'two men',
    seconds: 14,
    drawn: {
      from: 4,
      to: 10,
      box: [80, 540, 620, 110],
      fill: '0x10307a@0.95',
      lines: [
        line('Doctor Helen Marsh', 'Montserrat_700Bold', 42, 'white', 104, 556),
        line('Institute of Marine Biology', 'Inter_400Regular', 28, 'white', 104, 606),
      ],
      speed: 0,
      letters: [104, 556, 470, 80],
    },
  },
  {
    name: 'a name without a box, throughout',
    half: 'tuned',
    film: 'performer',
    seconds: 9.8,
    drawn: {
      from: 0,
      to: 9.8,
      box: null,
      fill: '',
      lines: [line('LIVE FROM THE EAST ROOM', 'Inter_800ExtraBold', 44, 'white', 330, 590)],
      speed: 0,
      letters: [330, 590, 620, 46],
    },
  },
  {
    name: 'a ticker on red',
    half: 'tuned',
    film: 'a talker',
    seconds: 12,
    drawn: {
      from: 0,
      to: 12,
      box: [0, 656, 1280, 50],
      fill: '0xa01010',
      lines: [line(CRAWL, 'Inter_700Bold', 30, 'white', 0, 666)],
      speed: 150,
      letters: [0, 660, 1280, 40],
    },
  },
  {
    name: 'a score box, top left',
    half: 'tuned',
    film: 'two men',
    seconds: 12,
    drawn: {
      from: 0,
      to: 12,
      box: [60, 40, 360, 52],
      fill: '0x202020@0.9',
      lines: [line('ARS 2  1 LIV   67\\:21', 'Inter_700Bold', 34, 'white', 76, 50)],
      speed: 0,
      letters: [76, 50, 320, 34],
    },
  },
  {
    name: 'half transparent, yellow letters, for four seconds',
    half: 'tuned',
    film: 'telescope',
    seconds: 13,
    drawn: {
      from: 5,
      to: 9,
      box: [140, 560, 760, 90],
      fill: 'black@0.5',
      lines: [line('How a mirror is cleaned', 'NotoSans_400Regular', 52, '0xffe040', 170, 572)],
      speed: 0,
      letters: [170, 572, 600, 60],
    },
  },
  {
    name: 'a slow ticker at the top, black on white',
    half: 'tuned',
    film: 'two men',
    seconds: 12,
    drawn: {
      from: 0,
      to: 12,
      box: [0, 14, 1280, 46],
      fill: 'white',
      lines: [line(CRAWL, 'Lora_700Bold', 28, 'black', 0, 22)],
      speed: 80,
      letters: [0, 18, 1280, 38],
    },
  },
  {
    name: 'dark letters on white, right, for six seconds',
    half: 'held out',
    film: 'a talker',
    seconds: 12,
    drawn: {
      from: 3,
      to: 9,
      box: [620, 530, 600, 110],
      fill: 'white@0.85',
      lines: [
        line('Marta Oliveira', 'Lora_700Bold', 44, '0x202040', 650, 540),
        line('Chief engineer, harbour works', 'NotoSans_400Regular', 30, '0x202040', 650, 594),
      ],
      speed: 0,
      letters: [650, 545, 430, 85],
    },
  },
  {
    name: 'narrow yellow letters without a box, for five seconds',
    half: 'held out',
    film: 'two men',
    seconds: 12,
    drawn: {
      from: 3,
      to: 8,
      box: null,
      fill: '',
      lines: [line('TWO FRIENDS TALK', 'Anton_400Regular', 64, '0xffd800', 420, 590)],
      speed: 0,
      letters: [420, 600, 430, 60],
    },
  },
  {
    name: 'a ticker without a band',
    half: 'held out',
    film: 'performer',
    seconds: 9.8,
    drawn: {
      from: 0,
      to: 9.8,
      box: null,
      fill: '',
      lines: [line(CRAWL, 'Montserrat_800ExtraBold', 32, 'white', 0, 640)],
      speed: 120,
      letters: [0, 640, 1280, 34],
    },
  },
  {
    name: 'a score box, top right',
    half: 'held out',
    film: 'performer',
    seconds: 9.8,
    drawn: {
      from: 0,
      to: 9.8,
      box: [840, 120, 340, 60],
      fill: '0x004020@0.9',
      lines: [line('NED 0  3 BEL', 'BebasNeue_400Regular', 46, 'white', 870, 130)],
      speed: 0,
      letters: [870, 132, 174, 40],
    },
  },
  {
    name: 'half transparent green, throughout',
    half: 'held out',
    film: 'another talker',
    seconds: 12,
    drawn: {
      from: 0,
      to: 12,
      box: [100, 550, 700, 90],
      fill: '0x00502a@0.6',
      lines: [line('A word on colours and letters', 'Lora_400Regular', 46, 'white', 130, 562)],
      speed: 0,
      letters: [130, 568, 620, 50],
    },
  },
  {
    name: 'a fast ticker on blue',
    half: 'held out',
    film: 'telescope',
    seconds: 13,
    drawn: {
      from: 2,
      to: 13,
      box: [0, 640, 1280, 60],
      fill: '0x102080',
      lines: [line(CRAWL, 'NotoSans_400Regular', 36, '0xf0f0f0', 0, 648)],
      speed: 220,
      letters: [0, 650, 1280, 40],
    },
  },
  {
    name: 'a station’s name, bottom right',
    half: 'held out',
    film: 'two men',
    seconds: 12,
    drawn: {
      from: 0,
      to: 12,
      box: [1050, 640, 190, 50],
      fill: '0xc00020',
      lines: [line('NEWS 24', 'Montserrat_900Black', 36, 'white', 1064, 646)],
      speed: 0,
      letters: [1064, 648, 165, 34],
    },
  },
  { name: 'two men, nothing drawn', half: 'tuned', film: 'two men', seconds: 45, drawn: null },
  { name: 'telescope, nothing drawn', half: 'tuned', film: 'telescope', seconds: 13, drawn: null },
  { name: 'a talker, nothing drawn', half: 'tuned', film: 'a talker', seconds: 12, drawn: null },
  {
    name: 'another talker, nothing drawn',
    half: 'held out',
    film: 'another talker',
    seconds: 12,
    drawn: null,
  },
]

/** Writes the scene and answers its file. */
export async function makeBanner(media: string, folder: string, scene: BannerScene): Promise<string> {
  const { film, seconds, drawn, name } = scene
  const { file, filter } = FILMS[film]
  const out = join(folder, `${name.replaceAll(/\W+/gu, '-')}.mp4`)
  if (existsSync(out)) return out
  const loops = film.includes('talker') ? ['-stream_loop', '-1'] : []
  const graph = drawn === null ? filter : `${filter},${overlayOf(drawn)}`
  const encoded = ['-an', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '23', '-pix_fmt', 'yuv420p']
  await runTool({
    executable: bundledTools().ffmpeg,
    args: ['-v', 'error', '-y', ...loops, '-i', join(media, file), '-t', String(seconds)].concat(
      ['-vf', `fps=${RATE},${graph}`],
      encoded,
      [out],
    ),
  })
  return out
}

function overlayOf(drawn: NonNullable<BannerScene['drawn']>): string {
  const { from, to, box, fill, lines, speed } = drawn
  const during = `enable='between(t,${from},${to})'`
  const [x, y, w, h] = box ?? []
  const under = box === null ? [] : [`drawbox=x=${x}:y=${y}:w=${w}:h=${h}:color=${fill}:t=fill:${during}`]
  const letters = lines.map((one) => {
    const left = speed === 0 ? String(one.x) : `${one.x + WIDTH / 2}-${speed}*t`
    const shadow = box === null ? ':shadowcolor=black@0.8:shadowx=2:shadowy=2' : ''
    const font = join(FONTS, `${one.font}.ttf`)
    return `drawtext=fontfile='${font}':text='${one.text}':fontsize=${one.size}:fontcolor=${one.colour}:x='${left}':y=${one.y}${shadow}:${during}`
  })
  return [...under, ...letters].join(',')
}
