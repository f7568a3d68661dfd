/** Draws golden cases and compares pictures. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import { drawFrame, prepare } from '../../workers/compositor/compositor.ts'
import { useExactText } from '../../workers/render-support/exact-text.ts'
import { registerFontsFor } from '../../workers/render-support/fonts.ts'
import { GOLDEN_PICTURE, type GoldenCase } from './cases.ts'

export const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')
export const IMAGES = join(import.meta.dirname, 'images')
export const ARTIFACTS = join(import.meta.dirname, '..', '.artifacts', 'golden')

/** The case's bands, over mid grey, so that dark outlines and light letters both weigh. */
export async function drawCase(golden: GoldenCase): Promise<Canvas> {
  const fonts = await registerFontsFor(golden.composition, RESOURCES, null)
  const pictures = new Map([[GOLDEN_PICTURE, await loadImage(await testPicture().encode('png'))]])
  const prepared = prepare(golden.composition, createCanvas(2, 2).getContext('2d'), fonts, pictures)
  const box = prepared.bands[0]?.box
  if (box === undefined) throw new Error(`${golden.name} draws nothing`)
  const frame = createCanvas(prepared.width, prepared.height)
  drawFrame(useExactText(frame.getContext('2d')), prepared, golden.frame)
  const picture = createCanvas(box.width, box.height)
  const context = picture.getContext('2d')
  context.fillStyle = '#6f7d87'
  context.fillRect(0, 0, box.width, box.height)
  context.drawImage(frame, -box.x, -box.y)
  return picture
}

/** A logo with corners that distinguish the sides: a disc on a transparent ground, one corner red and one blue. */
export function testPicture(): Canvas {
  const canvas = createCanvas(300, 150)
  const context = canvas.getContext('2d')
  context.fillStyle = '#ffd60a'
  context.beginPath()
  context.arc(150, 75, 70, 0, 2 * Math.PI)
  context.fill()
  context.fillStyle = '#ff4539'
  context.fillRect(0, 0, 60, 30)
  context.fillStyle = '#2f6bff'
  context.fillRect(240, 120, 60, 30)
  return canvas
}

/** Throws where there is none yet, with what to do. */
export async function readPicture(file: string): Promise<Canvas> {
  // Not left to the decoder: it takes a name that leads nowhere for an address.
  if (!existsSync(file))
    throw new Error(
      `There is no ${file}. Look at it: npm run golden:sheet. Keep it: node test/golden/renew.ts`,
    )
  const image = await loadImage(file)
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas
}

function luma(canvas: Canvas): Float64Array {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return Float64Array.from(
    { length: data.length / 4 },
    (_, i) => 0.2126 * (data[i * 4] ?? 0) + 0.7152 * (data[i * 4 + 1] ?? 0) + 0.0722 * (data[i * 4 + 2] ?? 0),
  )
}

/** Mean and worst structural similarity of luma over 8x8 windows, and the mean difference of all channels (0-255). */
export function compare(a: Canvas, b: Canvas): { mean: number; worst: number; difference: number } {
  if (a.width !== b.width || a.height !== b.height) return { mean: 0, worst: 0, difference: 255 }
  const left = luma(a)
  const right = luma(b)
  const scores: number[] = []
  for (let y = 0; y + 8 <= a.height; y += 4) {
    for (let x = 0; x + 8 <= a.width; x += 4) scores.push(similarity(left, right, a.width, x, y))
  }
  const [dataA, dataB] = [a, b].map(
    (canvas) => canvas.getContext('2d').getImageData(0, 0, a.width, a.height).data,
  )
  let sum = 0
  dataA?.forEach((value, index) => {
    sum += Math.abs(value - (dataB?.[index] ?? 0))
  })
  return {
    mean: scores.reduce((total, score) => total + score, 0) / scores.length,
    worst: Math.min(...scores),
    difference: sum / (a.width * a.height * 4),
  }
}

function similarity(a: Float64Array, b: Float64Array, stride: number, x: number, y: number): number {
  let sumA = 0
  let sumB = 0
  let squareA = 0
  let squareB = 0
  let product = 0
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 8; column++) {
      const at = (y + row) * stride + x + column
      const p = a[at] ?? 0
      const q = b[at] ?? 0
      sumA += p
      sumB += q
      squareA += p * p
      squareB += q * q
      product += p * q
    }
  }
  const meanA = sumA / 64
  const meanB = sumB / 64
  const varianceA = squareA / 64 - meanA ** 2
  const varianceB = squareB / 64 - meanB ** 2
  const covariance = product / 64 - meanA * meanB
  const c1 = (0.01 * 255) ** 2
  const c2 = (0.03 * 255) ** 2
  return (
    ((2 * meanA * meanB + c1) * (2 * covariance + c2)) /
    ((meanA ** 2 + meanB ** 2 + c1) * (varianceA + varianceB + c2))
  )
}

/** Wanted, drawn and their difference side by side. */
export function contactSheet(wanted: Canvas, drawn: Canvas): Canvas {
  const width = Math.max(wanted.width, drawn.width)
  const height = Math.max(wanted.height, drawn.height)
  const sheet = createCanvas(width, height * 3 + 16)
  const context = sheet.getContext('2d')
  context.drawImage(wanted, 0, 0)
  context.drawImage(drawn, 0, height + 8)
  context.drawImage(wanted, 0, 2 * (height + 8))
  context.globalCompositeOperation = 'difference'
  context.drawImage(drawn, 0, 2 * (height + 8))
  return sheet
}
