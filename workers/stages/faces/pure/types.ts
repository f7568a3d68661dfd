/** Types shared by the parts of the faces stage. PURE. Positions are shares of the picture, 0 to 1. */

/** A face in one picture. */
export interface Face {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly score: number
  /** Right eye, left eye, nose, right and left corner of the mouth, from the person's view; x and y alternate. */
  readonly landmarks: readonly number[]
}

/** A small grey picture, row by row. */
export interface Grey {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** A face followed through the pictures of one shot. */
export interface Track {
  readonly id: number
  /** In order of time. */
  readonly points: { readonly time: number; readonly face: Face }[]
  /** Motion of the mouth relative to the face, for each analysed picture from `firstPicture` on. */
  readonly motion: number[]
  readonly firstPicture: number
}
