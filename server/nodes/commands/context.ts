/** What commands read about a clip besides its edit. PURE. */
import { sourceFrames, type Composition } from '../../contract/composition.ts'
import type { StudioEditor } from '../../contract/studio-editor.ts'
import type { Stretch } from '../../contract/time.ts'
import { sourceSecondPlayed } from '../../contract/time-map/frames.ts'
import { rangesOfSpans } from '../../contract/time-map/spans.ts'
import { partsBeside } from '../editing/cut.ts'
import { isKept, keptOf, type ClipCut } from '../../contract/time-map/cut.ts'
import type { ClipEdit } from '../editing/clip-edit.ts'
import type { SpokenClip } from '../editing/speech-cuts.ts'
import type { Size } from '../layout/seen.ts'

type EditorFields = 'words' | 'faces' | 'nodes' | 'speakers' | 'broll'

export interface CommandContext extends Omit<SpokenClip, 'words'>, Pick<StudioEditor, EditorFields> {
  /** Whether a word is audible with this cut. */
  readonly heard: (cut: ClipCut, position: number) => boolean
  /** Whether this second of the source is played with this cut. */
  readonly plays: (cut: ClipCut, seconds: number) => boolean
  /** Played length, seconds. */
  readonly length: number
  /** Source second of a moment as the player counts. */
  readonly sourceAt: (played: number) => number
  /** Source second that the player shows. */
  readonly playhead: number
  readonly output: Size
}

/** Shorter ones come of rounding to frames. */
const MIN_SECONDS = 0.06

/** Ranges that the cut includes but the composition does not play, because nodes leave them out. Source seconds. */
export function cutByNodes(cut: ClipCut, { timeMap }: Pick<Composition, 'timeMap'>): Stretch[] {
  const played = rangesOfSpans(timeMap)
  return keptOf(cut).flatMap(({ start, end }) =>
    played.reduce<Stretch[]>(
      (gaps, one) => gaps.flatMap((gap) => partsBeside(gap, one, MIN_SECONDS)),
      [{ start, end }],
    ),
  )
}

/** A clip with the edit that its composition was made of. */
export interface OpenedClip {
  readonly editor: Pick<StudioEditor, EditorFields | 'language' | 'sound'>
  readonly composed: Pick<ClipEdit, 'cut'>
  readonly preview: { readonly composition: Composition }
}

/** What nodes leave out is read off the composition, so by the cut that it was made of: the edit may be a later one. */
export function contextOf({ editor, composed, preview }: OpenedClip, playhead: number): CommandContext {
  const { composition } = preview
  const { width, height, frameRate } = composition.output
  const byNodes = cutByNodes(composed.cut, composition)
  const { startFrame, endFrame } = sourceFrames(composition)
  const plays = (of: ClipCut, seconds: number): boolean =>
    isKept(of, seconds) && !byNodes.some(({ start, end }) => seconds >= start && seconds < end)
  return {
    ...editor,
    frameRate,
    playhead,
    output: { width, height },
    length: ((endFrame - startFrame) * frameRate.denominator) / frameRate.numerator,
    sourceAt: (played) => sourceSecondPlayed(composition, played),
    heard(of, position) {
      const word = editor.words[position]
      return word !== undefined && plays(of, (word.start + word.end) / 2)
    },
    plays,
  }
}
