/** Known sources through the product's own stages, and how its words differ from the true ones. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transcript } from '../../server/contract/transcript.ts'
import { findLocalDecoder } from '../../workers/stages/speech/local-decoder.ts'
import { transcribe } from '../../workers/stages/speech/stage.ts'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runVoice } from '../../workers/stages/voice/stage.ts'
import { runStageForTest, type HarnessOptions } from '../support/stage-harness.ts'
import { wavFile } from '../support/wav.ts'
import { RATE } from '../bench/media.ts'
import type { KnownSource } from './known-sources.ts'

type Handler = Parameters<typeof runStageForTest>[0]
type Context = Parameters<typeof transcribe>[0]

/** The results of the stages before the speech stage. */
export type Prepared = HarnessOptions & { readonly seconds: number }

/** Reads the sound and looks for voices, once for all models. Leaves its files in `root`. */
export async function prepareSound(
  samples: Int16Array,
  root: string,
  modelFolders: readonly string[],
): Promise<Prepared> {
  await mkdir(root, { recursive: true })
  const source = join(root, 'source.wav')
  await writeFile(source, wavFile(samples))
  const seconds = samples.length / RATE
  const given = { streamIndex: 0, durationSeconds: seconds }
  const audio = await runStageForTest(runAudio as Handler, given, {
    inputs: { source },
    root: join(root, 'audio'),
  })
  const heard = { inputs: { audio: audio.folder }, results: { audio: audio.output } }
  const voice = await runStageForTest(
    runVoice as Handler,
    {},
    { ...heard, modelFolders, root: join(root, 'voice') },
  )
  return {
    inputs: { audio: audio.folder, voice: voice.folder },
    results: { audio: audio.output, voice: voice.output },
    modelFolders,
    seconds,
  }
}

/** The transcript of the stage with this model. `together`: how many windows are decoded at once. */
export async function transcribeKnown(
  prepared: Prepared,
  options: {
    readonly root: string
    readonly model: string
    readonly together: number
    readonly keywords?: readonly string[]
  },
): Promise<{ readonly transcript: Transcript; readonly warnings: readonly string[] }> {
  const { root, model, together, keywords = [] } = options
  const handler = async (context: Context) => {
    const local = await findLocalDecoder(context, model)
    const open = async () => ({ ...(await local.open()), together })
    return await transcribe(context, { language: '', keywords: [...keywords], model }, { ...local, open })
  }
  const run = await runStageForTest(handler as Handler, {}, { ...prepared, root })
  const text = await readFile(join(run.folder, 'transcript.json'), 'utf8')
  return { transcript: JSON.parse(text) as Transcript, warnings: run.warnings }
}

/** How many words of the transcript are where nobody speaks. */
export function countInvented(transcript: Transcript, { spoken }: KnownSource): number {
  return transcript.words.filter(({ start, end }) => {
    const middle = (start + end) / 2
    return !spoken.some((stretch) => middle > stretch.start && middle < stretch.end)
  }).length
}
