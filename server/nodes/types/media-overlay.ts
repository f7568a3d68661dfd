import { Type } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  describedObject,
  mediaUrlField,
  numberField,
  textField,
  unitField,
} from '../../contract/config-fields.ts'
import { declareNode } from '../declare.ts'
import { assetNeed, readyAt } from '../pictures/asset.ts'
import { overlayRect, shownPicture, shownVideo } from '../pictures/place.ts'
import { warnTo, type RenderRemark } from '../../contract/render-remarks.ts'

/** Lays a picture or a video over the clip, under captions and title. A video plays without its sound, again and again. */
export const mediaOverlay = declareNode({
  type: 'media_overlay',
  label: 'Media overlay',
  config: closedObject({
    enabled: booleanField('Show the overlay', true),
    media_overlay_config: Type.Optional(
      describedObject('What is shown, where and when', {
        mediaUrl: mediaUrlField('Picture or video'),
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
      }),
    ),
  }),
  assets: (config) => assetNeed(config.media_overlay_config?.mediaUrl, 'media'),
  compile(config, context) {
    const warnings: RenderRemark[] = []
    const warn = warnTo(warnings)
    const overlay = config.media_overlay_config ?? {}
    const label = 'media_overlay_config'
    const need = { label: `${label}.mediaUrl`, wanted: ['image', 'video'], noun: 'picture to show' } as const
    const ready = readyAt(context.assets, overlay.mediaUrl, need, warn)
    if (ready?.kind !== 'image' && ready?.kind !== 'video') return { warnings }
    const size = ready.kind === 'image' ? ready.picture : ready.video
    const place = {
      id: 'media-overlay',
      label,
      fit: 'fill' as const,
      rect: overlayRect(overlay, size, context.output),
    }
    const layer =
      ready.kind === 'image'
        ? shownPicture({ ...place, asset: ready.picture }, overlay, context, warn)
        : shownVideo({ ...place, asset: ready.video }, overlay, context, warn)
    return { layers: layer === null ? [] : [layer], warnings }
  },
})
