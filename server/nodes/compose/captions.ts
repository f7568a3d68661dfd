/** The caption layer: which words, in which cues, in which style. */
import type { CaptionCue, CaptionStyle } from '../../contract/composition.ts'
import type { SubtitleConfig } from '../../contract/subtitle-config.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { resolveLook, speakerConfig, type SpeakerLook } from './caption-style.ts'
import { groupWords, type WordGroup } from './cues.ts'
import { keywordMatcher } from './keywords.ts'
import { languageOf } from './language.ts'
import { placeWords } from './placed-words.ts'

/** The captions of a clip; no layer when no word is played. */
export function compileCaptions(config: SubtitleConfig, context: ComposeContext): NodeEdits {
  const warnings = new Set<string>()
  const warn = (message: string): void => void warnings.add(message)
  if (config.emojis === true) warn('Emojis in captions are not rendered by this version.')
  const placed = placeWords(context.words, context.timeMap)
  if (placed.length === 0) return { warnings: [...warnings] }
  const looks = speakerLooks(config, context, warn)
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const groups = groupWords(placed, {
    framesPerSecond,
    durationFrames: context.durationFrames,
    measureOf: (speaker) => looks.of(speaker).measure,
  })
  const highlighted = keywordMatcher(context.document.keywords)(placed)
  const styles: CaptionStyle[] = []
  const cues = groups.map((group) => {
    const look = looks.of(group.speaker)
    return cueOf(group, look, styleIndex(styles, look.style), highlighted)
  })
  const language = languageOf(
    placed.map((word) => word.text),
    context.document.language,
  )
  return {
    layers: [{ kind: 'captions', id: 'captions', language, styles, cues }],
    warnings: [...warnings],
  }
}

/** Looks by speaker, each made once; what the document keeps beside the config is below the config. */
function speakerLooks(
  config: SubtitleConfig,
  context: ComposeContext,
  warn: (message: string) => void,
): { of: (speaker: number) => SpeakerLook } {
  const { document, output } = context
  const beside: SubtitleConfig = {
    ...(document.subtitleId === undefined ? {} : { styleId: document.subtitleId }),
    ...(document.subtitleY === undefined ? {} : { subtitleY: document.subtitleY }),
  }
  const made = new Map<number, SpeakerLook>()
  return {
    of(speaker) {
      const known = made.get(speaker)
      if (known !== undefined) return known
      const own = speakerConfig({ ...beside, ...config }, speaker)
      const look = resolveLook(own, output, rationalToNumber(output.frameRate), warn)
      made.set(speaker, look)
      return look
    },
  }
}

function cueOf(
  group: WordGroup,
  look: SpeakerLook,
  style: number,
  highlighted: ReadonlySet<number>,
): CaptionCue {
  return {
    startFrame: group.startFrame,
    endFrame: group.endFrame,
    style,
    words: group.words.map(({ text, startFrame, endFrame, joinsNext, index }) => ({
      text,
      startFrame,
      endFrame,
      ...(look.highlight !== null && highlighted.has(index) ? { highlight: look.highlight } : {}),
      ...(joinsNext ? { joinsNext } : {}),
    })),
  }
}

/** Place of the style in the list, where equal styles are kept once. */
function styleIndex(styles: CaptionStyle[], style: CaptionStyle): number {
  const key = JSON.stringify(style)
  const found = styles.findIndex((entry) => JSON.stringify(entry) === key)
  return found === -1 ? styles.push(style) - 1 : found
}
