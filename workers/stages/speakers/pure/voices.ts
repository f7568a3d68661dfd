/** The voices of a source's speakers, and which speakers of a stream's next part are those of the parts before. PURE. */
import { Type, type Static } from '@sinclair/typebox'
import { likenessOf, neededLikeness, type VoicedPiece } from './cluster.ts'
import type { Turn } from './turns.ts'

/** What is known of one speaker's voice. */
export const SpeakerVoice = Type.Object({
  /** As in the turns. */
  speaker: Type.Integer({ minimum: 0 }),
  /** The embedding model, by its name in the manifest: voices of two models cannot be compared. */
  model: Type.String(),
  /** Speech that the voice was measured on; 0: none that was long enough. */
  seconds: Type.Number({ minimum: 0 }),
  /** Mean voice, of length one; empty where nothing was measured. */
  embedding: Type.Array(Type.Number()),
})
export type SpeakerVoice = Static<typeof SpeakerVoice>

export const SpeakerVoices = Type.Array(SpeakerVoice)

/** A piece counts for the speaker who has this share of it, because others may speak in the rest. */
const OWN_SHARE = 0.8
/** Decimals of an embedding. Its values are about a tenth. */
const PRECISION = 1e5

/** The voice of every speaker of the turns, in order of their numbers. */
export function measureSpeakers(
  pieces: readonly VoicedPiece[],
  turns: readonly Turn[],
  model: string,
): SpeakerVoice[] {
  const sums = new Map<number, { seconds: number; sum: Float64Array }>()
  for (const { voice, start, end } of pieces) {
    const speaker = voice === null ? undefined : findOwner(turns, start, end)
    if (voice === null || speaker === undefined) continue
    const own = sums.get(speaker) ?? { seconds: 0, sum: new Float64Array(voice.length) }
    own.seconds += end - start
    for (const [at, value] of voice.entries()) own.sum[at] = (own.sum[at] ?? 0) + (end - start) * value
    sums.set(speaker, own)
  }
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].toSorted((a, b) => a - b)
  return speakers.map((speaker) => {
    const { seconds = 0, sum = [] } = sums.get(speaker) ?? {}
    return { speaker, model, seconds: Math.round(seconds * 1000) / 1000, embedding: unitOf(sum) }
  })
}

/** The only one who speaks in most of a piece. */
function findOwner(turns: readonly Turn[], start: number, end: number): number | undefined {
  const shares = new Map<number, number>()
  for (const turn of turns) {
    const common = Math.min(end, turn.end) - Math.max(start, turn.start)
    if (common > 0) shares.set(turn.speaker, (shares.get(turn.speaker) ?? 0) + common / (end - start))
  }
  const [first, second] = [...shares].toSorted(([, a], [, b]) => b - a)
  const alone = first !== undefined && first[1] >= OWN_SHARE && (second?.[1] ?? 0) <= 1 - OWN_SHARE
  return alone ? first[0] : undefined
}

function unitOf(values: Iterable<number>): number[] {
  const all = [...values]
  const length = Math.max(1e-12, Math.hypot(...all))
  return all.map((value) => Math.round((value / length) * PRECISION) / PRECISION)
}

/** What is compared of a voice. */
export type Voiceprint = Pick<SpeakerVoice, 'model' | 'seconds' | 'embedding'>

/** Cosine of two voices, -1 to 1; null: they cannot be compared. */
export function compareVoices(a: Voiceprint, b: Voiceprint): number | null {
  if (a.model !== b.model || a.embedding.length !== b.embedding.length) return null
  if (a.seconds === 0 || b.seconds === 0) return null
  return likenessOf(Float32Array.from(a.embedding), Float32Array.from(b.embedding))
}

export interface ContinuedVoices {
  /** The speaker of the stream for each speaker of the part. */
  readonly labels: ReadonlyMap<number, number>
  /** Of the whole stream so far. */
  readonly voices: SpeakerVoice[]
}

/**
 * Gives each speaker of a part of a stream the number that the same voice has in the parts before, the most alike first and
 * each at most once, and every new voice the next number. The voice of a known speaker becomes the mean of both, by seconds.
 * `sameVoice`: the similarity of long speech, as the manifest has it for the model, above which two voices are one.
 */
export function continueVoices(
  known: readonly SpeakerVoice[],
  found: readonly SpeakerVoice[],
  sameVoice: number,
): ContinuedVoices {
  const pairs = found.flatMap((voice) =>
    known.flatMap((other) => {
      const likeness = compareVoices(voice, other)
      if (likeness === null) return []
      const margin = likeness - neededLikeness(voice, other, sameVoice)
      return margin < 0 ? [] : [{ voice, other, margin }]
    }),
  )
  const same = new Map<number, SpeakerVoice>()
  for (const { voice, other } of pairs.toSorted((a, b) => b.margin - a.margin))
    if (!same.has(voice.speaker) && ![...same.values()].includes(other)) same.set(voice.speaker, other)
  const labels = new Map<number, number>()
  let next = Math.max(-1, ...known.map(({ speaker }) => speaker)) + 1
  for (const { speaker } of found) labels.set(speaker, same.get(speaker)?.speaker ?? next++)
  const voices = new Map(known.map((voice) => [voice.speaker, voice]))
  for (const voice of found) {
    const speaker = labels.get(voice.speaker) ?? voice.speaker
    const before = same.get(voice.speaker)
    voices.set(speaker, { ...(before === undefined ? voice : meanVoice(before, voice)), speaker })
  }
  return { labels, voices: [...voices.values()] }
}

function meanVoice(a: SpeakerVoice, b: SpeakerVoice): SpeakerVoice {
  const sum = a.embedding.map((value, at) => a.seconds * value + b.seconds * (b.embedding[at] ?? 0))
  return { ...a, seconds: a.seconds + b.seconds, embedding: unitOf(sum) }
}
