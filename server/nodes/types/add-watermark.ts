import { Type } from '@sinclair/typebox'
import { booleanField, closedConfig } from '../../contract/config-fields.ts'
import { WatermarkConfig } from '../../contract/watermark-config.ts'
import { declareNode, notRendered } from '../declare.ts'

/** Keeps a picture, such as a logo, on the clip. */
export const addWatermark = declareNode({
  type: 'add_watermark',
  label: 'Add watermark',
  config: Type.Object(
    { enabled: booleanField('Add the watermark', true), watermark_config: Type.Optional(WatermarkConfig) },
    closedConfig,
  ),
  innerSwitch: 'watermark_config',
  compile: (config) =>
    config.watermark_config?.url === undefined
      ? { warnings: ['add_watermark has no picture: set watermark_config.url.'] }
      : notRendered('add_watermark'),
})
