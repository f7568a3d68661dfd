/** The measuring pass: how loud the clip is as cut, and what to do about it. */
import type { Composition } from '../../../server/contract/composition.ts'
import { loudnessArguments } from '../../media/arguments/render.ts'
import type { AudioGain } from '../../media/arguments/render-audio.ts'
import { runTool } from '../../media/run-tool.ts'
import { correctGain, decideGain, limitsHard, parseLoudness, type LoudnessMeasure } from './pure/gain.ts'

export interface LoudnessPlan {
  readonly before: LoudnessMeasure | null
  readonly gain: AudioGain | null
  /** What the result should measure; null: unknown or silent. */
  readonly expectedLufs: number | null
}

/** Measures the sound and chooses the gain. Says by `warn` when the sound is silent. */
export async function planLoudness(
  composition: Composition,
  sourceFile: string,
  tools: { readonly ffmpeg: string; readonly signal: AbortSignal; readonly warn: (message: string) => void },
): Promise<LoudnessPlan> {
  const wanted = composition.audio
  if (!composition.source.hasAudio) return { before: null, gain: null, expectedLufs: null }
  const measure = async (gain: AudioGain | null): Promise<LoudnessMeasure> => {
    const run = await runTool({
      executable: tools.ffmpeg,
      args: loudnessArguments(composition, sourceFile, gain),
      signal: tools.signal,
      stallSeconds: 120,
    })
    return parseLoudness(run.stderr)
  }
  if (wanted.integratedLufs === null) return { before: null, gain: null, expectedLufs: null }
  const before = await measure(null)
  const gain = decideGain(before, wanted)
  if (gain === null) {
    tools.warn('The clip is silent, so its loudness was left as it is.')
    return { before, gain, expectedLufs: before.integratedLufs }
  }
  if (!limitsHard(before, gain))
    return { before, gain, expectedLufs: (before.integratedLufs ?? 0) + gain.gainDb }
  const limited = await measure(gain)
  const corrected = correctGain(gain, limited, wanted)
  return { before, gain: corrected, expectedLufs: wanted.integratedLufs }
}
