/** What no format of editing programs can say of a clip, as sentences for people. PURE. */
import type { Composition } from '../contract/composition.ts'
import { TRANSITION_LABELS, type Timeline } from './timeline.ts'

/** What is lost in every timeline format. */
export function commonNotes({ composition, timeline }: NotedClip): string[] {
  const { audio, layers, layout, zooms, source } = composition
  const has = (kind: Composition['layers'][number]['kind']) => layers.some((layer) => layer.kind === kind)
  const moves = layout.some((span) => span.kind === 'crop' && span.cropTo !== undefined)
  const sentences: (readonly [boolean, string])[] = [
    [layout.length > 1 || moves, 'The framing moves and changes with the shots; that movement is dropped.'],
    [layout.some(({ kind }) => kind === 'panes'), 'Split views are dropped; markers show where they were.'],
    [(zooms ?? []).length > 0, 'Zooms are dropped; markers show where they were.'],
    [(source.patches ?? []).length > 0, 'The removal of logos is dropped; markers show where it was.'],
    [
      (audio.masks ?? []).length > 0,
      'Beeps and silenced words are heard again; markers show where they are.',
    ],
    [audio.integratedLufs !== null, 'The sound has the level of the source: loudness is not normalised.'],
    [(audio.tracks ?? []).some(({ duckDb }) => duckDb > 0), 'Music is not lowered under speech.'],
    [has('captions'), 'Captions lose their look, animation and the emphasis of the spoken word.'],
    [has('title'), 'Titles keep their text and font, not their box, place and fades.'],
    [
      has('image') || has('video'),
      'Pictures and videos over the clip keep their time, not their place and size.',
    ],
    [
      [...layers, ...(audio.tracks ?? [])].some(({ keyframes = [] }) => keyframes.length > 0),
      'Keyframes are dropped: layers rest, and music has one level.',
    ],
    [has('audiogram'), 'The moving wave of the sound is dropped.'],
    [
      timeline.tailFrames > 0,
      `The last picture is held for ${timeline.tailFrames} frames; what is written there is a gap.`,
    ],
  ]
  return sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []))
}

/** Which of the clip's transitions a format cannot write. `written`: the kinds that it can. */
export function transitionNote(
  { transitions }: Timeline,
  written: readonly Timeline['transitions'][number]['kind'][],
): string[] {
  const kinds = [...new Set(transitions.map(({ kind }) => kind))].filter((kind) => !written.includes(kind))
  if (kinds.length === 0) return []
  const names = kinds.map((kind) => TRANSITION_LABELS[kind].toLowerCase()).join(', ')
  return [`Transitions are cuts here (${names}); markers show where they were.`]
}

export interface NotedClip {
  readonly composition: Composition
  readonly timeline: Timeline
}

/** Where the source runs at another rate than the clip. */
export function rateNote({ rate, sourceRate }: Timeline): string[] {
  const same = rate.numerator * sourceRate.denominator === sourceRate.numerator * rate.denominator
  return same ? [] : ['Places in the source are counted at the frame rate of the clip, which is not its own.']
}
