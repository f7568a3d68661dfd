/** Measures the loudness of the clip as cut and of the mix, and decides the gains. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { Dialect } from '../../media/arguments/dialect.ts'
import { loudnessArguments } from '../../media/arguments/render.ts'
import { withGraphFile } from '../../media/long-graph.ts'
import { runTool } from '../../media/run-tool.ts'
import type { AudioGain } from '../../media/arguments/render-audio.ts'
import {
  parseLoudness,
  planGain,
  type GainPlan,
  type LoudnessCare,
  type LoudnessMeasure,
} from './pure/gain.ts'
import { patienceSeconds } from './encode.ts'

export type LoudnessPlan = Omit<GainPlan, 'silent' | 'nearest'>

interface Tools {
  readonly ffmpeg: string
  readonly dialect: Dialect
  /** The stage's temporary folder, for what does not fit on a command line. */
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * Measures the sound and chooses the gains: first that of the source's own sound, so that the tracks of `audio.tracks` (with the files
 * `trackFiles`) are mixed with speech at its final loudness, then that of the mix.
 */
export async function planLoudness(
  composition: Composition,
  files: { readonly source: string; readonly tracks: readonly string[]; readonly clean: string | null },
  tools: Tools,
  care?: LoudnessCare,
): Promise<GainPlan> {
  const measure = async (gain: AudioGain | null, withTracks: boolean): Promise<LoudnessMeasure> => {
    const stallSeconds = patienceSeconds(composition, 120)
    const tracks = withTracks ? files.tracks : []
    const wholeArgs = loudnessArguments(composition, files.source, gain, tracks, files.clean)
    const { stderr } = await withGraphFile(wholeArgs, tools, (args) =>
      runTool({ executable: tools.ffmpeg, args, signal: tools.signal, stallSeconds }),
    )
    return parseLoudness(stderr)
  }
  return planGain(composition, measure, care)
}
