import { Type } from '@sinclair/typebox'
import { booleanField, choiceField, closedObject, numberField } from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { smartZooms } from '../layout/smart-zooms.ts'

/** Moves the frame closer at moments that deserve it. */
export const smartZoom = declareNode({
  type: 'smart_zoom',
  label: 'Smart zoom',
  config: closedObject({
    enabled: booleanField('Zoom', true),
    smart_zoom_config: Type.Optional(
      closedObject(
        {
          enabled: booleanField('Zoom', true),
          intensity: numberField('Largest zoom, 1 is none', { minimum: 1, maximum: 1.5, default: 1.15 }),
          frequency: choiceField('How often', ['low', 'medium', 'high'], 'medium'),
          mode: choiceField('`punch` cuts in, `smooth` moves in', ['punch', 'smooth'], 'punch'),
        },
        { description: 'How it zooms' },
      ),
    ),
  }),
  innerSwitch: 'smart_zoom_config',
  measures: () => ['sound-levels', 'faces'],
  compile: (config, context) => smartZooms(config.smart_zoom_config ?? {}, context),
})
