/**
 * The little of Canvas2D that the compositor draws with. Both the browser's CanvasRenderingContext2D and
 * @napi-rs/canvas' SKRSContext2D satisfy it, so the studio's preview and the export run the same code.
 */
export interface TextMetricsLike {
  readonly width: number
  readonly actualBoundingBoxAscent: number
  readonly actualBoundingBoxDescent: number
}

/** A decoded picture: the browser's ImageBitmap or image element, or @napi-rs/canvas' Image. */
export interface PictureLike {
  readonly width: number
  readonly height: number
}

export interface DrawingContext {
  fillStyle: unknown
  strokeStyle: unknown
  globalAlpha: number
  globalCompositeOperation: string
  lineWidth: number
  lineJoin: string
  lineCap: string
  miterLimit: number
  font: string
  letterSpacing: string
  fontKerning: string
  textAlign: string
  textBaseline: string
  direction: string
  shadowColor: string
  shadowBlur: number
  shadowOffsetX: number
  shadowOffsetY: number
  save(): void
  restore(): void
  translate(x: number, y: number): void
  scale(x: number, y: number): void
  beginPath(): void
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  quadraticCurveTo(controlX: number, controlY: number, x: number, y: number): void
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void
  closePath(): void
  rect(x: number, y: number, width: number, height: number): void
  clip(): void
  fill(): void
  stroke(): void
  clearRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number): void
  strokeText(text: string, x: number, y: number): void
  measureText(text: string): TextMetricsLike
  imageSmoothingEnabled: boolean
  imageSmoothingQuality: string
  fillRect(x: number, y: number, width: number, height: number): void
  createLinearGradient(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
  ): { addColorStop(offset: number, colour: string): void }
  /** A rectangle of the picture, in its own pixels, into a rectangle of the canvas. */
  drawImage(
    picture: PictureLike,
    fromX: number,
    fromY: number,
    fromWidth: number,
    fromHeight: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void
}

/** The context type of the compositor: any Canvas2D context matches structurally. */
export type AnyCanvasContext = object

/**
 * The one place where a real context becomes ours: the DOM types its string properties as closed unions, so the two
 * are not assignable to each other by name, though every value that we write is one of the allowed ones.
 */
export function asDrawingContext(context: AnyCanvasContext): DrawingContext {
  return context as DrawingContext
}
