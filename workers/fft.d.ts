/** Types for the part of fft.js that we use; the package has none. https://github.com/indutny/fft.js */
declare module 'fft.js' {
  export default class FFT {
    constructor(size: number)
    /** Memory for `size` complex numbers, real and imaginary parts alternating. */
    createComplexArray(): number[]
    /** The first half of the spectrum of real values. */
    realTransform(out: number[], data: readonly number[]): void
    /** The whole spectrum of complex values. */
    transform(out: number[], data: readonly number[]): void
    /** Fills in the second half, in place. */
    completeSpectrum(spectrum: number[]): void
    /** Back from a spectrum: complex values, divided by `size`. */
    inverseTransform(out: number[], spectrum: readonly number[]): void
  }
}
