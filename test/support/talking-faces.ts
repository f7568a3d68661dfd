/**
 * A video of two portraits that talk in turns: the mouth of the speaker opens and closes at the pace of syllables, both
 * drift slowly, and a tone represents each voice. Made from the development media.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import { bundledTools } from './stage-harness.ts'

export interface Turn {
  /** 0 is the left one, 1 the right one. */
  readonly who: 0 | 1
  readonly start: number
  readonly end: number
}

const WIDTH = 1280
const HEIGHT = 720
const RATE = 25

interface Portrait {
  readonly image: Canvas
  readonly left: number
  readonly top: number
  /** In the scaled image's own pixels. */
  readonly mouth: { readonly x: number; readonly y: number; readonly width: number }
}

/** Writes `talking.mp4` into the folder; `media` is the folder of the development media. Frame rate 25, 1280x720. */
export async function makeTalkingFaces(
  media: string,
  folder: string,
  turns: readonly Turn[],
): Promise<string> {
  const file = join(folder, 'talking.mp4')
  const portraits: Portrait[] = [
    {
      image: await portrait(join(media, 'astronaut.png'), 1),
      left: 60,
      top: 110,
      mouth: { x: 223, y: 146, width: 34 },
    },
    {
      image: await portrait(join(media, 'portrait_obama_official.jpg'), 0.5),
      left: 760,
      top: 60,
      mouth: { x: 248, y: 166, width: 48 },
    },
  ]
  const seconds = Math.max(...turns.map(({ end }) => end)) + 0.5
  const tones = turns.map(
    ({ who, start, end }) =>
      `between(t\\,${start}\\,${end})*0.3*sin(2*PI*t*${who === 0 ? 220 : 130})*(0.6+0.4*sin(2*PI*t*4))`,
  )
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
      '-f',
      'lavfi',
      '-i',
      `aevalsrc=${tones.join('+')}:s=16000:d=${seconds}`,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-crf',
      '18',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-shortest',
      file,
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = once(child, 'exit')
  for (let frame = 0; frame < seconds * RATE; frame += 1) {
    if (!child.stdin.write(picture(portraits, turns, frame / RATE))) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  await ended
  return file
}

const canvas = createCanvas(WIDTH, HEIGHT)

function picture(portraits: readonly Portrait[], turns: readonly Turn[], time: number): Buffer {
  const context = canvas.getContext('2d')
  context.fillStyle = '#303c4c'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  portraits.forEach(({ image, left, top, mouth }, who) => {
    context.save()
    // People move slightly: the measure of lips must tolerate this.
    context.translate(left + 6 * Math.sin(time * 1.3 + who), top + 3 * Math.sin(time * 0.9 + who))
    context.drawImage(image, 0, 0)
    const talks = turns.some((turn) => turn.who === who && time >= turn.start && time < turn.end)
    if (talks) {
      const open = Math.abs(Math.sin(2 * Math.PI * time * 2.1)) * (0.5 + 0.5 * Math.abs(Math.sin(time * 3.7)))
      const { x, y, width } = mouth
      context.fillStyle = '#2a0f10'
      context.beginPath()
      context.ellipse(x, y + 0.15 * width * open, width * 0.42, width * 0.34 * open, 0, 0, 2 * Math.PI)
      context.fill()
    }
    context.restore()
  })
  return Buffer.from(context.getImageData(0, 0, WIDTH, HEIGHT).data.buffer)
}

/** Scaled once: that is most of the work of a picture. */
async function portrait(file: string, scale: number): Promise<Canvas> {
  const image = await loadImage(file)
  const small = createCanvas(Math.round(image.width * scale), Math.round(image.height * scale))
  small.getContext('2d').drawImage(image, 0, 0, small.width, small.height)
  return small
}
