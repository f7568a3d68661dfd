/** Canvases that the processor paints and reads, as the export's are: a graphics card smooths edges in its own way. */
import { preview } from '../messages/picture.ts'

export function openContext(canvas: HTMLCanvasElement): CanvasRenderingContext2D
export function openContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D
export function openContext(canvas: HTMLCanvasElement | OffscreenCanvas) {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error(preview.noCanvas)
  return context
}
