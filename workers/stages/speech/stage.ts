/** Words from the sound: cut windows at the pauses between voices, decode, clean and time them. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'
import type { Transcript, TranscriptWord } from '../../../server/contract/transcript.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { inSequence } from '../captions/pure/words-from-cues.ts'
import { fillersBeside, findHeldSounds, withHeldSounds, type HeldSounds } from '../captions/sustained.ts'
import { stageError, type StageHandler } from '../context.ts'
import { decodeEach, keyOf, type Work } from './decode-each.ts'
import type { DecoderSource } from './decoder.ts'
import { findLocalDecoder } from './local-decoder.ts'
import type { DecodedWindow } from './pure/decoded.ts'
import { mendWindow, type MendedWindow } from './pure/mend-window.ts'
import { placeWords } from './pure/place-words.ts'
import type { VoiceSegment } from './pure/plan-windows.ts'
import { serverDecoder } from './server-decoder.ts'
import { decodedBefore, openSpeech, prepareDecoder, scratchFile, type SpeechContext } from './speech-work.ts'

type Params = Parameters<StageHandler<'speech'>>[1]

export const runSpeech: StageHandler<'speech'> = async (context, params) => {
  const { server, model } = params
  const source =
    server === undefined ? await findLocalDecoder(context, model) : serverDecoder(context, server)
  return await transcribe(context, params, source)
}

/** The stage with a given decoder. */
export async function transcribe(context: SpeechContext, params: Params, source: DecoderSource) {
  await using sound = await openSpeech(context)
  const { wav, voice, windows } = sound
  const { decoder, language, prompt } = await prepareDecoder(context, params, { source, sound })
  if (prompt.left.length > 0) {
    context.warn(
      `Only ${prompt.used.length} of ${prompt.used.length + prompt.left.length} keywords fit into the prompt of the speech model; the others were not used to spell names.`,
    )
  }
  const held = await findHeldSounds(context, wav)
  const words = await decodeAll(context, { decoder, windows, wav, voice, language, prompt, held })
  if (words.length === 0) {
    throw stageError('NO_SPEECH', 'There are voices in the video, but the speech model recognised no words.')
  }
  const transcript: Transcript = {
    origin: 'speech-model',
    language,
    detail: decoder.name,
    words,
    ...fillersBeside(words, held, voice),
  }
  await writeFile(join(context.folder, 'transcript.json'), JSON.stringify(transcript))
  context.progress(1)
  return {
    transcriptFile: 'transcript.json',
    wordCount: words.length,
    language,
    model: decoder.name,
    ...omitUndefined({ provider: decoder.provider }),
  }
}

interface SpokenWork extends Work {
  readonly voice: readonly VoiceSegment[]
  readonly held: HeldSounds
}

async function decodeAll(context: SpeechContext, work: SpokenWork) {
  const onDone = (count: number): void => {
    const note = `Transcribing part ${Math.min(count + 1, work.windows.length)} of ${work.windows.length}`
    context.progress(count / work.windows.length, note)
  }
  const decodedParts = decodedBefore(context)
  const done = await decodeEach(work, { scratch: scratchFile(context), decodedParts, context, onDone })
  warnOfTimes(context, work, done.values())
  const words: TranscriptWord[] = []
  const dropped = new Map<MendedWindow['dropped'], number>()
  for (const window of work.windows) {
    throwIfCancelled(context.signal)
    const decoded = done.get(keyOf(window))
    if (decoded === undefined) continue
    const mended = mendWindow(decoded, work.voice, work.prompt.used)
    dropped.set(mended.dropped, (dropped.get(mended.dropped) ?? 0) + 1)
    if (mended.pieces.length === 0) continue
    const features = await work.wav.features(window.start - 0.5, window.end + 0.5)
    words.push(...placeWords(mended.pieces, decoded.words, withHeldSounds(features, work.held)))
  }
  for (const [kind, count] of dropped) {
    if (kind !== 'none')
      context.warn(
        `In ${count} of ${work.windows.length} parts the speech model repeated itself or spoke without a voice (${kind}); those words were left out.`,
      )
  }
  await rm(scratchFile(context), { force: true })
  return inSequence(words)
}

/** Names how many windows have words that the decoder gave no times for, or none that can be right. */
function warnOfTimes(context: SpeechContext, work: Work, decoded: Iterable<DecodedWindow>): void {
  const untimed = [...decoded].filter(({ words, pieces }) => !words && pieces.length > 0)
  const doubtful = untimed.filter((window) => window.doubtful === true).length
  if (untimed.length > doubtful)
    context.warn(
      `${work.decoder.name} has no word times; words were timed by the sound inside the model's segments.`,
    )
  if (doubtful > 0)
    context.warn(
      `In ${doubtful} of ${work.windows.length} parts ${work.decoder.name} gave times that cannot be right (none, outside of the part, or going backwards); those words were timed by the sound.`,
    )
}
