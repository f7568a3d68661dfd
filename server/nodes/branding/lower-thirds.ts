/** Names of speakers, low in the picture where each first speaks. */
import type { LowerThird } from '../../contract/branding.ts'
import type { TitleLayer } from '../../contract/composition.ts'
import { speakersOf } from '../../contract/manual-overrides.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { playedFrames } from '../../contract/time-map/frames.ts'
import { normaliseColour } from '../compose/colours.ts'
import { languageOf } from '../compose/language.ts'
import { withBreaks } from '../compose/script-words.ts'
import type { ComposeContext } from '../declare.ts'
import { speakersIn } from '../editing/speakers.ts'
import { fontAt } from '../pictures/asset.ts'
import type { Warn } from '../../contract/render-remarks.ts'

const SECONDS = 4
const FADE = 0.25
const FONT_SIZE = 48
/** Over captions, which usually stand at 72. */
const Y_PERCENT = 60
const COLOURS = { fontColor: '#ffffff', backgroundColor: '#111111' } as const

/** Speakers that nobody has named are left out: a number says nothing to who watches. */
export function compileLowerThirds(
  given: LowerThird | undefined,
  context: ComposeContext,
  warn: Warn,
): TitleLayer[] {
  if (given === undefined || given.enabled === false) return []
  const { words, document, timeMap, durationFrames, output } = context
  const framesPerSecond = rationalToNumber(output.frameRate)
  const shown = Math.round((given.seconds ?? SECONDS) * framesPerSecond)
  const named = speakersIn(words, speakersOf(document)).filter(
    ({ number, name }) => name !== `Speaker ${number + 1}`,
  )
  const firsts = named
    .flatMap(({ number, name }) => {
      const frames = words
        .filter((word) => word.speaker === number)
        .map((word) => playedFrames(word, timeMap))
        .find((range) => range !== null)
      return frames == null ? [] : [{ number, name, startFrame: frames.startFrame }]
    })
    .toSorted((a, b) => a.startFrame - b.startFrame)
  const fontFile = fontAt(context.assets, given.fontUrl, 'apply_branding.lower_third.fontUrl', warn)
  return firsts.flatMap(({ number, name, startFrame }, at) => {
    // One name at a time: the next one takes its place.
    const next = firsts[at + 1]?.startFrame ?? durationFrames
    const endFrame = Math.min(startFrame + shown, next, durationFrames)
    return endFrame - startFrame < 2
      ? []
      : [nameLayer({ number, name, startFrame, endFrame }, given, { fontFile, context, warn })]
  })
}

interface Shown {
  readonly number: number
  readonly name: string
  readonly startFrame: number
  readonly endFrame: number
}

function nameLayer(
  { number, name, startFrame, endFrame }: Shown,
  given: LowerThird,
  {
    fontFile,
    context,
    warn,
  }: {
    readonly fontFile: string | undefined
    readonly context: ComposeContext
    readonly warn: Warn
  },
): TitleLayer {
  const fontSize = given.fontSize ?? FONT_SIZE
  const family = given.fontFamily?.trim() ?? ''
  const language = languageOf(name.split(' '), context.document.language)
  const colour = (field: keyof typeof COLOURS): string => {
    const value = given[field]
    if (value === undefined || value.trim() === '') return COLOURS[field]
    const read = normaliseColour(value)
    const setting = `apply_branding.lower_third.${field}`
    if (read === null) warn('VALUE_IGNORED', setting, `${setting} "${value.slice(0, 60)}" is no colour.`)
    return read ?? COLOURS[field]
  }
  return {
    kind: 'title',
    id: `brand-name:${number}`,
    text: withBreaks(name),
    ...(language === 'und' ? {} : { language }),
    startFrame,
    endFrame,
    fadeFrames: Math.min(
      Math.round(FADE * rationalToNumber(context.output.frameRate)),
      Math.floor((endFrame - startFrame) / 2),
    ),
    face: {
      fontFamily: family === '' ? 'Inter' : family,
      ...(fontFile === undefined ? {} : { fontFile }),
      fontSize,
      // A file has its own weight.
      fontWeight: fontFile === undefined ? 600 : 400,
      italic: false,
      lineHeight: 1.2,
      letterSpacing: 0,
      textCase: 'none',
      outline: null,
      colour: colour('fontColor'),
      shadow: null,
    },
    backdrop: {
      fill: 'wrap',
      colour: colour('backgroundColor'),
      opacity: 1,
      paddingX: fontSize * 0.5,
      paddingY: fontSize * 0.25,
      radius: fontSize * 0.15,
    },
    align: 'center',
    xPercent: 50,
    yPercent: given.y ?? Y_PERCENT,
    maxWidthPercent: 84,
    targetHeightPercent: 0,
  }
}
