/** The text that marks a copy of a clip for reviewers. PURE. */
import type { Composition, TitleLayer } from '../../contract/composition.ts'
import { languageOf } from './language.ts'
import { withBreaks } from './script-words.ts'

/**
 * Percent of width and height. No part of the picture that is worth taking lies between them, in any shape: whoever cuts them
 * off loses three quarters of it. Captions usually stand at 72 and keep their place.
 */
const PLACES = [
  [30, 13],
  [70, 38],
  [30, 62],
  [70, 87],
] as const
const FONT_SIZE = 46

function markLayer(
  text: string,
  {
    durationFrames,
    index,
    place,
  }: { durationFrames: number; index: number; place: readonly [number, number] },
): TitleLayer {
  const language = languageOf(text.split(' '))
  const [xPercent, yPercent] = place
  return {
    kind: 'title',
    id: `review-watermark:${index}`,
    text: withBreaks(text),
    ...(language === 'und' ? {} : { language }),
    startFrame: 0,
    endFrame: durationFrames,
    fadeFrames: 0,
    face: {
      fontFamily: 'Inter',
      fontSize: FONT_SIZE,
      fontWeight: 600,
      italic: false,
      lineHeight: 1.2,
      letterSpacing: 0,
      textCase: 'none',
      colour: 'rgba(255, 255, 255, 0.6)',
      // Readable on white as well.
      outline: { colour: 'rgba(0, 0, 0, 0.45)', width: 1.5 },
      shadow: null,
    },
    backdrop: { fill: 'none', colour: '#000000', opacity: 0, paddingX: 0, paddingY: 0, radius: 0 },
    align: 'center',
    xPercent,
    yPercent,
    maxWidthPercent: 56,
    targetHeightPercent: 10,
  }
}

/** The same clip with a text over everything else, all the time, end card included. */
export const withReviewWatermark = (composition: Composition, text: string): Composition => ({
  ...composition,
  layers: [
    ...composition.layers,
    ...PLACES.map((place, index) =>
      markLayer(text, { durationFrames: composition.durationFrames, index, place }),
    ),
  ],
})
