/** Which setting a layer is drawn by, for the warnings of what could not be drawn. */

export interface LayerSetting {
  readonly field: string | null
  /** The setting of its font. */
  readonly fontField: string | null
  /** What a person calls it. */
  readonly name: string
}

const drawnBy = (name: string, field: string | null, fontField = field): LayerSetting => ({
  name,
  field,
  fontField,
})

/** By the beginning of the layer's id, in this order. */
const SETTINGS: readonly (readonly [string, LayerSetting])[] = [
  ['captions', drawnBy('the captions', 'subtitleConfig', 'subtitleConfig.fontFamily')],
  ['title', drawnBy('the headline', 'titleConfig', 'titleConfig.fontFamily')],
  [
    'brand-name:',
    drawnBy('the names of speakers', 'apply_branding.lower_third', 'apply_branding.lower_third.fontFamily'),
  ],
  ['brand-overlay', drawnBy('the brand’s overlay', 'apply_branding.overlay_url')],
  ['brand-intro', drawnBy('the intro', 'apply_branding.intro_url')],
  ['overlay:', drawnBy('an overlay', 'overlays')],
  ['thumbnail:', drawnBy('the thumbnail', 'thumbnail')],
  ['watermark', drawnBy('the watermark', 'watermarkConfig')],
  ['media-overlay', drawnBy('the overlay', 'media_overlay_config')],
  ['broll-', drawnBy('b-roll', 'add_broll')],
  ['second-video', drawnBy('the second video', 'brainrot_config')],
  ['end-card', drawnBy('the end card', 'endCardOption')],
  ['audiogram', drawnBy('the audiogram', 'audiogram_config')],
]

export const settingOf = (layerId: string): LayerSetting =>
  SETTINGS.find(([beginning]) => layerId.startsWith(beginning))?.[1] ?? drawnBy('the clip', null)
