import { Type } from '@sinclair/typebox'
import { booleanField, closedObject, mediaUrlField, textField } from '../../contract/config-fields.ts'
import { TitleConfig } from '../../contract/text-configs.ts'
import { WatermarkConfig } from '../../contract/media-configs.ts'
import { declareNode } from '../declare.ts'
import { assetNeed, pictureAt, pictureNeed } from '../pictures/asset.ts'
import { fullRect, shownPicture } from '../pictures/place.ts'
import { musicEdits } from '../sound/music.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/**
 * The brand of the company. Its title, watermark and end card become the clip document's own when the clip is made, each
 * under the node of that name (clip-document.ts), so that they are edited and drawn like theirs; the overlay is drawn here.
 */
export const applyBranding = declareNode({
  type: 'apply_branding',
  label: 'Apply branding',
  config: closedObject({
    enabled: booleanField('Apply the brand', true),
    style: textField('Style of the brand', 200),
    watermark_config: Type.Optional(WatermarkConfig),
    outro_music_url: mediaUrlField('Music under the end card'),
    outro_card_url: mediaUrlField('Picture or video of the end card'),
    overlay_url: mediaUrlField('Picture over the whole clip'),
    title_config: Type.Optional(TitleConfig),
  }),
  measures: ({ title_config: title }) =>
    title?.avoidFaces === true || title?.positionDynamically === true ? ['faces'] : [],
  assets: (config) => [...pictureNeed(config.overlay_url), ...assetNeed(config.outro_music_url, 'audio')],
  compile(config, context) {
    const option = omitUndefined({ url: config.outro_music_url })
    const placement = { place: 'closing', label: 'apply_branding.outro_music_url', ducking: true } as const
    const { music, warnings: unheard } = musicEdits(option, placement, context)
    const warnings = [...unheard]
    const warn = (message: string): void => void warnings.push(message)
    if ((config.overlay_url ?? '') === '') return { music, warnings }
    const label = 'apply_branding.overlay_url'
    const asset = pictureAt(context.assets, config.overlay_url, label, warn)
    if (asset === null) return { music, warnings }
    // A frame or lower third drawn for this shape covers the clip exactly; others keep their aspect ratio.
    const place = {
      id: 'brand-overlay',
      label,
      asset,
      rect: fullRect(context.output),
      fit: 'contain' as const,
    }
    const layer = shownPicture(place, {}, context, warn)
    return { layers: layer === null ? [] : [layer], music, warnings }
  },
})
