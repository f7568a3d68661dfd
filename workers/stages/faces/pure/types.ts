/** What the parts of the faces stage hand each other. PURE. Places are shares of the picture, 0 to 1. */

/** A face in one picture. */
export interface Face {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly score: number
  /** Right eye, left eye, nose, right and left corner of the mouth, as the person has them: x and y in turn. */
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
  /** How much the mouth moves against the rest of the face, for each looked-at picture from `firstPicture` on. */
  readonly motion: number[]
  readonly firstPicture: number
}
