/**
 * Videos of screens with and without a small person in a picture of their own, and of indoor scenes that must not be
 * detected as screens. Drawn with the portraits of the development media; 1280x720, no sound.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createCanvas, loadImage, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'
import { bundledTools } from './stage-harness.ts'

export interface ScreenScene {
  readonly name: string
  readonly kind: 'game' | 'slides' | 'editor' | 'room' | 'board'
  /** Rectangle of the person's own picture, pixels: left, top, width, height; null: there is none. */
  readonly inset: readonly [number, number, number, number] | null
  readonly person: 'astronaut' | 'official' | null
  /** Pixels of a line around the inset. */
  readonly border?: number
}

export const WIDTH = 1280
export const HEIGHT = 720
const RATE = 12.5

export const SCREEN_SCENES: readonly ScreenScene[] = [
  { name: 'game, webcam in the corner', kind: 'game', inset: [0, 500, 320, 220], person: 'astronaut' },
  {
    name: 'game, framed webcam at the side',
    kind: 'game',
    inset: [930, 240, 300, 220],
    person: 'official',
    border: 4,
  },
  { name: 'slides, speaker at the top', kind: 'slides', inset: [960, 20, 300, 170], person: 'astronaut' },
  {
    name: 'slides, speaker below',
    kind: 'slides',
    inset: [980, 500, 300, 220],
    person: 'official',
    border: 2,
  },
  { name: 'editor, webcam in the corner', kind: 'editor', inset: [1020, 540, 260, 180], person: 'official' },
  { name: 'slides without anybody', kind: 'slides', inset: null, person: null },
  { name: 'editor without anybody', kind: 'editor', inset: null, person: null },
  { name: 'small in a corner of a room', kind: 'room', inset: null, person: 'official' },
  { name: 'small in a corner of a plain room', kind: 'room', inset: null, person: 'astronaut' },
  { name: 'before a whiteboard', kind: 'board', inset: null, person: 'official' },
  { name: 'a room without anybody', kind: 'room', inset: null, person: null },
]

