/**
 * How captions and headlines look and where they sit. Sizes are reference units (1080 on the short side of the picture).
 * Positions are of the block's centre: of captions in percent of width and height, of headlines as fractions.
 */
import { SAFE_ZONES } from './platforms/registry.ts'
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedConfig,
  closedObject,
  describedObject,
  colourField,
  lengthField,
  nullable,
  numberField,
  textField,
  unitField,
  urlField,
  weightField,
} from './config-fields.ts'

const styleFields = {
  styleId: textField('Caption preset that the other fields refine', 100),
  fontColor: colourField('Text colour'),
  fontFamily: textField('Font family', 200),
  fontUrl: urlField('Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB'),
  fontSize: lengthField('Font size in reference units, "76" or 76'),
  fontWeight: weightField('Font weight, "800", 800, "bold"'),
  isItalic: booleanField('Italic text', false),
  lineHeight: numberField('Line height, a multiple of the font size', { exclusiveMinimum: 0, maximum: 5 }),
  letterSpacing: lengthField('Space between letters in reference units'),
  textCase: textField('Letter case: none, uppercase, lowercase, capitalize', 40),
  textAlign: choiceField('Alignment of the lines', ['left', 'center', 'right', 'start', 'end', 'justify']),
  backgroundColor: colourField('Colour behind the text'),
  backgroundOpacity: unitField('Opacity of the background, 0 to 1'),
  backgroundFillStyle: textField('Shape of the background: none, line, block, wrap', 40),
  backgroundPadding: lengthField('Space between text and background edge in reference units'),
  backgroundBorderRadius: lengthField('Corner radius of the background in reference units'),
  captionPosition: textField('Place on the picture: top, middle, bottom; subtitleX and subtitleY win', 40),
  outlineColor: colourField('Colour of the outline'),
  outlineWidth: lengthField('Width of the outline in reference units'),
  shadowColor: colourField('Colour of the shadow'),
  shadowBlur: lengthField('Blur of the shadow in reference units'),
  shadowEnabled: booleanField('Draw the shadow'),
  maxCharsPerLine: numberField('Characters in a line, at most', { minimum: 1, maximum: 500 }),
  maxLines: numberField('Lines in a caption, at most', { minimum: 1, maximum: 20 }),
  wrapWidthPct: numberField('Width in which lines wrap, percent of the picture', {
    minimum: 1,
    maximum: 100,
  }),
  subtitleX: numberField('Centre of the block, percent of the width'),
  subtitleY: numberField('Centre of the block, percent of the height'),
  animationStyle: textField('Entrance of a caption: none, fade, pop, bounce, slide', 60),
  amplifySpokenWords: booleanField('Emphasise the word being spoken'),
  amplifiedColor: colourField('Colour of the word being spoken'),
  amplifiedOpacity: unitField('Opacity of the word being spoken, 0 to 1'),
  amplifyOpacityTransitionDuration: numberField('Length of the change between words, seconds', {
    minimum: 0,
    maximum: 5,
  }),
  emojis: booleanField('Add emojis to the captions', false),
  avoidFaces: booleanField(
    'Move the captions where they cover faces least; left out, they do where faces are known and no place is given',
  ),
  highlightKeywords: booleanField('Colour the keywords of the clip', false),
  highlightColor: colourField('Colour of highlighted keywords'),
  safeZone: choiceField('Keep clear of the controls of this platform', [
    'none',
    ...SAFE_ZONES.map(({ name }) => name),
  ]),
}

/** Style of one speaker: what it does not set comes from entry 0, then from the config itself. */
export const SpeakerStyle = closedObject(styleFields)
export type SpeakerStyle = Static<typeof SpeakerStyle>

export const SubtitleConfig = describedObject('Caption styling', {
  enabled: booleanField('Show captions', true),
  ...styleFields,
  speakerStyles: Type.Optional(
    Type.Union(
      [
        Type.Array(nullable(SpeakerStyle), { maxItems: 100 }),
        Type.Record(Type.String({ pattern: '^[0-9]{1,4}$' }), SpeakerStyle, closedConfig),
      ],
      {
        description:
          'Styles by 0-based speaker: a list, or a map with numeric keys. Entry 0 is the default others inherit',
      },
    ),
  ),
})
export type SubtitleConfig = Static<typeof SubtitleConfig>

const shadowField = (description: string) =>
  Type.Optional(Type.Union([Type.Boolean(), Type.String({ maxLength: 200 })], { description }))

export const TitleConfig = describedObject('Headline text and styling', {
  enabled: booleanField('Show the headline', true),
  titlePresetId: textField('Styled title template; choosing one discards the styling saved on the node', 100),
  titlePaletteId: textField('Colours of the template', 100),
  generateTitle: booleanField('Write the headline from the clip; false with `text` fixes it'),
  text: textField('The headline; the title of the clip when absent', 1000),
  prompt: textField('What the headline should be like', 10_000),
  fontFamily: textField('Font family', 200),
  fontUrl: urlField('Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB'),
  fontWeight: weightField('Font weight, "800", 800, "bold"'),
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
  textShadow: shadowField('Shadow of the text: true, false, or CSS such as "0 4px 12px rgba(0,0,0,0.6)"'),
  boxShadow: shadowField('Shadow of the background: true, false, or CSS'),
  xPosition: unitField('Centre of the block, fraction of the width'),
  yPosition: unitField('Centre of the block, fraction of the height'),
  positionDynamically: booleanField('Let the service choose the place'),
  avoidFaces: booleanField(
    'Keep clear of faces; left out, it does where faces are known and no place is given',
  ),
  maxWidthPercent: numberField('Widest the block may be, percent of the width', { minimum: 0, maximum: 100 }),
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
})
export type TitleConfig = Static<typeof TitleConfig>
