/** PURE. Divides a video without sound into pieces for clips: its shots; long ones are cut where least moves. */
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import type { Span } from './choose.ts'
import type { Sentence } from './sentences.ts'
import type { DetectedSound } from './sound-cues.ts'

const MAX_STRETCH_SECONDS = 12
/** Shorter shots are joined to the previous one. */
const MIN_SHOT_SECONDS = 1

/** The sound of a video without sound. */
export const SILENCE: DetectedSound = {
  envelope: new Float32Array(),
  envelopeHopSeconds: 1,
  speechLevelDb: -20,
  noiseLevelDb: -100,
  pitches: new Float32Array(),
  events: [],
}

/** In the form of sentences without words that follow each other without gaps. */
export function pictureStretches(picture: PictureFacts, durationSeconds: number): Sentence[] {
  const edges = [0]
  for (const cut of picture.cuts)
    if (cut - (edges.at(-1) ?? 0) >= MIN_SHOT_SECONDS && durationSeconds - cut >= MIN_SHOT_SECONDS)
      edges.push(cut)
  const shots = edges.map((start, at): Span => ({ start, end: edges[at + 1] ?? durationSeconds }))
  return shots
    .flatMap((shot) => cutLong(shot, picture))
    .map((span, index) => ({
      first: index,
      last: index,
      text: '',
      speaker: null,
      edgeStart: false,
      edgeEnd: false,
      ...span,
      before: 0,
      after: 0,
    }))
}

function cutLong(shot: Span, { looks }: PictureFacts): Span[] {
  const pieces: Span[] = []
  let { start } = shot
  while (shot.end - start > MAX_STRETCH_SECONDS) {
    const from = start + MAX_STRETCH_SECONDS / 2
    const to = start + MAX_STRETCH_SECONDS
    const near = looks.filter(([time]) => time >= from && time <= to)
    const [calm] = near.toSorted((a, b) => a[1] - b[1])
    const end = calm?.[0] ?? to
    pieces.push({ start, end })
    start = end
  }
  return [...pieces, { start, end: shot.end }]
}
