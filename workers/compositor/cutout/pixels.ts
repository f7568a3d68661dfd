/** Pictures as plain numbers, for finding the person in the foreground. */

/** Four bytes a pixel, row by row: red, green, blue, opacity. As a canvas gives them. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** One number a pixel, 0 to 1, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Float32Array
}