/** Writes `<place>.mp4` into the folder. */
export async function makeScreen(
  media: string,
  folder: string,
  scene: ScreenScene,
  seconds: number,
): Promise<string> {
  const file = join(folder, `screen-${SCREEN_SCENES.indexOf(scene)}.mp4`)
  const draw = await drawerOf(media, scene)
  const child = spawn(
    bundledTools().ffmpeg,
    [
      '-v',
      'error',
      '-y',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'rgba',
      '-s',
      `${WIDTH}x${HEIGHT}`,
      '-r',
      String(RATE),
      '-i',
      'pipe:0',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '23',
      '-pix_fmt',
      'yuv420p',
      file,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const canvas = createCanvas(WIDTH, HEIGHT)
  for (let frame = 0; frame < seconds * RATE; frame += 1) {
    draw(canvas.getContext('2d'), frame / RATE)
    const { data } = canvas.getContext('2d').getImageData(0, 0, WIDTH, HEIGHT)
    if (!child.stdin.write(Buffer.from(data.buffer))) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  await ended
  return file
}

type Draw = (context: SKRSContext2D, time: number) => void

async function drawerOf(media: string, scene: ScreenScene): Promise<Draw> {
  const portrait = scene.person === null ? null : await loadImage(join(media, FILES[scene.person]))
  const people: Readonly<Record<ScreenScene['kind'], { x: number; y: number; height: number } | null>> = {
    game: null,
    slides: null,
    editor: null,
    room: { x: 150, y: 470, height: 330 },
    board: { x: 520, y: 420, height: 600 },
  }
  const stands = people[scene.kind]
  const cutOut = portrait === null || stands === null ? null : softly(portrait, stands.height)
  const grounds: Readonly<Record<ScreenScene['kind'], Draw>> = {
    game,
    slides,
    editor,
    room: (context, time) => room(context, time, scene.person === 'official'),
    board,
  }
  return (context, time) => {
    context.save()
    grounds[scene.kind](context, time)
    const dx = 5 * Math.sin(time * 1.3)
    const dy = 3 * Math.sin(time * 0.9)
    if (scene.inset !== null && portrait !== null) webcam(context, scene, portrait, { dx, dy })
    else if (cutOut !== null && stands !== null)
      context.drawImage(cutOut, stands.x - cutOut.width / 2 + 2 * dx, stands.y - cutOut.height / 2 + dy)
    context.restore()
  }
}

const FILES = { astronaut: 'astronaut.png', official: 'portrait_obama_official.jpg' } as const
type Picture = Awaited<ReturnType<typeof loadImage>>

/** The upper part of the portrait fills the inset. */
function webcam(
  context: SKRSContext2D,
  scene: ScreenScene,
  portrait: Picture,
  { dx, dy }: { dx: number; dy: number },
): void {
  const [x, y, width, height] = scene.inset ?? [0, 0, 1, 1]
  context.save()
  context.beginPath()
  context.rect(x, y, width, height)
  context.clip()
  context.fillStyle = '#5a6470'
  context.fillRect(x, y, width, height)
  const scale = (1.15 * Math.max(width / portrait.width, height / portrait.height)) / 1
  const w = portrait.width * scale
  const h = portrait.height * scale
  context.drawImage(portrait, x + (width - w) / 2 + dx, y - 0.02 * h + dy, w, h)
  context.restore()
  if (scene.border === undefined) return
  context.strokeStyle = '#e8e8f0'
  context.lineWidth = scene.border
  context.strokeRect(x, y, width, height)
}

/** The portrait with soft edges: a person who stands in the scene. */
function softly(portrait: Picture, height: number): Canvas {
  const scale = height / portrait.height
  const canvas = createCanvas(Math.round(portrait.width * scale), height)
  const context = canvas.getContext('2d')
  context.drawImage(portrait, 0, 0, canvas.width, height)
  context.globalCompositeOperation = 'destination-in'
  const x = canvas.width / 2
  const y = height / 2
  const fade = context.createRadialGradient(x, y, canvas.width * 0.25, x, y, canvas.width * 0.48)
  fade.addColorStop(0, '#000f')
  fade.addColorStop(1, '#0000')
  context.fillStyle = fade
  context.fillRect(0, 0, canvas.width, height)
  return canvas
}

/** Tiles that scroll, things that fly about, and another place every three seconds. */
function game(context: SKRSContext2D, time: number): void {
  const place = Math.floor(time / 3)
  const red = 60 + ((place * 70) % 140)
  const blue = 90 + ((place * 110) % 130)
  const away = (time * 180) % 80
  for (let x = -80; x < WIDTH + 80; x += 80) {
    for (let y = 0; y < HEIGHT; y += 80) {
      const light = 0.6 + 0.4 * Math.abs(Math.sin((x + place * 37) * 12.9 + y * 78.2))
      context.fillStyle = `rgb(${red * light}, ${150 * light}, ${blue * light})`
      context.fillRect(x - away, y, 80, 80)
    }
  }
  for (let at = 0; at < 25; at += 1) {
    const x = (at * 331 + time * (90 + at * 12)) % WIDTH
    const y = 360 + 330 * Math.sin(at * 2.1 + time * (0.7 + at * 0.05))
    context.fillStyle = `hsl(${(at * 47) % 360} 80% 55%)`
    context.beginPath()
    context.arc(x, y, 12 + (at % 5) * 6, 0, 2 * Math.PI)
    context.fill()
  }
}

/** Dark text on white, another slide every four seconds. */
function slides(context: SKRSContext2D, time: number): void {
  const slide = Math.floor(time / 4)
  context.fillStyle = '#fbfbfa'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = '#1d3d6b'
  context.font = 'bold 52px sans-serif'
  context.fillText(['Where the water goes', 'What it costs', 'Next steps'][slide % 3] ?? '', 80, 110)
  context.fillStyle = '#222'
  context.font = '30px sans-serif'
  for (let line = 0; line < 6; line += 1)
    context.fillText(
      `• point ${slide + 1}.${line + 1} of what there is to say about it`,
      100,
      210 + line * 74,
    )
  context.fillStyle = '#c8552d'
  for (let bar = 0; bar < 4; bar += 1)
    context.fillRect(800 + bar * 45, 460 - ((bar + slide) % 4) * 50, 30, 40 + ((bar + slide) % 4) * 50)
}

/** Light text on dark, a line more each second. */
function editor(context: SKRSContext2D, time: number): void {
  context.fillStyle = '#1e1f29'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.fillStyle = '#2a2c3a'
  context.fillRect(0, 0, 220, HEIGHT)
  context.font = '22px monospace'
  const first = Math.floor(time)
  for (let line = 0; line < 22; line += 1) {
    const number = first + line
    context.fillStyle = ['#8be9fd', '#f8f8f2', '#ff79c6', '#50fa7b'][number % 4] ?? '#fff'
    const text = `const value${number} = compute(${number * 7}, options.some${number % 5})`
    context.fillText(text.slice(0, 30 + ((number * 13) % 34)), 250 + (number % 3) * 24, 40 + line * 31)
  }
  for (let file = 0; file < 12; file += 1) {
    context.fillStyle = '#9aa0b8'
    context.fillText(`file${file}.ts`, 30, 60 + file * 34)
  }
}

/** A wall with light that falls off, a door, and the grain of a camera. */
function room(context: SKRSContext2D, time: number, furnished: boolean): void {
  const light = context.createLinearGradient(0, 0, WIDTH, HEIGHT)
  light.addColorStop(0, '#8d8577')
  light.addColorStop(1, '#4b463f')
  context.fillStyle = light
  context.fillRect(0, 0, WIDTH, HEIGHT)
  if (furnished) {
    context.fillStyle = '#5d4632'
    context.fillRect(820, 150, 210, 570)
    context.fillStyle = '#76583f'
    context.fillRect(838, 170, 174, 550)
    context.fillStyle = '#3c3a38'
    context.fillRect(0, 640, WIDTH, 80)
    context.fillStyle = '#a9b8c4'
    context.fillRect(330, 110, 260, 190)
  }
  grain(context, time)
}

/** A lit whiteboard on a wall, with writing. */
function board(context: SKRSContext2D, time: number): void {
  room(context, time, false)
  context.fillStyle = '#e9ebe8'
  context.fillRect(330, 90, 620, 400)
  context.strokeStyle = '#6c7072'
  context.lineWidth = 8
  context.strokeRect(330, 90, 620, 400)
  context.fillStyle = '#284a8c'
  context.font = 'italic 40px sans-serif'
  context.fillText('a² + b² = c²', 680, 180)
  context.fillText('so b = 4', 690, 260)
  grain(context, time)
}

function grain(context: SKRSContext2D, time: number): void {
  for (let at = 0; at < 4000; at += 1) {
    const seed = Math.sin(at * 12.9898 + time * 78.233) * 43_758.5453
    const share = seed - Math.floor(seed)
    context.fillStyle = share > 0.5 ? '#ffffff10' : '#00000012'
    context.fillRect((share * 7919 * 13) % WIDTH, (share * 104_729) % HEIGHT, 6, 6)
  }
}
