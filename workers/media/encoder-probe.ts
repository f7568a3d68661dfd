/** Which video encoders work on this machine: each one that ffmpeg lists has to encode one picture. */
import { existsSync } from 'node:fs'
import { AppError } from '../../server/contract/errors.ts'
import {
  absentEncoders,
  encoderCandidates,
  HARDWARE_WAYS,
  type AbsentEncoder,
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

export interface EncoderTrials {
  readonly trials: readonly EncoderTrial[]
  /** Those that could not be tried: this build lacks them, or there is no such device. */
  readonly absent: readonly AbsentEncoder[]
}

/** Tries the allowed encoders in order up to the first that works; `all`: tries every one. Failures are not thrown. */
export async function tryEncoders(
  ffmpeg: string,
  preference: EncoderPreference,
  options: { readonly all?: boolean } = {},
): Promise<EncoderTrials> {
  if (preference === 'software') return { trials: [], absent: [] }
  const { encoders } = await readCapabilities(ffmpeg)
  const machine = { platform: process.platform, encoders, exists: existsSync }
  const trials: EncoderTrial[] = []
  for (const candidate of encoderCandidates(preference, machine)) {
    const trial = await tryEncoder(ffmpeg, candidate)
    trials.push(trial)
    if (trial.works && options.all !== true) break
  }
  return { trials, absent: absentEncoders(preference, machine) }
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

const ABSENT = {
  'not built in': 'is not in this build of ffmpeg',
  'no device': 'has no device on this machine',
  'other system': 'is of another operating system',
} as const

/** One phrase for each encoder: it works, it does not and why, or it is not there to be tried. */
export function describeTrials({ trials, absent }: EncoderTrials): string[] {
  return [
    ...trials.map(({ way, device, works, reason }) => {
      const on = device === null ? '' : ` on ${device}`
      return `${way}${on} ${works ? 'works' : `does not work: ${reason}`}`
    }),
    ...absent.map(({ setting, why }) => `${setting} ${ABSENT[why]}`),
  ]
}

/** The encoder to use after these trials. If the configured one does not work, the choice has a complaint that says why. */
export function chooseEncoder(
  preference: EncoderPreference,
  { trials, absent }: EncoderTrials,
): EncoderChoice {
  const working = trials.find(({ works }) => works)
  if (working !== undefined) return { way: working.way, device: working.device }
  if (preference === 'auto' || preference === 'software') return SOFTWARE
  const last = trials.at(-1)
  const [lacking] = absent
  const why =
    last !== undefined
      ? `does not work here (${HARDWARE_WAYS[last.way].encoder}: ${last.reason})`
      : ABSENT[lacking?.why ?? 'not built in']
  return {
    ...SOFTWARE,
    complaint: `The configuration asks for the encoder ${preference}, which ${why}; the clip was encoded in software.`,
  }
}
