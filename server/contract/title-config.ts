/** TitleConfig: the headline over the first seconds of a clip. Sizes are reference units, positions are fractions. */
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedObject,
  colourField,
  lengthField,
  numberField,
  textField,
  unitField,
  urlField,
} from './config-fields.ts'

export const TitleConfig = closedObject(
  {
    enabled: booleanField('Show the headline', true),
    titlePresetId: textField(
      'Styled title template; choosing one discards the styling saved on the node',
      100,
    ),
    titlePaletteId: textField('Colours of the template', 100),
    generateTitle: booleanField('Write the headline from the clip; false with `text` fixes it'),
    text: textField('The headline; the title of the clip when absent', 1000),
    prompt: textField('What the headline should be like', 10_000),
    fontFamily: textField('Font family', 200),
    fontUrl: urlField('Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB'),
    fontWeight: lengthField('Font weight, "800", 800, "bold"'),
    fontColor: colourField('Text colour'),
    fontSize: lengthField('Font size in reference units'),
    fontScale: numberField('Multiplies the font size', { exclusiveMinimum: 0, maximum: 20 }),
    lineHeight: lengthField('Line height, a multiple of the font size'),
    lineMargin: lengthField('Extra space between lines in reference units'),
    characterSpacing: lengthField('Space between letters in reference units'),
    padding: lengthField('Space beside the text inside its background, reference units'),
    verticalPadding: lengthField('Space above and below the text inside its background, reference units'),
    borderRadius: lengthField('Corner radius of the background in reference units'),
    backgroundColor: colourField('Colour behind the text'),
    backgroundOpacity: unitField('Opacity of the background, 0 to 1'),
    backgroundStyle: textField('Shape of the background: none, line, block, wrap', 40),
    textShadow: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 200 })], {
        description: 'Shadow of the text: true, false, or CSS such as "0 4px 12px rgba(0,0,0,0.6)"',
      }),
    ),
    boxShadow: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 200 })], {
        description: 'Shadow of the background: true, false, or CSS',
      }),
    ),
    xPosition: unitField('Centre of the block, fraction of the width'),
    yPosition: unitField('Centre of the block, fraction of the height'),
    positionDynamically: booleanField('Let the service choose the place'),
    avoidFaces: booleanField(
      'Keep clear of faces; left out, it does where faces are known and no place is given',
    ),
    maxWidthPercent: numberField('Widest the block may be, percent of the width', {
      minimum: 0,
      maximum: 100,
    }),
    targetHeightPercent: numberField('Tallest the block may be, percent of the height; text shrinks to fit', {
      minimum: 0,
      maximum: 100,
    }),
    duration: numberField('Seconds it is shown from the start; 0 shows it to the end', {
      minimum: 0,
      default: 5,
    }),
    fadeDuration: numberField('Seconds of fade in and out', { minimum: 0, default: 0.3 }),
    allCaps: booleanField('Upper case', false),
    textAlign: choiceField('Alignment of the lines', ['left', 'center', 'right', 'start', 'end', 'justify']),
  },
  { description: 'Headline text and styling' },
)
export type TitleConfig = Static<typeof TitleConfig>
