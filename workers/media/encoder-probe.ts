/** Which video encoders work on this machine: each that ffmpeg lists is made to encode one picture. */
import { existsSync } from 'node:fs'
import { AppError } from '../../server/contract/errors.ts'
import {
  encoderCandidates,
  HARDWARE_WAYS,
  type EncoderCandidate,
  type EncoderSetting,
} from './arguments/hardware-encoders.ts'
import { encoderProbeArguments, SOFTWARE, type EncoderChoice } from './arguments/render-encoder.ts'
import { runTool } from './run-tool.ts'
import { readCapabilities } from './tools.ts'

/** What the configuration may ask for. */
export type EncoderPreference = 'auto' | 'software' | EncoderSetting

export interface EncoderTrial extends EncoderCandidate {
  readonly works: boolean
  /** Why it does not work, in the driver's words; empty when it does. */
  readonly reason: string
}

/** A driver that has not encoded one picture after this long does not work. */
const TRIAL_SECONDS = 15

/** Tries what `wish` allows, in order, up to the first that works; `all`: every one. Does not throw for what fails. */
export async function tryEncoders(
  ffmpeg: string,
  wish: EncoderPreference,
  options: { readonly all?: boolean } = {},
): Promise<EncoderTrial[]> {
  if (wish === 'software') return []
  const { encoders } = await readCapabilities(ffmpeg)
  const trials: EncoderTrial[] = []
  for (const candidate of encoderCandidates(wish, {
    platform: process.platform,
    encoders,
    exists: existsSync,
  })) {
    const trial = await tryEncoder(ffmpeg, candidate)
    trials.push(trial)
    if (trial.works && options.all !== true) break
  }
  return trials
}

async function tryEncoder(ffmpeg: string, candidate: EncoderCandidate): Promise<EncoderTrial> {
  const args = encoderProbeArguments(candidate.way, candidate.device)
  try {
    const { stdout } = await runTool({ executable: ffmpeg, args, timeoutSeconds: TRIAL_SECONDS })
    const works = stdout.length > 0
    return { ...candidate, works, reason: works ? '' : 'it encoded nothing' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...candidate, works: false, reason: firstReason(error) }
  }
}

/** The first line that ffmpeg says is the driver's; what follows from it comes after. */
function firstReason(error: AppError): string {
  const stderr = error.details?.['stderr']
  const lines = typeof stderr === 'string' ? stderr.split('\n') : []
  const first = lines.map((line) => line.replace(/^\[[^\]]*\] */u, '').trim()).find((line) => line !== '')
  return first ?? error.message
}

/** What to encode with after these trials. A wish that could not be met is told in the choice's complaint. */
export function chooseEncoder(wish: EncoderPreference, trials: readonly EncoderTrial[]): EncoderChoice {
  const working = trials.find(({ works }) => works)
  if (working !== undefined) return { way: working.way, device: working.device }
  if (wish === 'auto' || wish === 'software') return SOFTWARE
  const last = trials.at(-1)
  const why =
    last === undefined
      ? 'this ffmpeg was not built with it, or this system has no such device'
      : `${HARDWARE_WAYS[last.way].encoder}: ${last.reason}`
  return {
    ...SOFTWARE,
    complaint: `The configuration asks for the encoder ${wish}, which does not work here (${why}); the clip was encoded in software.`,
  }
}
