import { tickInSpan } from '../../contract/time-map/frames.ts'
import { Type } from '@sinclair/typebox'
import { AudiogramConfig } from '../../contract/media-configs.ts'
import { booleanField, closedObject, textField } from '../../contract/config-fields.ts'
import { declareNode, type ComposeContext } from '../declare.ts'
import {
  AUDIOGRAM_PRESETS,
  audiogramPreset,
  DEFAULT_AUDIOGRAM_PRESET,
  type AudiogramPlaces,
  type AudiogramPreset,
  type CoverPlace,
  type WavePlace,
} from '../presets/audiograms.ts'
import type { AssetNeed } from '../../contract/asset.ts'
import type {
  AudiogramLayer,
  ImageLayer,
  PictureAsset,
  Rect,
  ShapeLayer,
  AudioMask,
  TimeSpan,
} from '../../contract/composition.ts'
import { encodeWave, levelOfHop, type ClipSound } from '../../contract/clip-measurements.ts'
import { pictureShape, presetOr, reader, referenceSize } from '../compose/read-config.ts'
import { pictureAt, pictureNeed } from '../pictures/asset.ts'
import { fullRect } from '../pictures/place.ts'
import { frameToTicks, ticksToSeconds, type Rational } from '../../contract/time.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

const templates = AUDIOGRAM_PRESETS.map(({ id }) => id).join(', ')

/** Draws the sound as a moving wave: over the picture, or, where the source has none, in its place. */
export const addAudiogram = declareNode({
  type: 'add_audiogram',
  label: 'Add audiogram',
  config: closedObject({
    enabled: booleanField('Draw the wave', true),
    template: textField(`Preset: ${templates}`, 100),
    audiogram_config: Type.Optional(AudiogramConfig),
  }),
  innerSwitch: 'audiogram_config',
  measures: () => ['sound-levels'],
  assets: (config) => audiogramAssets(config.audiogram_config ?? {}),
  compile: (config, context) => compileAudiogram(config.template, config.audiogram_config ?? {}, context),
})

/** Default outline that separates the wave from any picture. */
const OVER_PICTURE_HALO = { colour: '#00000066', width: 3 } as const
const STILL = { kind: 'none', frames: 0 } as const

/** The files that it shows. */
function audiogramAssets(wanted: AudiogramConfig): AssetNeed[] {
  const cover = wanted.showCover === false ? [] : pictureNeed(wanted.coverUrl)
  return [...pictureNeed(wanted.backgroundUrl), ...cover]
}

/**
 * On a source without picture, the background (or the preset's) replaces it, with the cover on top: `coverUrl`, else
 * the one in the file. On a picture the wave is drawn alone, unless a background or a cover is set; a background then
 * covers the picture according to its opacity.
 */
function compileAudiogram(template: string | undefined, wanted: AudiogramConfig, context: ComposeContext) {
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const preset = presetOf(template, warn)
  const overPicture = context.facts.video !== null
  const back = [...colourBehind(wanted, preset, context, warn), ...pictureBehind(wanted, context, warn)]
  const asset = coverOf(wanted, context, warn)
  const places = preset.places[pictureShape(context.output)]
  const cover = asset === null ? [] : [coverLayer(asset, places.cover, context)]
  const arrangement: keyof AudiogramPlaces =
    asset !== null ? 'withCover' : overPicture && back.length === 0 ? 'overPicture' : 'alone'
  const wave = waveLayer(
    wanted,
    preset,
    { place: places[arrangement], plain: back.length > 0 },
    context,
    warn,
  )
  const still = [...back, ...cover]
  return overPicture ? { layers: [...still, ...wave], warnings } : { ground: still, layers: wave, warnings }
}

const presetOf = (template: string | undefined, warn: Warn): AudiogramPreset =>
  presetOr(audiogramPreset, template?.trim(), DEFAULT_AUDIOGRAM_PRESET, (unknown) =>
    warn(
      'NAME_UNKNOWN',
      'add_audiogram.template',
      `There is no audiogram template "${unknown}"; "${DEFAULT_AUDIOGRAM_PRESET}" is used in its place. There are: ${templates}.`,
    ),
  )

