import { Type } from '@sinclair/typebox'
import { booleanField, choiceField, closedConfig, numberField } from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { cropLayout, fitLayout } from '../compose/layout.ts'

const ASPECT = '^\\s*[1-9][0-9]{0,3}\\s*[:x/]\\s*[1-9][0-9]{0,3}\\s*$'

/** Turns the picture to another shape, usually upright. */
export const convertToVertical = declareNode({
  type: 'convert_to_vertical',
  label: 'Convert to vertical',
  config: Type.Object(
    {
      enabled: booleanField('Convert the picture', true),
      aspect_ratio: Type.Optional(
        Type.String({
          pattern: ASPECT,
          maxLength: 20,
          default: '9:16',
          description: 'Width to height, usually 9:16; also 4:5, 1:1, 16:9',
        }),
      ),
      style: choiceField('How people are framed', [
        'style_one',
        'style_two',
        'style_three',
        'style_four',
        'style_none',
        'adaptive',
      ]),
      centerVertical: booleanField('Show the whole picture, centred, instead of a crop', false),
      zoom: numberField('Enlarges the centred picture; below 1 counts as 1; with centerVertical only'),
      gaussian_blur: booleanField(
        'Fill around the centred picture with its blur; with centerVertical only',
        false,
      ),
      y_offset: numberField('Moves the centred picture down, percent of the height; negative moves it up'),
      split_view: booleanField('Show two people one above the other'),
      force_split_view: booleanField('Split even where one person is seen'),
      ignore_content_tiles: booleanField('Do not treat slides and screens as content of their own'),
    },
    closedConfig,
  ),
  compile(config, context) {
    const warnings: string[] = []
    if (config.split_view === true || config.force_split_view === true) {
      warnings.push('convert_to_vertical: split view is not rendered by this version; a steady crop is used.')
    }
    if (config.centerVertical !== true) {
      return { layout: cropLayout(context), warnings }
    }
    const layout = fitLayout(context, {
      zoom: Math.max(1, config.zoom ?? 1),
      blur: config.gaussian_blur === true,
      yOffsetPercent: config.y_offset ?? 0,
    })
    return { layout, warnings }
  },
})
