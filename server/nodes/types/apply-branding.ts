import { booleanField, closedObject, textField } from '../../contract/config-fields.ts'
import { brandingFields } from '../../contract/branding.ts'
import { compileIntro } from '../branding/intro.ts'
import { compileLowerThirds } from '../branding/lower-thirds.ts'
import { declareNode } from '../declare.ts'
import { assetNeed, pictureAt, pictureNeed } from '../pictures/asset.ts'
import { fullRect, shownPicture } from '../pictures/place.ts'
import { musicEdits } from '../sound/music.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { warnTo, type Warn } from '../../contract/render-remarks.ts'

/**
 * The brand of the company. Its captions, title, watermark, music and end card become the clip document's own when the clip
 * is made, each under the node of that name (clip-document.ts), so that they are edited and drawn like theirs; the overlay,
 * the intro and the names of speakers are drawn here. A kit that is named was put into its fields when the run began.
 */
export const applyBranding = declareNode({
  type: 'apply_branding',
  label: 'Apply branding',
  config: closedObject({
    enabled: booleanField('Apply the brand', true),
    brand_kit_id: textField('Brand kit; what is set below goes over it', 200),
    style: textField('Style of the brand', 200),
    ...brandingFields,
  }),
  measures: ({ title_config: title, subtitle_config: captions }) =>
    title?.avoidFaces === true || title?.positionDynamically === true || captions?.avoidFaces === true
      ? ['faces']
      : [],
  assets: (config) => [
    ...pictureNeed(config.overlay_url),
    ...assetNeed(config.outro_music_url, 'audio'),
    ...assetNeed(config.intro_url, 'media'),
    ...(config.lower_third?.enabled === false ? [] : assetNeed(config.lower_third?.fontUrl, 'font')),
  ],
  compile(config, context) {
    const option = omitUndefined({ url: config.outro_music_url })
    const placement = { place: 'closing', label: 'apply_branding.outro_music_url', ducking: true } as const
    const { music, warnings: unheard } = musicEdits(option, placement, context)
    const warnings = [...unheard]
    const warn = warnTo(warnings)
    const overlay = overlayOf(config.overlay_url, context, warn)
    const names = compileLowerThirds(config.lower_third, context, warn)
    const intro = compileIntro({ url: config.intro_url, seconds: config.intro_seconds }, context, warn)
    return { ...intro, layers: [...overlay, ...names], music, warnings }
  },
})

function overlayOf(
  url: string | undefined,
  context: Parameters<typeof applyBranding.compile>[1],
  warn: Warn,
) {
  if ((url ?? '') === '') return []
  const label = 'apply_branding.overlay_url'
  const asset = pictureAt(context.assets, url, label, warn)
  if (asset === null) return []
  // A frame or lower third drawn for this shape covers the clip exactly; others keep their aspect ratio.
  const place = {
    id: 'brand-overlay',
    label,
    asset,
    rect: fullRect(context.output),
    fit: 'contain' as const,
  }
  const layer = shownPicture(place, {}, context, warn)
  return layer === null ? [] : [layer]
}
