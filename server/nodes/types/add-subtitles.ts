import { Type } from '@sinclair/typebox'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { SubtitleConfig, type SpeakerStyle } from '../../contract/text-configs.ts'
import { compileCaptions } from '../compose/captions.ts'
import { declareNode, type JsonObject } from '../declare.ts'
import { assetNeed } from '../pictures/asset.ts'
import { isPlainObject, omit, own, setOwn } from '../merge.ts'

/** Burns captions in. */
export const addSubtitles = declareNode({
  type: 'add_subtitles',
  label: 'Add subtitles',
  config: closedObject({
    enabled: booleanField('Show captions', true),
    subtitle_config: Type.Optional(SubtitleConfig),
  }),
  hiddenBy: 'subtitle_config',
  normalise(config) {
    const subtitle = own(config, 'subtitle_config')
    return isPlainObject(subtitle)
      ? { ...config, subtitle_config: normaliseSubtitleConfig(subtitle) }
      : config
  },
  settle({ base, layer, merged }) {
    const [from, change, result] = [base, layer, merged].map((config) => own(config, 'subtitle_config'))
    if (!isPlainObject(from) || !isPlainObject(change) || !isPlainObject(result)) return merged
    return { ...merged, subtitle_config: writeThroughToFirstSpeaker(from, change, result) }
  },
  assets: ({ subtitle_config: subtitle }) =>
    allStyles(subtitle).flatMap(({ fontUrl }) => assetNeed(fontUrl, 'font')),
  measures: ({ subtitle_config: subtitle }) =>
    allStyles(subtitle).some(({ avoidFaces }) => avoidFaces === true) ? ['faces'] : [],
  compile: (config, context) => compileCaptions(config.subtitle_config ?? {}, context),
})

/** The config itself and every speaker's own style. */
function allStyles(config: SubtitleConfig = {}): SpeakerStyle[] {
  return [config, ...Object.values(config.speakerStyles ?? {})].filter((style) => style !== null)
}

/**
 * `speakerStyles` as a map whichever form it came in, so that both forms merge speaker by speaker. Null is no style; what is no
 * style at all stays, for the schema to refuse.
 */
export function normaliseSubtitleConfig(config: JsonObject): JsonObject {
  const styles = own(config, 'speakerStyles')
  if (!Array.isArray(styles)) return config
  const entries = styles.flatMap((style: unknown, speaker) =>
    style === null || style === undefined ? [] : [[String(speaker), style] as const],
  )
  return { ...config, speakerStyles: Object.fromEntries(entries) }
}

/**
 * Entry 0 of `speakerStyles` overrides the configuration's own fields. A change to such a field must still take effect,
 * so it is also written to entry 0 where that has the old value and the change does not set entry 0.
 */
export function writeThroughToFirstSpeaker(
  base: JsonObject,
  change: JsonObject,
  merged: JsonObject,
): JsonObject {
  const first = firstSpeaker(base)
  const changedFirst = firstSpeaker(change)
  const through: JsonObject = {}
  for (const [key, value] of Object.entries(omit(change, 'speakerStyles'))) {
    if (Object.hasOwn(first, key) && !Object.hasOwn(changedFirst, key)) setOwn(through, key, value)
  }
  if (Object.keys(through).length === 0) return merged
  const styles = own(merged, 'speakerStyles')
  return {
    ...merged,
    speakerStyles: { ...(isPlainObject(styles) ? styles : {}), '0': { ...firstSpeaker(merged), ...through } },
  }
}

function firstSpeaker(config: JsonObject): JsonObject {
  const styles = own(config, 'speakerStyles')
  const first = isPlainObject(styles) ? own(styles, '0') : undefined
  return isPlainObject(first) ? first : {}
}
