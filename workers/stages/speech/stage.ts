/** Words from the sound by a local Whisper: listen for voices, cut windows at pauses, decode each, mend, time. */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import type { InstalledModel } from '../../../models/installed.ts'
import type { Transcript, TranscriptWord } from '../../../server/contract/transcript.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findSpeechModel, findVoiceModel } from '../../inference/find-model.ts'
import { voiceByLevel, voiceByModel } from '../../inference/voice-activity.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { loadWhisper, type Whisper } from '../../inference/whisper.ts'
import type { audio } from '../audio/declaration.ts'
import { inSequence } from '../captions/pure/words-from-cues.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import { DecodedWindow } from './pure/decoded.ts'
import { mendWindow, type MendedWindow } from './pure/mend-window.ts'
import { placeWords } from './pure/place-words.ts'
import type { Prompt } from './pure/prompt.ts'
import { planWindows, type SpeechWindow } from './pure/plan-windows.ts'
import { voiceSegments, type VoiceSegment } from './pure/voice-segments.ts'

type Context = StageContext<'audio'>
type Params = Parameters<StageHandler<'speech'>>[1]

/** Share of the progress that listening for voices takes. */
const LISTENING = 0.05

export const runSpeech: StageHandler<'speech'> = async (context, params) => {
  const model = await findSpeechModel(context.modelFolders, params.model)
  const sound = (await context.inputResult('audio')) as OutputOf<typeof audio>
  if (sound.silent) throw stageError('NO_SPEECH', 'The sound of the video is silent throughout.')
  const wav = await openWav(join(context.input('audio'), sound.speechFile))
  try {
    return await transcribe(context, params, model, wav)
  } finally {
    await wav.close()
  }
}

async function transcribe(
  context: Context,
  params: Params,
  model: InstalledModel,
  wav: WavFile,
): ReturnType<StageHandler<'speech'>> {
  if (model.development) context.warn(`${model.name} is a stand-in for tests: its words mean nothing.`)
  const voice = await listen(context, wav)
  const windows = planWindows(voice, wav.durationSeconds)
  if (windows.length === 0)
    throw stageError('NO_SPEECH', 'Nobody speaks in the video: no voice was found in its sound.')
  context.progress(LISTENING, `Loading ${model.name}`)
  const whisper = await loadWhisper(model, context)
  if (!whisper.tellsWordTimes) {
    context.warn(
      `${model.name} does not tell when each word is said; words were timed inside its segments by the sound.`,
    )
  }
  const language = await languageOf(whisper, params.language, windows, wav)
  const prompt = whisper.prompt(params.keywords)
  if (prompt.left.length > 0) {
    context.warn(
      `Only ${prompt.used.length} of ${prompt.used.length + prompt.left.length} keywords found room to be told to the speech model beforehand; the rest were not used to spell names.`,
    )
  }
  const words = await decodeAll(context, { whisper, model, windows, wav, voice, language, prompt })
  if (words.length === 0) {
    throw stageError('NO_SPEECH', 'Voices were heard in the video, but the speech model made out no words.')
  }
  const transcript: Transcript = { origin: 'speech-model', language, detail: model.name, words }
  await writeFile(join(context.folder, 'transcript.json'), JSON.stringify(transcript))
  context.progress(1)
  return {
    transcriptFile: 'transcript.json',
    wordCount: words.length,
    language,
    model: model.name,
    provider: whisper.provider,
  }
}

async function listen(context: Context, wav: WavFile): Promise<VoiceSegment[]> {
  context.progress(0, 'Listening for voices')
  const listening = {
    signal: context.signal,
    onProgress: (fraction: number) => context.progress(fraction * LISTENING, 'Listening for voices'),
  }
  const detector = await findVoiceModel(context.modelFolders)
  if (detector === null) {
    context.warn(
      'The voice activity model is not installed, so voices were found by loudness, which noise can mislead. Install it with: cutroom models install silero-vad',
    )
  }
  const heard =
    detector === null
      ? await voiceByLevel(wav, listening)
      : await voiceByModel(wav, detector, listening, context)
  return voiceSegments(heard.probabilities, heard.frameSeconds)
}

