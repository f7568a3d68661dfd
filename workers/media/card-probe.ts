/**
 * Which graphics card decodes on this machine, and whether it decodes one source. What a card makes is held against what the
 * processor makes of the same file: drivers were seen to take a task and to return green pictures.
 */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../server/contract/errors.ts'
import type { Composition } from '../../server/contract/composition.ts'
import {
  cardCandidates,
  differenceOf,
  pictureArguments,
  planReading,
  type CardChoice,
  type CardReading,
} from './arguments/card-reading.ts'
import { findCard } from './arguments/cards/registry.ts'
import { trialClipArguments } from './arguments/ffmpeg-trials.ts'
import { videoEncoder, type EncoderChoice } from './arguments/render-encoder.ts'
import { factsArguments } from './arguments/probe.ts'
import { planTime } from './arguments/render-time.ts'
import { detectDialect } from './dialect.ts'
import { firstReason, type EncoderPreference } from './encoder-probe.ts'
import { filmOf, type TrialPlace } from './ffmpeg-probe.ts'
import { readByFfprobe, runTool, type ToolContext } from './run-tool.ts'
import { readCapabilities } from './tools.ts'

/** `why`: a phrase, why it does not decode; null: it does. */
export interface CardTrial extends CardChoice {
  readonly why: string | null
}

/** A driver that has not made one picture after this many seconds does not work. */
const TRIAL_SECONDS = 20

/**
 * Tries the allowed cards in order up to the first that works, each with all that a render has it do: pictures decoded and scaled
 * on it, and a clip of 40 frames made of them by `encoder`. Failures are not thrown.
 */
export async function tryCards(
  ffmpeg: string,
  { preference, encoder, place }: CardWish,
  options: { readonly all?: boolean } = {},
): Promise<CardTrial[]> {
  if (preference === 'software') return []
  const { hwaccels, filters } = await readCapabilities(ffmpeg)
  const machine = { platform: process.platform, hwaccels, filters, exists: existsSync }
  const trials: CardTrial[] = []
  for (const candidate of cardCandidates(preference, machine)) {
    const why = candidate.why ?? (await whyNot(() => tryCard(ffmpeg, candidate, { encoder, place })))
    trials.push({ ...candidate, why })
    if (why === null && options.all !== true) break
  }
  return trials
}

export interface CardWish {
  readonly preference: EncoderPreference
  /** What encodes behind it. */
  readonly encoder: EncoderChoice
  readonly place: TrialPlace
}

/** One phrase for each card: it decodes, or why not. */
export const describeCards = (trials: readonly CardTrial[]): string[] =>
  trials.map(({ card, device, why }) => {
    const on = device === null ? '' : ` on ${device}`
    return `${card}${on} ${why ?? 'decodes'}`
  })

/** Of resources/ffmpeg-trial/h264.mkv, half of its size. */
const SMALLER = { width: 320, height: 180 }

async function tryCard(
  ffmpeg: string,
  { card, device }: CardChoice,
  { encoder, place }: Pick<CardWish, 'encoder' | 'place'>,
): Promise<string | null> {
  const film = { file: filmOf(place.films, 'h264'), stream: 0, seconds: 0 }
  for (const size of [null, SMALLER]) {
    const different = await comparePictures(ffmpeg, film, { card, device, format: 'nv12', size })
    if (different !== null) return different
  }
  const folder = await mkdtemp(join(place.temporary, 'card-trial-'))
  try {
    const file = join(folder, 'clip.mp4')
    const shape = { width: 180, height: 320, frameRate: { numerator: 25, denominator: 1 } }
    const args = trialClipArguments(film.file, file, await detectDialect(ffmpeg), {
      encoder: videoEncoder(encoder, { preset: 'ultrafast', crf: 20 }, shape),
      reading: { card, device, format: 'nv12', size: null },
    })
    await runTool({ executable: ffmpeg, args, timeoutSeconds: TRIAL_SECONDS })
    return (await stat(file)).size > 0 ? null : 'it made an empty clip'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Film = Parameters<typeof pictureArguments>[0]

/** Why the picture of a card is not the processor's; null: it is. */
async function comparePictures(ffmpeg: string, film: Film, reading: CardReading): Promise<string | null> {
  const [card, processor] = await Promise.all(
    [reading, null].map((by) =>
      runTool({ executable: ffmpeg, args: pictureArguments(film, by), timeoutSeconds: TRIAL_SECONDS }),
    ),
  )
  return differenceOf(card?.stdout ?? Buffer.alloc(0), processor?.stdout ?? Buffer.alloc(0))
}

async function whyNot(look: () => Promise<string | null>): Promise<string | null> {
  try {
    const why = await look()
    return why === null ? null : `does not decode: ${why}`
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return `does not decode: ${firstReason(error).replace(/\.$/, '')}`
  }
}

/** How a render reads its source. */
export type SourceReading =
  | { readonly reading: CardReading }
  | { readonly reading: null; /** A phrase, for the manifest. */ readonly why: string }

/** Decides how the source of a clip is read: on the card, if it makes of this very source what the processor makes. */
export async function chooseReading(
  context: ToolContext & { readonly encoder?: EncoderChoice },
  composition: Composition,
  sourceFile: string,
): Promise<SourceReading> {
  const choice = context.encoder?.card
  if (choice === undefined)
    return { reading: null, why: 'no graphics card decodes here; `cutroom doctor` says why' }
  if (!composition.source.hasVideo) return { reading: null, why: 'the source has no picture' }
  const plan = planTime(composition)
  const coded = await codedPicture(context, sourceFile, composition.source.videoStream)
  const planned = planReading(choice, { composition, plan, coded })
  if ('why' in planned) return { reading: null, why: planned.why }
  const seconds = (plan.windows[0]?.seekMicroseconds ?? 0) / 1_000_000
  const film = { file: sourceFile, stream: composition.source.videoStream, seconds }
  const why = await whyNot(() => comparePictures(context.tools.ffmpeg, film, planned))
  const { title } = findCard(choice.card) ?? { title: choice.card }
  return why === null ? { reading: planned } : { reading: null, why: `${title} ${why}` }
}

async function codedPicture(
  context: ToolContext,
  file: string,
  stream: number,
): Promise<{ codec: string; pixelFormat: string }> {
  const { streams = [] } = await readByFfprobe<{
    streams?: { index?: number; codec_name?: string; pix_fmt?: string }[]
  }>(context, factsArguments(file))
  const found = streams.find(({ index }) => index === stream)
  return { codec: found?.codec_name ?? 'unknown', pixelFormat: found?.pix_fmt ?? 'unknown' }
}