const read = (warn: Warn) => reader('audiogram_config', warn)

function colourBehind(
  wanted: AudiogramConfig,
  preset: AudiogramPreset,
  context: ComposeContext,
  warn: Warn,
): ShapeLayer[] {
  const given = read(warn).colour('backgroundColor', wanted.backgroundColor, '')
  if (given === '' && context.facts.video !== null) return []
  const [top, bottom] = given === '' ? preset.background : [given, given]
  return [
    {
      kind: 'shape',
      id: 'audiogram-background',
      rect: fullRect(context.output),
      colour: top,
      ...(bottom === top ? {} : { colourTo: bottom }),
      radius: 0,
      startFrame: 0,
      endFrame: context.durationFrames,
    },
  ]
}

function pictureBehind(wanted: AudiogramConfig, context: ComposeContext, warn: Warn): ImageLayer[] {
  if ((wanted.backgroundUrl?.trim() ?? '') === '') return []
  const asset = pictureAt(context.assets, wanted.backgroundUrl, 'audiogram_config.backgroundUrl', warn)
  return asset === null ? [] : [picture('audiogram-picture', asset, fullRect(context.output), context)]
}

function coverOf(wanted: AudiogramConfig, { facts, assets }: ComposeContext, warn: Warn) {
  if (wanted.showCover === false) return null
  const own = facts.cover ?? null
  if ((wanted.coverUrl?.trim() ?? '') !== '') {
    return pictureAt(assets, wanted.coverUrl, 'audiogram_config.coverUrl', warn) ?? own
  }
  if (wanted.showCover === true && own === null)
    warn(
      'FILE_NOT_NAMED',
      'audiogram_config.showCover',
      'audiogram_config.showCover: there is no coverUrl and no cover in the file, so none is shown.',
    )
  return own
}

/** Everything that is shown from the first frame to the last. */
function picture(id: string, asset: PictureAsset, rect: Rect, context: ComposeContext): ImageLayer {
  return {
    kind: 'image',
    id,
    asset,
    rect,
    fit: 'cover',
    background: null,
    opacity: 1,
    startFrame: 0,
    endFrame: context.durationFrames,
    intro: STILL,
    outro: STILL,
  }
}

function coverLayer(asset: PictureAsset, place: CoverPlace, context: ComposeContext): ImageLayer {
  const canvas = referenceSize(context.output)
  const rect = {
    x: (place.x / 100) * canvas.width - place.size / 2,
    y: (place.y / 100) * canvas.height - place.size / 2,
    width: place.size,
    height: place.size,
  }
  const layer = picture('audiogram-cover', asset, rect, context)
  return place.radius === 0 ? layer : { ...layer, radius: place.radius }
}

function waveLayer(
  wanted: AudiogramConfig,
  preset: AudiogramPreset,
  at: { readonly place: WavePlace; readonly plain: boolean },
  context: ComposeContext,
  warn: Warn,
): AudiogramLayer[] {
  const { output, document, facts, durationFrames, timeMap, masks } = context
  const { sound } = document
  if (facts.audio === null || sound === undefined) {
    if (facts.audio === null)
      warn('NOTHING_FOUND', 'add_audiogram', 'add_audiogram draws no wave: the source has no sound.')
    else
      warn(
        'NOT_MEASURED',
        'add_audiogram',
        'add_audiogram draws no wave: the sound of this clip was not measured when it was made. A new run measures it.',
      )
    return []
  }
  const canvas = referenceSize(output)
  const { x, y, width, height } = { ...at.place, ...numbersOf(wanted) }
  if (width <= 0 || height <= 0) {
    warn('NEVER_SHOWN', 'add_audiogram', 'add_audiogram draws no wave: its width or height is 0.')
    return []
  }
  const wide = (width / 100) * canvas.width
  const tall = (height / 100) * canvas.height
  const colour = read(warn).colour('waveColor', wanted.waveColor, preset.waveColour)
  // A glow has the preset's own colour.
  const glow = colour === preset.waveColour ? preset.halo : null
  const halo = at.plain ? glow : OVER_PICTURE_HALO
  return [
    {
      kind: 'audiogram',
      id: 'audiogram',
      rect: {
        x: (x / 100) * canvas.width - wide / 2,
        y: (y / 100) * canvas.height - tall / 2,
        width: wide,
        height: tall,
      },
      colour,
      ...(halo === null ? {} : { halo }),
      style: wanted.waveStyle ?? preset.waveStyle,
      startFrame: 0,
      endFrame: durationFrames,
      levels: encodeWave(waveHeights(sound, { timeMap, durationFrames, masks, frameRate: output.frameRate })),
      framesPerLevel: 1,
    },
  ]
}

