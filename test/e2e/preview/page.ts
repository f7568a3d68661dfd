/**
 * The script of the test page: the studio's preview module, with functions that let the test read pixels. Bundled by
 * vite.
 */
import type { Composition } from '../../../server/contract/composition.ts'
import { fontAlias } from '../../../workers/compositor/fonts.ts'
import { createPreview } from '../../../renderer/preview/preview.ts'
import { loadFonts } from '../../../renderer/preview/fonts.ts'

const files = {
  pictureUrl: (digest: string) => `/pictures/${digest}`,
  fontUrl: (file: string) => `/fonts/${file}`,
  videoUrl: (digest: string) => `/videos/${digest}`,
}

/** PNG data addresses of these frames, drawn over `ground`. */
export async function drawFrames(
  composition: Composition,
  frames: readonly number[],
  ground: string,
  withSource = false,
): Promise<{ pictures: string[]; warnings: readonly string[] }> {
  const canvas = document.createElement('canvas')
  const preview = await createPreview(canvas, composition, { ...files, withSource })
  const flat = document.createElement('canvas')
  flat.width = canvas.width
  flat.height = canvas.height
  const context = flat.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('no 2D canvas')
  const pictures: string[] = []
  for (const frame of frames) {
    await preview.drawAt(frame)
    context.fillStyle = ground
    context.fillRect(0, 0, flat.width, flat.height)
    context.drawImage(canvas, 0, 0)
    pictures.push(flat.toDataURL('image/png'))
  }
  preview.close()
  return { pictures, warnings: preview.warnings }
}

export interface FontToMeasure {
  readonly family: string
  readonly weight: number
  readonly style: string
  readonly texts: readonly string[]
}

/** Width of each text of each font at `pixels`, measured as the compositor measures. */
export async function measureTexts(
  composition: Composition,
  fonts: readonly FontToMeasure[],
  pixels: number,
): Promise<number[][]> {
  await loadFonts(composition, files)
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) throw new Error('no 2D canvas')
  context.textRendering = 'geometricPrecision'
  const measured: number[][] = []
  for (const { family, weight, style, texts } of fonts) {
    const font = `${style} ${weight} ${pixels}px "${fontAlias(family)}"`
    await document.fonts.load(font)
    context.font = font
    measured.push(texts.map((text) => context.measureText(text).width))
  }
  return measured
}

/** Plays the video at `/clip.mp4` for a moment, then shows it at `atSeconds`. */
export async function playClip(atSeconds: number) {
  const video = document.createElement('video')
  video.muted = true
  video.src = '/clip.mp4'
  document.body.append(video)
  await new Promise<void>((resolve, reject) => {
    video.addEventListener('canplaythrough', () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error(video.error?.message ?? 'cannot play')), {
      once: true,
    })
  })
  const { readyState, videoWidth, videoHeight, duration } = video
  await video.play()
  await new Promise((resolve) => setTimeout(resolve, 400))
  video.pause()
  const playedTo = video.currentTime
  await new Promise<void>((resolve) => {
    video.addEventListener('seeked', () => resolve(), { once: true })
    video.currentTime = atSeconds
  })
  const canvas = document.createElement('canvas')
  canvas.width = videoWidth
  canvas.height = videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const picture = canvas.toDataURL('image/png')
  return { readyState, videoWidth, videoHeight, duration, playedTo, picture }
}

declare global {
  interface Window {
    cutroom: {
      drawFrames: typeof drawFrames
      measureTexts: typeof measureTexts
      playClip: typeof playClip
    }
  }
}
window.cutroom = { drawFrames, measureTexts, playClip }
