import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { WatermarkConfig } from '../../contract/media-configs.ts'
import { declareNode } from '../declare.ts'
import { pictureAt, pictureNeed } from '../pictures/asset.ts'
import { shownPicture, watermarkRect } from '../pictures/place.ts'
import { warnTo, type RenderRemark } from '../../contract/render-remarks.ts'

/** Shows a picture, such as a logo, throughout the clip. */
export const addWatermark = declareNode({
  type: 'add_watermark',
  label: 'Add watermark',
  config: closedObject({
    enabled: booleanField('Add the watermark', true),
    watermark_config: Type.Optional(WatermarkConfig),
  }),
  innerSwitch: 'watermark_config',
  assets: (config) => pictureNeed(config.watermark_config?.url),
  compile(config, context) {
    const warnings: RenderRemark[] = []
    const warn = warnTo(warnings)
    const watermark = config.watermark_config ?? {}
    const asset = pictureAt(context.assets, watermark.url, 'watermarkConfig.url', warn)
    if (asset === null) return { warnings }
    const rect = watermarkRect(watermark, asset, context.output, warn)
    const place = { id: 'watermark', label: 'watermarkConfig', asset, rect, fit: 'fill' as const }
    const layer = shownPicture(place, watermark, context, warn)
    return { layers: layer === null ? [] : [layer], warnings }
  },
})