function numbersOf(wanted: AudiogramConfig): Partial<WavePlace> {
  const given = Object.entries(wanted).filter(
    ([name, value]) => ['x', 'y', 'width', 'height'].includes(name) && typeof value === 'number',
  )
  return Object.fromEntries(given)
}

/** What is louder than this share of the clip fills the whole height. */
const FULL_PERCENTILE = 0.985
/** Below full height by so many dB there is no wave left, at most: speech moves within less. */
const RANGE_DB = 30
/** The background stays flat by so much. */
const ABOVE_NOISE_DB = 3
/** Quieter than this all over is no sound that a wave should be blown up for. dBFS. */
const FAINT_DB = -50
/** Bends dB towards what the eye takes for twice as loud. */
const BEND = 2.2

interface WaveTime {
  readonly timeMap: readonly TimeSpan[]
  readonly durationFrames: number
  readonly masks: readonly AudioMask[]
  readonly frameRate: Rational
}

/** 0 to 1 for each frame; 0 where the source is muted, cut or not measured. */
function waveHeights(sound: ClipSound, time: WaveTime): Float64Array {
  const levels = frameLevels(sound, time)
  const heard = levels.filter(Number.isFinite).toSorted()
  const full = Math.max(FAINT_DB, heard[Math.floor((heard.length - 1) * FULL_PERCENTILE)] ?? FAINT_DB)
  const none = Math.min(full - 6, Math.max(full - RANGE_DB, sound.noiseLevelDb + ABOVE_NOISE_DB))
  return levels.map((level) => Math.min(1, Math.max(0, (level - none) / (full - none))) ** BEND)
}

/** Peak level of each frame, dBFS; minus infinity where the source is not heard. */
function frameLevels(sound: ClipSound, { timeMap, durationFrames, masks, frameRate }: WaveTime) {
  const levels = new Float64Array(durationFrames).fill(-Infinity)
  for (const span of timeMap) {
    const moment = (frame: number): number => ticksToSeconds(tickInSpan(span, frame))
    for (let frame = span.startFrame; frame < Math.min(durationFrames, span.endFrame); frame++) {
      levels[frame] = loudest(sound, moment(frame), moment(frame + 1))
    }
  }
  for (const { start, end } of masks) {
    for (let frame = 0; frame < durationFrames; frame++) {
      const middle = (frameToTicks(frame, frameRate) + frameToTicks(frame + 1, frameRate)) / 2
      if (start <= middle && middle < end) levels[frame] = -Infinity
    }
  }
  return levels
}

/** Level of the hops whose middle is between two source seconds, or of the nearest hop. */
function loudest(sound: ClipSound, from: number, to: number): number {
  const hopAt = (seconds: number): number => (seconds - sound.start) / sound.hopSeconds - 0.5
  const first = Math.ceil(hopAt(from))
  const last = Math.ceil(hopAt(to)) - 1
  let level = -Infinity
  for (let hop = first; hop <= Math.max(first, last); hop++)
    level = Math.max(level, levelOfHop(sound, hop) ?? -Infinity)
  return level
}
