import { Type } from '@sinclair/typebox'
import { booleanField, choiceField, closedObject, numberField } from '../../contract/config-fields.ts'
import { DEFAULT_SHAPE, SHAPE_RATIOS } from '../../contract/shapes/registry.ts'
import { declareNode } from '../declare.ts'
import { convertLayout, FRAMING_STYLES, needsFaces } from '../layout/convert.ts'

const ASPECT = '^\\s*[1-9][0-9]{0,3}\\s*[:x/]\\s*[1-9][0-9]{0,3}\\s*$'

const OTHER_RATIOS = SHAPE_RATIOS.filter((ratio) => ratio !== DEFAULT_SHAPE.ratio).join(', ')

/** More extreme aspect ratios are strips that nobody plays. */
const MAX_RATIO = 4

/** Turns the picture to another shape, usually upright. */
export const convertToVertical = declareNode({
  type: 'convert_to_vertical',
  label: 'Convert to vertical',
  config: closedObject({
    enabled: booleanField('Convert the picture', true),
    aspect_ratio: Type.Optional(
      Type.String({
        pattern: ASPECT,
        maxLength: 20,
        default: DEFAULT_SHAPE.ratio,
        description: `Width to height, usually ${DEFAULT_SHAPE.ratio}; also ${OTHER_RATIOS}`,
      }),
    ),
    style: choiceField(
      'How people are framed. `style_one`: one at a time, whoever speaks. `style_two`, `style_three`, `style_four`: up to so many at once, in halves, bands or quarters. `adaptive`: shot by shot one, several, a screen with its speaker, or the whole picture over its blur. `style_none`: the middle, whoever is where. Left out: adaptive where faces were measured, else the middle',
      FRAMING_STYLES,
    ),
    centerVertical: booleanField('Show the whole picture, centred, instead of a crop', false),
    zoom: numberField('Enlarges the centred picture; below 1 counts as 1; with centerVertical only'),
    gaussian_blur: booleanField(
      'Fill around the centred picture with its blur; with centerVertical only',
      false,
    ),
    y_offset: numberField('Moves the centred picture down, percent of the height; negative moves it up'),
    split_view: booleanField(
      'Several people may be shown in panes, one above the other (in a wide output side by side): true also for `style_one`, false for no style; left out, the style says',
    ),
    force_split_view: booleanField(
      'Two panes at least: the one person who is seen and the rest of the picture; where nobody is seen, its left half above its right half',
    ),
    ignore_content_tiles: booleanField(
      'Slides and screens are not shown whole with their speaker beneath (`adaptive` does); people are framed as everywhere',
    ),
  }),
  check: (config) => {
    const [across = 1, up = 1] = parseRatio(config.aspect_ratio ?? DEFAULT_SHAPE.ratio)
    const ratio = across / up
    return ratio > MAX_RATIO || ratio < 1 / MAX_RATIO
      ? { path: 'aspect_ratio', expected: `a ratio from 1:${MAX_RATIO} to ${MAX_RATIO}:1` }
      : null
  },
  measures: (config) => (needsFaces(config) ? ['faces'] : []),
  compile: (config, context) => convertLayout(config, context),
})

function parseRatio(ratio: string): number[] {
  return ratio.split(/[:x/]/u).map(Number)
}
