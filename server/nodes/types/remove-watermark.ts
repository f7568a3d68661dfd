import { Type } from '@sinclair/typebox'
import { booleanField, closedObject, listField, numberField } from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { logoPatches } from '../layout/logo-patches.ts'

const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

const Region = closedObject(
  {
    x: percent('Left edge, percent of the width of the source picture'),
    y: percent('Top edge, percent of the height of the source picture'),
    width: percent('Percent of the width'),
    height: percent('Percent of the height'),
    start: numberField('Seconds in the played clip from which it is there', { minimum: 0 }),
    end: numberField('Seconds in the played clip until which it is there', { minimum: 0 }),
  },
  { description: 'Where a logo sits' },
)

/** Blends a burned-in logo away. */
export const removeWatermark = declareNode({
  type: 'remove_watermark',
  label: 'Remove watermark',
  config: closedObject({
    enabled: booleanField('Remove logos', true),
    remove_watermark_config: Type.Optional(
      closedObject(
        {
          enabled: booleanField('Remove logos', true),
          regions: listField(Region, 'Where logos sit', 50),
          auto: booleanField('Find logos that stand still near the edges of the source picture', false),
        },
        { description: 'What is removed' },
      ),
    ),
  }),
  innerSwitch: 'remove_watermark_config',
  measures: (config) => (config.remove_watermark_config?.auto === true ? ['logos'] : []),
  compile: (config, context) => logoPatches(config.remove_watermark_config ?? {}, context),
})
