/** PURE. Two channels of sound. */

/** Samples at 48 kHz, of equal length. */
export interface Stereo {
  readonly left: Float32Array
  readonly right: Float32Array
}
