/** Which video encoders work on this machine: each one that ffmpeg lists has to encode one picture. */
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

/** Values of the encoder setting. */
export type EncoderPreference = 'auto' | 'software' | EncoderSetting

export interface EncoderTrial extends EncoderCandidate {
  readonly works: boolean
  /** Why it does not work, in the driver's words; empty if it works. */
  readonly reason: string
}

/** A driver that has not encoded one picture after this many seconds does not work. */
const TRIAL_SECONDS = 15

/** Tries the allowed encoders in order up to the first that works; `all`: tries every one. Failures are not thrown. */
export async function tryEncoders(
  ffmpeg: string,
  preference: EncoderPreference,
  options: { readonly all?: boolean } = {},
): Promise<EncoderTrial[]> {
  if (preference === 'software') return []
  const { encoders } = await readCapabilities(ffmpeg)
  const trials: EncoderTrial[] = []
  for (const candidate of encoderCandidates(preference, {
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

/** The first line of ffmpeg's errors comes from the driver; later ones only follow from it. */
export function firstReason(error: AppError): string {
  const stderr = error.details?.['stderr']
  const lines = typeof stderr === 'string' ? stderr.split('\n') : []
  const first = lines.map((line) => line.replace(/^\[[^\]]*\] */u, '').trim()).find((line) => line !== '')
  return first ?? error.message
}

/** The encoder to use after these trials. If the configured one does not work, the choice has a complaint that says why. */
export function chooseEncoder(preference: EncoderPreference, trials: readonly EncoderTrial[]): EncoderChoice {
  const working = trials.find(({ works }) => works)
  if (working !== undefined) return { way: working.way, device: working.device }
  if (preference === 'auto' || preference === 'software') return SOFTWARE
  const last = trials.at(-1)
  const why =
    last === undefined
      ? 'this ffmpeg was not built with it, or this system has no such device'
      : `${HARDWARE_WAYS[last.way].encoder}: ${last.reason}`
  return {
    ...SOFTWARE,
    complaint: `The configuration asks for the encoder ${preference}, which does not work here (${why}); the clip was encoded in software.`,
  }
}
