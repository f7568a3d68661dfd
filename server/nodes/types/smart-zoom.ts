import { Type } from '@sinclair/typebox'
import { booleanField, choiceField, closedConfig, numberField } from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { smartZooms } from '../layout/smart-zooms.ts'

/** Moves the frame closer at moments that deserve it. */
export const smartZoom = declareNode({
  type: 'smart_zoom',
  label: 'Smart zoom',
  config: Type.Object(
    {
      enabled: booleanField('Zoom', true),
      smart_zoom_config: Type.Optional(
        Type.Object(
          {
            enabled: booleanField('Zoom', true),
            intensity: numberField('Largest zoom, 1 is none', { minimum: 1, maximum: 1.5, default: 1.15 }),
            frequency: choiceField('How often', ['low', 'medium', 'high'], 'medium'),
            mode: choiceField('`punch` cuts in, `smooth` moves in', ['punch', 'smooth'], 'punch'),
          },
          { ...closedConfig, description: 'How it zooms' },
        ),
      ),
    },
    closedConfig,
  ),
  innerSwitch: 'smart_zoom_config',
  measures: () => ['sound-levels', 'faces'],
  compile: (config, context) => smartZooms(config.smart_zoom_config ?? {}, context),
})
