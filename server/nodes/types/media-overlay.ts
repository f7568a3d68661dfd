import { Type } from '@sinclair/typebox'
import {
  booleanField,
  closedConfig,
  numberField,
  textField,
  unitField,
  urlField,
} from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { pictureAt, pictureNeed } from '../pictures/asset.ts'
import { overlayRect, shownPicture } from '../pictures/place.ts'

/** Lays a picture over the clip, under captions and title. Videos are refused with a warning when they are fetched. */
export const mediaOverlay = declareNode({
  type: 'media_overlay',
  label: 'Media overlay',
  config: Type.Object(
    {
      enabled: booleanField('Show the overlay', true),
      media_overlay_config: Type.Optional(
        Type.Object(
          {
            mediaUrl: urlField('Picture or video'),
            opacity: unitField('Opacity, 0 to 1', 1),
            scale: numberField('Multiple of its own size, or of the largest that fits when that is less', {
              minimum: 0,
            }),
            xPosition: numberField('Centre, percent of the width'),
            yPosition: numberField('Centre, percent of the height'),
            startOffset: numberField('Seconds after the start of the clip at which it appears', {
              minimum: 0,
            }),
            endOffset: numberField('Seconds before the end of the clip at which it goes', { minimum: 0 }),
            animationDuration: numberField('Seconds that its coming and going take', { minimum: 0 }),
            introTransitionId: textField('How it comes', 100),
            outroTransitionId: textField('How it goes', 100),
          },
          { ...closedConfig, description: 'What is shown, where and when' },
        ),
      ),
    },
    closedConfig,
  ),
  assets: (config) => pictureNeed(config.media_overlay_config?.mediaUrl),
  compile(config, context) {
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const overlay = config.media_overlay_config ?? {}
    const label = 'media_overlay_config'
    const asset = pictureAt(context.assets, overlay.mediaUrl, `${label}.mediaUrl`, warn)
    if (asset === null) return { warnings }
    const rect = overlayRect(overlay, asset, context.output)
    const place = { id: 'media-overlay', label, asset, rect, fit: 'fill' as const }
    const layer = shownPicture(place, overlay, context, warn)
    return { layers: layer === null ? [] : [layer], warnings }
  },
})
