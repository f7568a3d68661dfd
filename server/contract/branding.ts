/** A brand: what a workflow puts on clips under one name, and the named kits that a company keeps of it. */
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  closedObject,
  colourField,
  describedObject,
  mediaUrlField,
  numberField,
  textField,
  urlField,
} from './config-fields.ts'
import { BackgroundMusicOption, WatermarkConfig } from './media-configs.ts'
import { SubtitleConfig, TitleConfig } from './text-configs.ts'

/** The name of each speaker that is known, low in the picture where they first speak. */
export const LowerThird = describedObject('Names of speakers where they first speak', {
  enabled: booleanField('Show the names', true),
  seconds: numberField('Seconds that a name is shown (default 4)', { minimum: 0.5, maximum: 60 }),
  fontColor: colourField('Text colour'),
  backgroundColor: colourField('Colour behind the text'),
  fontFamily: textField('Font family', 200),
  fontUrl: urlField('Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB'),
  fontSize: numberField('Font size in reference units (default 48)', { minimum: 8, maximum: 200 }),
  y: numberField('Centre, percent of the height (default 60)', { minimum: 0, maximum: 100 }),
})
export type LowerThird = Static<typeof LowerThird>

/** What a brand brings to a clip: fields of the node `apply_branding`, and of a kit. */
export const brandingFields = {
  watermark_config: Type.Optional(WatermarkConfig),
  subtitle_config: Type.Optional(SubtitleConfig),
  title_config: Type.Optional(TitleConfig),
  lower_third: Type.Optional(LowerThird),
  background_music_option: Type.Optional(BackgroundMusicOption),
  intro_url: mediaUrlField('Picture or video of the intro, which plays before the clip'),
  intro_seconds: numberField('Seconds that the intro is shown; a video plays once, a picture for 2', {
    minimum: 0.1,
    maximum: 60,
  }),
  outro_card_url: mediaUrlField('Picture or video of the end card'),
  outro_music_url: mediaUrlField('Audio file under the end card'),
  overlay_url: mediaUrlField('Picture over the whole clip'),
}
export const Branding = closedObject(brandingFields)
export type Branding = Static<typeof Branding>

/** What is set of a kit. Colours and font go where captions, headline and names do not set their own. */
export const BrandKitLook = closedObject({
  text_color: colourField('Colour of texts'),
  accent_color: colourField('Accent: the word being spoken'),
  background_color: colourField('Colour behind texts'),
  font_url: urlField('Font file of the brand: TTF, OTF or WOFF2, up to 10 MB'),
  ...brandingFields,
})
export type BrandKitLook = Static<typeof BrandKitLook>

export const BrandKit = Type.Object({
  id: Type.String(),
  name: Type.String(),
  look: BrandKitLook,
  /** Sent back with what is saved. */
  revision: Type.Integer(),
  /** Workflows that apply it. */
  workflows: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  updatedAt: Type.String(),
})
export type BrandKit = Static<typeof BrandKit>

export const BrandKits = Type.Object({ kits: Type.Array(BrandKit) })
export type BrandKits = Static<typeof BrandKits>

const name = Type.String({ minLength: 1, maxLength: 200 })

export const BrandKitRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  name,
  look: Type.Optional(BrandKitLook),
})

export const BrandKitSave = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  revision: Type.Integer(),
  name,
  look: BrandKitLook,
})
