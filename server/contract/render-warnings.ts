/**
 * What a render lost, for programs: the closed table of codes. Nodes, the compositor and the render stage report in
 * sentences, which runs list as they are; here, and nowhere else, a sentence gets its code and the setting that it is about.
 */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable, oneOf } from './config-fields.ts'

/** `field`: the setting; where it is null the sentence names it, as the group `field`, or it is of no setting. */
interface Entry {
  readonly says: RegExp
  readonly field?: string
}

/** In this order: the first entry that fits counts. */
const TABLE = {
  FONT_NOT_FOUND: [{ says: /^The font ".*" is not here/su, field: 'fontFamily' }],
  FILE_LEFT_OUT: [
    { says: /^An overlay \(.*\) is left out: /su, field: 'overlays' },
    { says: /^(?<field>add_broll): ".*" \(.*\) is left out: /su },
    { says: /^(?<field>[\w.]+) \(.*\) is left out: /su },
    { says: /^The picture of .* is not there/su },
  ],
  FILE_NOT_NAMED: [
    { says: /^(?<field>[\w.]+) is empty, so there is no /u },
    { says: /^(?<field>audiogram_config\.showCover): there is no coverUrl/u },
    { says: /^(?<field>brainrot_config)\b.*there is none/su },
  ],
  VALUE_IGNORED: [
    { says: /^(?<field>[\w.]+) (?:.* )?was ignored: it should be /su },
    { says: /is no colour; an overlay's text/u, field: 'overlays' },
    { says: /is not a colour; white is used/u },
  ],
  NAME_UNKNOWN: [
    { says: /^There is no title preset /u, field: 'titleConfig.titlePresetId' },
    { says: /^The title preset ".*" has no palette /su, field: 'titleConfig.titlePaletteId' },
    { says: /^There is no caption preset /u, field: 'subtitleConfig.styleId' },
    { says: /^There is no caption animation /u, field: 'subtitleConfig.animationStyle' },
    { says: /^There is no caption position /u, field: 'subtitleConfig.captionPosition' },
    { says: /^There is no audiogram template /u, field: 'add_audiogram.template' },
    { says: /^(?<field>[\w.]+) ".*" is not known/su },
    { says: /^(?<field>\w+) is not known by this version/u },
  ],
  NEVER_SHOWN: [
    { says: /^(?<field>[\w.]+) is (?:never shown|not heard): /u },
    { says: /^(?<field>endCardOption\.duration) is 0/u },
    { says: /^(?<field>add_broll): ".*" is left out: /su },
    { says: /^(?<field>add_audiogram) draws no wave: its width/u },
    { says: /^(?<field>add_music\.background_music_options): tracks after/u },
  ],
  SHORTENED: [
    { says: /^endCardOption: the card was cut/u, field: 'endCardOption.duration' },
    { says: /^(?<field>apply_branding\.intro_url): the intro was cut/u },
  ],
  PROMPT_NOT_FOLLOWED: [{ says: /^(?<field>[\w.]+\.prompt) was not followed/u }],
  NOT_MEASURED: [
    { says: /^(?<field>[\w.]+)(?: and [\w.]+)?(?:, [\w., ]+)?: no faces were looked for/u },
    { says: /^(?<field>convert_to_vertical): faces of this clip were not measured/u },
    { says: /^(?<field>add_audiogram) draws no wave: the so/u },
    { says: /^(?<field>remove_watermark): nobody looked/u },
    { says: /^(?<field>add_broll): this clip was made without b-roll/u },
  ],
  NOTHING_FOUND: [
    { says: /^(?<field>remove_watermark)\b/u },
    { says: /^(?<field>smart_zoom) found no picture/u },
    { says: /the person to follow is not seen/u, field: 'layouts' },
  ],
  LANGUAGE_NOT_SUPPORTED: [{ says: /^(?<field>subtitleConfig\.emojis): /u }],
  SOURCE_DAMAGED: [{ says: /^The source is damaged in this stretch/u }],
} as const satisfies Record<string, readonly Entry[]>

/** Nothing is lost: how the clip was made, or that there was nothing to do. */
const NOTES: readonly RegExp[] = [
  /^The clip is silent, so its loudness/u,
  /^The hardware encoder /u,
  /^The configuration asks for the encoder /u,
  /^smart_zoom found no moment/u,
]

const RENDER_WARNING_CODES = [
  ...(Object.keys(TABLE) as (keyof typeof TABLE)[]),
  /** Told by no other code: the sentence says what. */
  'OTHER',
] as const
type Code = (typeof RENDER_WARNING_CODES)[number]

export const RenderWarning = closedObject({
  code: oneOf(RENDER_WARNING_CODES, 'For a program; stable'),
  field: nullable(Type.String(), { description: 'The setting of the clip or node; null where it is none' }),
  message: Type.String({ description: 'A sentence for a person' }),
  clipId: Type.String(),
})
export type RenderWarning = Static<typeof RenderWarning>

export const RenderWarnings = Type.Array(RenderWarning, {
  description: 'What this render lost; left out where it lost nothing',
})

function codeOf(message: string): Pick<RenderWarning, 'code' | 'field'> {
  for (const [code, entries] of Object.entries(TABLE) as [Code, readonly Entry[]][])
    for (const { says, field } of entries) {
      const found = says.exec(message)
      if (found !== null) return { code, field: field ?? found.groups?.['field'] ?? null }
    }
  return { code: 'OTHER', field: null }
}

/** The sentences of one render, once each, with their codes; without those by which nothing is lost. */
export function renderWarnings(clipId: string, messages: readonly string[]): RenderWarning[] {
  const lost = [...new Set(messages)].filter((message) => !NOTES.some((note) => note.test(message)))
  return lost.map((message) => ({ ...codeOf(message), message, clipId }))
}
