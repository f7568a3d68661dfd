/** Reads the extracted sound once for what a voice holds, and finds the fillers that a transcript left out. */
import type { Stretch } from '../../../server/contract/time.ts'
import type { Transcript, TranscriptWord } from '../../../server/contract/transcript.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import type { WavFile } from '../../inference/wav-file.ts'
import type { StageContext } from '../context.ts'
import { featuresOf, HOP_SECONDS, type SoundFeatures } from './pure/sound-features.ts'
import type { SustainedSound } from './pure/sustained-sound.ts'
import { findSustained } from './pure/sustained-sounds.ts'
import { findUnwrittenFillers } from './pure/unwritten-fillers.ts'

/** Sound read at a time, and what of it is read again with the next part, so that no sound is cut in two; seconds. */
const PAGE_SECONDS = 60
const OVERLAP_SECONDS = 2

/** What is held in the whole sound, with its levels: 1.4 MB for an hour. */
export interface HeldSounds {
  readonly sustained: readonly SustainedSound[]
  readonly levels: SoundFeatures
}

/** What is held in one page, whose levels begin at that step. */
export interface HeldPage {
  readonly sustained: readonly SustainedSound[]
  readonly first: number
  readonly levelDb: Float32Array
}

type MakePage = (make: () => Promise<HeldPage>) => Promise<HeldPage>

/** `once` passes pages on; those of an interrupted attempt are not made again. */
export async function findHeldSounds(
  context: Pick<StageContext<never>, 'signal'>,
  wav: WavFile,
  once: MakePage = (make) => make(),
): Promise<HeldSounds> {
  const levelDb = new Float32Array(Math.floor(wav.durationSeconds / HOP_SECONDS + 0.5))
  const sustained: SustainedSound[] = []
  for (let start = 0; start < wav.durationSeconds; start += PAGE_SECONDS) {
    throwIfCancelled(context.signal)
    const page = await once(() => findInPage(wav, start))
    levelDb.set(page.levelDb.subarray(0, levelDb.length - page.first), page.first)
    sustained.push(...page.sustained)
  }
  return { sustained, levels: { startSeconds: 0, levelDb } }
}

async function findInPage(wav: WavFile, start: number): Promise<HeldPage> {
  const margin = OVERLAP_SECONDS / 2
  const from = Math.max(0, start - margin)
  const samples = await wav.read(from, start + PAGE_SECONDS + margin)
  const features = featuresOf(samples, wav.sampleRate, from)
  const sustained = findSustained(samples, features).filter((sound) => {
    const middle = (sound.start + sound.end) / 2
    return middle >= start && middle < start + PAGE_SECONDS
  })
  return { sustained, first: Math.round(from / HOP_SECONDS), levelDb: features.levelDb }
}

/** The features of a stretch with what is held in it, so that words are placed beside it where they fit better there. */
export function withHeldSounds(features: SoundFeatures, held: HeldSounds): SoundFeatures {
  const from = features.startSeconds
  const to = from + features.levelDb.length * HOP_SECONDS
  return { ...features, sustained: held.sustained.filter(({ start, end }) => end > from && start < to) }
}

/** The part of a transcript that says which fillers it left out. `voice`: where somebody speaks, where that is known. */
export function fillersBeside(
  words: readonly TranscriptWord[],
  { sustained, levels }: HeldSounds,
  voice: readonly Stretch[] | null = null,
): Required<Pick<Transcript, 'fillers'>> {
  const voiced = voice === null ? sustained : sustained.filter((sound) => isSpoken(sound, voice))
  return { fillers: findUnwrittenFillers(words, voiced, levels) }
}

function isSpoken({ start, end }: Stretch, voice: readonly Stretch[]): boolean {
  const middle = (start + end) / 2
  return voice.some((one) => one.start <= middle && middle <= one.end)
}
