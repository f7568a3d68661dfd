import { readColour } from '../grammar/values.ts'
import { withCaptions } from './captions.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'

const SPOKEN =
  '(?:spoken word|spoken words|current word|active word|word being spoken|highlighted word|word that is spoken)'
const PARTS = {
  letters: 'fontColor',
  'spoken word': 'amplifiedColor',
  background: 'backgroundColor',
  outline: 'outlineColor',
  keywords: 'highlightColor',
} as const
const COLOURED =
  '(?:colou?red? )?(?:in |to |into |be |to be |should be |shall be |are |look )?(?:a |the colou?r )?{colour:COLOUR}(?: colou?r)?'
const OF_CAPTIONS = '(?: (?:of|in) the {captions})?'

/** A part is what captions are made of; letters where none is named. */
export const captionColour = declareCommand({
  name: 'caption_colour',
  examples: [
    'make the captions yellow',
    'colour the spoken word green',
    'black background behind the captions',
  ],
  rules: [
    rule(`(?:{make} )?(?:the )?(?:{captions}'? )?${SPOKEN}${OF_CAPTIONS} ${COLOURED}`, (found) =>
      coloured(found.text('colour'), 'spoken word'),
    ),
    rule(`(?:{make} )?(?:the )?(?:{captions}'? )?key ?words?${OF_CAPTIONS} ${COLOURED}`, (found) =>
      coloured(found.text('colour'), 'keywords'),
    ),
    rule(
      `(?:{make} )?(?:the )?(?:{captions}'? )?(?:background|box|backdrop)(?: (?:behind|of|under|for) the {captions})? ${COLOURED}`,
      (found) => coloured(found.text('colour'), 'background'),
    ),
    rule(
      `(?:{make} )?(?:the )?(?:{captions}'? )?(?:outline|edge|border|stroke)${OF_CAPTIONS} ${COLOURED}`,
      (found) => coloured(found.text('colour'), 'outline'),
    ),
    rule(
      '(?:(?:put|add|use|give|with|draw) )?(?:an? |the )?{colour:COLOUR} (?:background|box|backdrop) (?:behind|under|to|for|on) the {captions}',
      (found) => coloured(found.text('colour'), 'background'),
    ),
    rule(
      '(?:give the {captions}|captions? with|add) an? {colour:COLOUR} (?:background|box|backdrop)',
      (found) => coloured(found.text('colour'), 'background'),
    ),
    rule(
      '(?:(?:put|add|use|give|draw) )(?:the {captions} )?an? {colour:COLOUR} (?:outline|edge|border|stroke)(?: (?:around|to|on) the {captions})?',
      (found) => coloured(found.text('colour'), 'outline'),
    ),
    rule(
      `(?:{make} )?(?:the |my |all )?(?:colou?r of the )?{captions}(?: (?:colou?r|text|letters|font|font colou?r|text colou?r))? ${COLOURED}`,
      (found) => coloured(found.text('colour'), undefined),
    ),
    rule(
      `(?:{make} )?(?:the )?(?:colou?r of (?:the )?(?:letters|{captions})|letters|text|font colou?r|text colou?r) ${COLOURED}`,
      (found) => coloured(found.text('colour'), undefined),
    ),
    rule('(?:use |i want |with |add )?{colour:COLOUR} {captions}', (found) =>
      coloured(found.text('colour'), undefined),
    ),
  ],
  run(edit, _context, { colour, part = 'letters' }) {
    const read = readColour(colour)
    if (read === null) return refused(`“${colour}” is no colour that is known here. Try yellow, or #ffd60a.`)
    const next = withCaptions(edit, {
      [PARTS[part]]: read,
      ...(part === 'background' ? backgroundShown(edit.subtitleConfig) : {}),
      ...(part === 'spoken word' ? { amplifySpokenWords: true } : {}),
      ...(part === 'keywords' ? { highlightKeywords: true } : {}),
    })
    const what = {
      letters: 'Captions are',
      'spoken word': 'The spoken word is',
      background: 'The captions’ background is',
      outline: 'The captions’ outline is',
      keywords: 'Keywords are',
    }[part]
    return edited(next, `${what} ${colour.toLowerCase()}.`)
  },
})

function backgroundShown(config: Readonly<Record<string, unknown>>) {
  const fill = config['backgroundFillStyle']
  return { backgroundFillStyle: typeof fill === 'string' && fill !== 'none' ? fill : 'block' }
}

/** Colours only: "make the captions bigger" is another command's. */
function coloured(colour: string | null, part: keyof typeof PARTS | undefined) {
  if (colour === null || readColour(colour) === null) return null
  return part === undefined ? { colour } : { colour, part }
}
