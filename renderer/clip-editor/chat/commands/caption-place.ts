import { numberField, presetOf, withCaptions } from './captions.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const THE = '(?:{set} )?(?:the |my )?{captions}(?: position)?'
const TO = '(?:(?:to|at|in|near|on) )?(?:the )?(?:very )?'
const OF = '(?: of the (?:screen|picture|frame|video|clip))?'
const STEP = 8

export const captionPlace = declareCommand({
  name: 'caption_place',
  examples: ['put the captions at the top', 'move the captions up', 'captions at 60%'],
  rules: [
    rule(`${THE} ${TO}top${OF}`, () => ({ place: 'top' as const })),
    rule(`${THE} ${TO}(?:middle|centre|center)${OF}`, () => ({ place: 'middle' as const })),
    rule(`${THE} ${TO}bottom${OF}`, () => ({ place: 'bottom' as const })),
    rule(
      `${THE} (?:a (?:bit|little) |slightly )?(?:higher|up|upwards?)(?: a (?:bit|little))?|(?:raise|lift|move up) the {captions}`,
      () => ({ place: 'higher' as const }),
    ),
    rule(
      `${THE} (?:a (?:bit|little) |slightly )?(?:lower|down|downwards?)(?: a (?:bit|little))?|(?:lower|drop down|move down) the {captions}`,
      () => ({ place: 'lower' as const }),
    ),
    rule(`${THE} (?:to|at) {percent:PERCENT}(?: (?:of the height|down|from the top|height))?`, (found) => {
      const percent = found.number('percent')
      return percent === null || percent > 100 ? null : { percent }
    }),
  ],
  run(edit, context, { place, percent }) {
    if (percent !== undefined)
      return edited(
        withCaptions(edit, { subtitleY: percent, captionPosition: null }),
        `Captions are at ${percent} % of the height.`,
      )
    if (place === 'higher' || place === 'lower') {
      const { width, height } = context.output
      const shape = height > width ? 'vertical' : height === width ? 'square' : 'horizontal'
      const usual = numberField(edit.subtitleConfig, 'subtitleY', presetOf(edit)?.yPercent[shape] ?? 72)
      const subtitleY = Math.min(95, Math.max(5, usual + (place === 'higher' ? -STEP : STEP)))
      if (subtitleY === usual) return refused(`The captions cannot go any ${place}.`)
      return edited(
        withCaptions(edit, { subtitleY, captionPosition: null }),
        `Captions are ${place}: at ${subtitleY} % of the height.`,
      )
    }
    if (place === undefined)
      return refused('Say where the captions shall be: top, middle, bottom, higher or lower.')
    const next = withCaptions(edit, { captionPosition: place, subtitleX: null, subtitleY: null })
    return edited(next, `Captions are at the ${place}.`)
  },
})
