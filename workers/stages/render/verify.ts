/** Probes the finished file and rejects it when it does not match the composition. */
import type { Composition } from '../../../server/contract/composition.ts'
import { factsArguments } from '../../media/arguments/probe.ts'
import { runTool } from '../../media/run-tool.ts'
import { stageError } from '../context.ts'

export interface FinishedFile {
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly durationSeconds: number
}

interface ProbedStream {
  codec_type?: string
  width?: number
  height?: number
  nb_frames?: string
  duration?: string
}

/** Throws RENDER_FAILED when size, number of frames, streams or length differ from the composition. */
export async function verifyRender(
  file: string,
  composition: Composition,
  tools: { readonly ffprobe: string; readonly signal: AbortSignal },
): Promise<FinishedFile> {
  const { stdout } = await runTool({
    executable: tools.ffprobe,
    args: factsArguments(file),
    signal: tools.signal,
    timeoutSeconds: 60,
  })
  const probed = JSON.parse(stdout.toString('utf8')) as { streams?: ProbedStream[] }
  const video = probed.streams?.find((stream) => stream.codec_type === 'video')
  const audio = probed.streams?.find((stream) => stream.codec_type === 'audio')
  const { width, height, frameRate } = composition.output
  const frameSeconds = frameRate.denominator / frameRate.numerator
  const wantedSeconds = composition.durationFrames * frameSeconds
  const frames = Number(video?.nb_frames ?? 0)
  const wrong = [
    video?.width === width && video.height === height
      ? null
      : `its size is ${video?.width ?? 0}x${video?.height ?? 0} and not ${width}x${height}`,
    frames === composition.durationFrames
      ? null
      : `it has ${frames} frames and not ${composition.durationFrames}`,
    Math.abs(Number(video?.duration ?? 0) - wantedSeconds) <= frameSeconds / 2
      ? null
      : `its picture lasts ${video?.duration ?? '0'} s and not ${wantedSeconds.toFixed(3)} s`,
    audio === undefined ? 'it has no sound track' : null,
    // AAC ends on a whole block of 1024 samples.
    Math.abs(Number(audio?.duration ?? 0) - wantedSeconds) <= frameSeconds + 1024 / 48_000
      ? null
      : `its sound lasts ${audio?.duration ?? '0'} s and not ${wantedSeconds.toFixed(3)} s`,
  ].filter((problem) => problem !== null)
  if (wrong.length > 0) {
    throw stageError('RENDER_FAILED', `The rendered file is not right: ${wrong.join('; ')}.`)
  }
  return { width, height, frames, durationSeconds: Number(video?.duration ?? wantedSeconds) }
}
