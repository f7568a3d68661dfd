/** What an output shape is. Each one is a file of this folder and a line of registry.ts; everything else reads it there. */
export interface Shape {
  /** Width to height, as it is stored and shown. */
  readonly ratio: `${number}:${number}`
  readonly width: number
  readonly height: number
  /** Regular expressions of what people call it in the chat, besides its ratio. */
  readonly terms: readonly string[]
  /** Sizes in pixels that platforms request thumbnails of this shape in. */
  readonly thumbnailSizes: readonly `${number}x${number}`[]
}
