import { numberField, presetOf, withCaptions } from './captions.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const BIGGER = '(?:bigger|larger|huger|increase|enlarge|grow)'
const MUCH = '(?:much|a lot|way|far|lots)'
const BY = { bigger: 1.2, smaller: 1 / 1.2, 'much bigger': 1.5, 'much smaller': 1 / 1.5 } as const
const LEAST = 16
const MOST = 240

export const captionSize = declareCommand({
  name: 'caption_size',
  examples: ['make the captions bigger', 'caption size 90'],
  rules: [
    rule(`(?:{make} )?(?:the |my )?{captions}(?: text| letters| font)?(?: size)? ${MUCH} ${BIGGER}`, () => ({
      change: 'much bigger' as const,
    })),
    rule(`(?:{make} )?(?:the |my )?{captions}(?: text| letters| font)?(?: size)? ${MUCH} smaller`, () => ({
      change: 'much smaller' as const,
    })),
    rule(
      `(?:{make} )?(?:the |my )?{captions}(?: text| letters| font)?(?: size)? (?:a (?:bit|little) |slightly )?${BIGGER}`,
      () => ({ change: 'bigger' as const }),
    ),
    rule(
      '(?:{make} )?(?:the |my )?{captions}(?: text| letters| font)?(?: size)? (?:a (?:bit|little) |slightly )?smaller',
      () => ({ change: 'smaller' as const }),
    ),
    rule('(?:{make} )?(?:the )?{captions} (?:huge|giant|enormous|very big)', () => ({
      change: 'much bigger' as const,
    })),
    rule('(?:{make} )?(?:the )?{captions} (?:tiny|very small)', () => ({ change: 'much smaller' as const })),
    rule(
      '(?:bigger|larger) {captions}|(?:increase|enlarge|grow) (?:the )?(?:size of the )?{captions}(?: size)?',
      () => ({ change: 'bigger' as const }),
    ),
    rule(
      'smaller {captions}|(?:reduce|decrease|shrink) (?:the )?(?:size of the )?{captions}(?: size)?',
      () => ({ change: 'smaller' as const }),
    ),
    rule(
      '(?:{make} )?(?:the )?(?:{captions} (?:font )?size|size of the {captions}|font size)(?: to| at)? {size:NUMBER}(?: ?(?:px|pt|points|pixels))?',
      (found) => {
        const size = found.number('size')
        return size === null || size < LEAST || size > MOST ? null : { size }
      },
    ),
  ],
  run(edit, _context, { change, size }) {
    const usual = numberField(edit.subtitleConfig, 'fontSize', presetOf(edit)?.face.fontSize ?? 76)
    const wanted = size ?? (change === undefined ? usual : usual * BY[change])
    const fontSize = Math.min(MOST, Math.max(LEAST, Math.round(wanted)))
    if (fontSize === usual) return refused(`The captions are at ${usual} already.`)
    return edited(withCaptions(edit, { fontSize }), `Captions are at size ${fontSize} instead of ${usual}.`)
  },
})
