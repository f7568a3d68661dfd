/** The caption layer: which words, in which cues, in which style. */
import type { CaptionStyle } from '../../contract/composition.ts'
import type { SubtitleConfig } from '../../contract/text-configs.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits, TextPlaces } from '../declare.ts'
import { resolveCueStyle, speakerConfig, type CueStyle, clearOfControls } from './caption-style.ts'
import { groupWords, type WordGroup } from './cues.ts'
import { keywordMatcher, placeWords, shownText, type PlacedWord } from './placed-words.ts'
import { languageOf } from './language.ts'
import { referenceSize } from './read-config.ts'
import type { SafeZone } from '../../contract/platforms/registry.ts'
import { fontAt } from '../pictures/asset.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { emojiOf } from '../presets/emojis.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

/** Share of the width in which lines wrap that they fill on average. */
const DEFAULT_WIDTH = 0.8
/** Percent of the height, lower ones first: captions are looked for there. */
const OTHER_PLACES = [72, 64, 80, 56, 48, 38, 28, 18]

/** The captions of a clip; no layer when no word is played. */
export function compileCaptions(config: SubtitleConfig, context: ComposeContext): NodeEdits {
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const cueStyles = createCueStyles(config, context, warn)
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const spoken = placeWords(context.words, context.timeMap)
  if (spoken.length === 0) return { warnings }
  const language = languageOf(
    spoken.map((word) => word.text),
    context.document.language,
  )
  const placed = config.emojis === true ? withEmojis(spoken, language, framesPerSecond, warn) : spoken
  const groups = groupWords(placed, {
    framesPerSecond,
    durationFrames: context.durationFrames,
    measureOf: (speaker) => cueStyles.of(speaker).measure,
  })
  const highlighted = keywordMatcher(context.document.keywords)(placed)
  const styles: CaptionStyle[] = []
  const cues = groups.map((group) => {
    const cueStyle = cueStyles.of(group.speaker)
    return cueOf(group, cueStyle, styleIndex(styles, cueStyle.style), highlighted)
  })
  const places = placesOf(styles, cueStyles.faceAvoiding(), context)
  return {
    layers: [{ kind: 'captions', id: 'captions', language, styles, cues }],
    ...(places.length === 0 ? {} : { places }),
    warnings,
  }
}

function withEmojis(words: readonly PlacedWord[], language: string, framesPerSecond: number, warn: Warn) {
  if (language !== 'und' && !/^en\b/iu.test(language)) {
    warn(
      'LANGUAGE_NOT_SUPPORTED',
      'subtitleConfig.emojis',
      `subtitleConfig.emojis: emojis are known for English words, and these captions are in "${language}".`,
    )
    return [...words]
  }
  const emojis = emojisFor(words, framesPerSecond)
  return words.map((word, index) => {
    const emoji = emojis.get(index)
    return emoji === undefined ? word : { ...word, emoji }
  })
}

/** Alternative positions for the styles of speakers whose captions avoid faces. */
function placesOf(
  styles: readonly CaptionStyle[],
  avoiding: ReadonlyMap<CaptionStyle, SafeZone>,
  { output }: ComposeContext,
): TextPlaces[] {
  return styles.flatMap((style, index) => {
    const zone = avoiding.get(style)
    if (zone === undefined) return []
    const clear = (yPercent: number): number => clearOfControls({ ...style, yPercent }, zone, output).yPercent
    const { face, backdrop, maxLines } = style
    const padding = backdrop.fill === 'none' ? 0 : 2 * backdrop.paddingY
    const units = face.fontSize * face.lineHeight * maxLines + padding
    return [
      {
        layer: 'captions',
        style: index,
        settings: ['subtitleConfig.avoidFaces'],
        xPercent: style.xPercent,
        widthPercent: style.wrapWidthPercent * DEFAULT_WIDTH,
        heightPercent: (units * 100) / referenceSize(output).height,
        yPercents: [style.yPercent, ...OTHER_PLACES.map(clear)],
      },
    ]
  })
}

/** Styles by speaker, each created once; values stored next to the configuration have lower precedence than it. */
function createCueStyles(
  config: SubtitleConfig,
  context: ComposeContext,
  warn: Warn,
): { of: (speaker: number) => CueStyle; faceAvoiding: () => ReadonlyMap<CaptionStyle, SafeZone> } {
  const { document, output } = context
  const beside: SubtitleConfig = omitUndefined({
    styleId: document.subtitleId,
    subtitleY: document.subtitleY,
  })
  const made = new Map<number, CueStyle>()
  const avoiding = new Map<CaptionStyle, SafeZone>()
  return {
    of(speaker) {
      const known = made.get(speaker)
      if (known !== undefined) return known
      const own = speakerConfig({ ...beside, ...config }, speaker)
      const fontFile = fontAt(context.assets, own.fontUrl, 'subtitleConfig.fontUrl', warn)
      const cueStyle = resolveCueStyle(own, output, rationalToNumber(output.frameRate), warn, fontFile)
      made.set(speaker, cueStyle)
      // An explicit position is kept; otherwise known faces are avoided, requested or not.
      const unplaced = own.subtitleX === undefined && own.subtitleY === undefined
      const avoids = own.avoidFaces ?? (unplaced && document.faces !== undefined)
      if (avoids) avoiding.set(cueStyle.style, own.safeZone ?? 'none')
      return cueStyle
    },
    faceAvoiding: () => avoiding,
  }
}

function cueOf(group: WordGroup, cueStyle: CueStyle, style: number, highlighted: ReadonlySet<number>) {
  return {
    startFrame: group.startFrame,
    endFrame: group.endFrame,
    style,
    words: group.words.map(({ text, emoji, startFrame, endFrame, joinsNext, index }) => ({
      text: shownText(emoji === undefined ? { text } : { text, emoji }),
      startFrame,
      endFrame,
      ...(cueStyle.highlight !== null && highlighted.has(index) ? { highlight: cueStyle.highlight } : {}),
      ...(joinsNext ? { joinsNext } : {}),
    })),
  }
}

/** Index of the style in the list, in which equal styles occur once. */
function styleIndex(styles: CaptionStyle[], style: CaptionStyle): number {
  const key = JSON.stringify(style)
  const found = styles.findIndex((entry) => JSON.stringify(entry) === key)
  return found === -1 ? styles.push(style) - 1 : found
}

/** Seconds between two emojis, and until the same one comes again: they are to accent, not to rain. */
const APART = 1.6
const SAME_AGAIN = 12

/** Emojis by place in `words`. */
function emojisFor(words: readonly PlacedWord[], framesPerSecond: number): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const lastOf = new Map<string, number>()
  let last = -Infinity
  words.forEach((word, index) => {
    const emoji = emojiOf(word.text)
    if (emoji === undefined) return
    const second = word.startFrame / framesPerSecond
    if (second - last < APART || second - (lastOf.get(emoji) ?? -Infinity) < SAME_AGAIN) return
    found.set(index, emoji)
    lastOf.set(emoji, second)
    last = second
  })
  return found
}
