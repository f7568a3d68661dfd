/** Measures the loudness of the clip as cut and of the mix, and decides the gains. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { loudnessArguments } from '../../media/arguments/render.ts'
import { hasTracks, type AudioGain } from '../../media/arguments/render-audio.ts'
import { withGraphFile } from '../../media/long-graph.ts'
import { runTool } from '../../media/run-tool.ts'
import {
  closeEnough,
  correctGain,
  decideGain,
  decideMix,
  lastGain,
  limitsHard,
  parseLoudness,
  type LoudnessMeasure,
} from './pure/gain.ts'
import { patienceSeconds } from './encode.ts'

export interface LoudnessPlan {
  readonly before: LoudnessMeasure | null
  readonly gain: AudioGain | null
  /** Loudness that the result should have; null: unknown or silent. */
  readonly expectedLufs: number | null
}

/** Maximum number of measurements of a limited result; each brings it nearer to the target. */
const MAX_LOOKS = 3

interface Tools {
  readonly ffmpeg: string
  readonly dialect: Dialect
  /** The stage's temporary folder, for what does not fit on a command line. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly warn: (message: string) => void
}

/**
 * Measures the sound and chooses the gains: first that of the source's own sound, so that the tracks of `audio.tracks` (with the files
 * `trackFiles`) are mixed with speech at its final loudness, then that of the mix. Warns when the sound is silent.
 */
export async function planLoudness(
  composition: Composition,
  files: { readonly source: string; readonly tracks: readonly string[] },
  tools: Tools,
): Promise<LoudnessPlan> {
  const wanted = composition.audio
  const mixed = hasTracks(composition)
  const nothing = !composition.source.hasAudio && !mixed
  if (nothing || wanted.integratedLufs === null) return { before: null, gain: null, expectedLufs: null }
  const measure = async (gain: AudioGain | null, tracks: readonly string[]): Promise<LoudnessMeasure> => {
    const stallSeconds = patienceSeconds(composition, 120)
    const wholeArgs = loudnessArguments(composition, files.source, gain, tracks)
    const { stderr } = await withGraphFile(wholeArgs, tools, (args) =>
      runTool({ executable: tools.ffmpeg, args, signal: tools.signal, stallSeconds }),
    )
    return parseLoudness(stderr)
  }
  const before = composition.source.hasAudio ? await measure(null, []) : null
  const own = before === null ? null : decideGain(before, wanted)
  const measured = mixed
    ? await measure({ gainDb: own?.gainDb ?? 0, ceilingDb: null, mixDb: 0 }, files.tracks)
    : before
  const gain = mixed && measured !== null ? decideMix(own, measured, wanted) : own
  if (measured === null || gain === null) {
    tools.warn('The clip is silent, so its loudness was not adjusted.')
    return { before, gain, expectedLufs: measured?.integratedLufs ?? null }
  }
  if (!limitsHard(measured, gain))
    return { before, gain, expectedLufs: (measured.integratedLufs ?? 0) + lastGain(gain) }
  let corrected = gain
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const limited = await measure(corrected, mixed ? files.tracks : [])
    if (closeEnough(limited, wanted)) return { before, gain: corrected, expectedLufs: limited.integratedLufs }
    corrected = correctGain(corrected, limited, wanted)
  }
  return { before, gain: corrected, expectedLufs: wanted.integratedLufs }
}