/** As asked, or as heard in the longest of the first windows. */
async function languageOf(
  whisper: Whisper,
  asked: string,
  windows: readonly SpeechWindow[],
  wav: WavFile,
): Promise<string> {
  const code = asked.toLowerCase().split('-')[0] ?? ''
  if (code !== '' && code !== 'und') return code
  if (!whisper.multilingual) return 'en'
  const longest = windows.slice(0, 5).reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  return whisper.detectLanguage(await samplesOf(wav, longest))
}

interface Work {
  readonly whisper: Whisper
  readonly model: InstalledModel
  readonly windows: readonly SpeechWindow[]
  readonly wav: WavFile
  readonly voice: readonly VoiceSegment[]
  readonly language: string
  readonly prompt: Prompt
}

async function decodeAll(context: Context, work: Work): Promise<TranscriptWord[]> {
  const done = await resumed(context, work)
  const words: TranscriptWord[] = []
  const dropped = new Map<MendedWindow['dropped'], number>()
  for (const [index, window] of work.windows.entries()) {
    throwIfCancelled(context.signal)
    const note = `Transcribing part ${index + 1} of ${work.windows.length}`
    context.progress(LISTENING + ((1 - LISTENING) * index) / work.windows.length, note)
    const decoded = done.get(keyOf(window)) ?? (await decodeOne(context, work, window))
    const mended = mendWindow(decoded, work.voice, work.prompt.used)
    dropped.set(mended.dropped, (dropped.get(mended.dropped) ?? 0) + 1)
    if (mended.pieces.length === 0) continue
    words.push(
      ...placeWords(
        mended.pieces,
        decoded.words,
        await work.wav.features(window.start - 0.5, window.end + 0.5),
      ),
    )
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

async function decodeOne(context: Context, work: Work, window: SpeechWindow): Promise<DecodedWindow> {
  const { pieces, words } = await work.whisper.decode(
    await samplesOf(work.wav, window),
    work.language,
    work.prompt,
  )
  const decoded: DecodedWindow = { ...window, pieces, words }
  await appendFile(scratchFile(context), `${JSON.stringify({ by: signatureOf(work), decoded })}\n`)
  return decoded
}

async function samplesOf(wav: WavFile, window: SpeechWindow): Promise<Float32Array> {
  const samples = await wav.read(window.start, window.end)
  return Float32Array.from(samples, (sample) => sample / 32768)
}

/** Windows that an earlier, interrupted attempt at the same work finished. */
async function resumed(context: Context, work: Work): Promise<Map<string, DecodedWindow>> {
  const text = await readFile(scratchFile(context), 'utf8').catch(() => '')
  const done = new Map<string, DecodedWindow>()
  for (const line of text.split('\n')) {
    const kept = parsedLine(line)
    if (kept?.by === signatureOf(work) && Value.Check(DecodedWindow, kept.decoded))
      done.set(keyOf(kept.decoded), kept.decoded)
  }
  return done
}

function parsedLine(line: string): { by: unknown; decoded: unknown } | null {
  try {
    return line === '' ? null : (JSON.parse(line) as { by: unknown; decoded: unknown })
  } catch {
    // The last line of a killed attempt may be half written: that window is decoded again.
    return null
  }
}

function scratchFile(context: Context): string {
  return join(context.temporary, 'speech-windows.jsonl')
}

function signatureOf(work: Work): string {
  const told = work.prompt.used.length === 0 ? '' : `/${JSON.stringify(work.prompt.used)}`
  return `${work.model.name}/${work.language}/${JSON.stringify(work.model.dtype)}${told}`
}

function keyOf(window: { readonly start: number; readonly end: number }): string {
  return `${window.start}-${window.end}`
}
