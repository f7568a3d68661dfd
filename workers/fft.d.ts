/** The part of fft.js that is used; it has no types of its own. https://github.com/indutny/fft.js */
declare module 'fft.js' {
  export default class FFT {
    constructor(size: number)
    /** Room for `size` complex numbers, real and imaginary parts in turn. */
    createComplexArray(): number[]
    /** The first half of the spectrum of real values. */
    realTransform(out: number[], data: readonly number[]): void
  }
}
