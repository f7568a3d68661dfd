/**
 * Widths of text without fonts, good to about a tenth: enough to decide where captions break. What is drawn is set by
 * measured widths in the compositor, which shrinks a line that this guessed too narrow.
 */

/** Scripts that write without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\u3005\u3007]/u
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60\p{Extended_Pictographic}]/u
const NO_WIDTH = /[\p{M}\p{Cf}]/u

/** Average advance per letter in font sizes, measured on the bundled files: lower case, upper case, space. */
const FAMILIES: Readonly<Record<string, readonly [number, number, number]>> = {
  montserrat: [0.63, 0.76, 0.29],
  poppins: [0.62, 0.7, 0.2],
  inter: [0.58, 0.71, 0.23],
  lora: [0.55, 0.7, 0.26],
  anton: [0.47, 0.48, 0.23],
  'bebas neue': [0.4, 0.4, 0.16],
  'noto sans': [0.59, 0.69, 0.26],
}
const ORDINARY = FAMILIES['montserrat'] ?? [0.63, 0.76, 0.29]

export interface WidthFace {
  readonly fontFamily: string
  readonly textCase: 'none' | 'upper' | 'lower' | 'title'
}

/** Width of `text` in font sizes. */
export function estimateWidth(text: string, face: WidthFace): number {
  const [lower, upper, space] = FAMILIES[face.fontFamily.trim().toLowerCase()] ?? ORDINARY
  let width = 0
  for (const letter of text) {
    if (NO_WIDTH.test(letter)) continue
    else if (WIDE.test(letter)) width += 1
    else if (letter === ' ') width += space
    else if ("ijlI.,:;'!|’".includes(letter)) width += lower * (face.textCase === 'upper' ? 0.6 : 0.5)
    else if ('mwMW@%'.includes(letter)) width += upper * 1.4
    else width += face.textCase === 'upper' || /\p{Lu}/u.test(letter) ? upper : lower
  }
  return width
}

/** Characters as maxCharsPerLine counts them: a wide letter is two, a mark on another letter none. */
export function columns(text: string): number {
  let count = 0
  for (const letter of text) {
    if (!NO_WIDTH.test(letter)) count += WIDE.test(letter) ? 2 : 1
  }
  return count
}

export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}
