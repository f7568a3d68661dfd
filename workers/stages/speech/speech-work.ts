/** What decoding the whole sound and decoding one part of it have in common. */
import { join } from 'node:path'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { stageError, type StageContext } from '../context.ts'
import { readResult } from '../read-results.ts'
import { readStretches } from '../voice/read-stretches.ts'
import { samplesOf, type Work } from './decode-each.ts'
import type { DecoderSource, SpeechDecoder } from './decoder.ts'
import { planWindows, type SpeechWindow, type VoiceSegment } from './pure/plan-windows.ts'

export type SpeechContext = StageContext<'audio' | 'voice'>

/** Name of the file of decoded windows in the result of a part. */
export const WINDOWS_FILE = 'windows.jsonl'

export interface SpeechSound extends AsyncDisposable {
  readonly wav: WavFile
  readonly voice: readonly VoiceSegment[]
  /** All windows of the source, at least one. */
  readonly windows: readonly SpeechWindow[]
}

/** As far as decoding needs it. */
interface DecodedSound extends Pick<SpeechSound, 'windows'> {
  readonly wav: Pick<WavFile, 'read'>
}

/** Opens the sound with its windows. Throws NO_SPEECH where it is silent or has no voice. The caller closes it. */
export async function openSpeech(context: SpeechContext): Promise<SpeechSound> {
  const sound = await readResult(context, 'audio')
  if (sound.silent) throw stageError('NO_SPEECH', 'The sound of the video is silent throughout.')
  const voice = await readStretches(context)
  const wav = await openWav(join(context.input('audio'), sound.speechFile))
  const windows = planWindows(voice, wav.durationSeconds)
  const close = (): Promise<void> => wav[Symbol.asyncDispose]()
  if (windows.length === 0) {
    await close()
    throw stageError('NO_SPEECH', 'Nobody speaks in the video: no voice was found in its sound.')
  }
  return { wav, voice, windows, [Symbol.asyncDispose]: close }
}

/** Loads the model; the language is that of the whole source, whichever part is decoded. */
export async function prepareDecoder(
  context: Pick<SpeechContext, 'progress'>,
  params: { readonly language: string; readonly keywords: readonly string[] },
  { source, sound }: { readonly source: DecoderSource; readonly sound: DecodedSound },
): Promise<Pick<Work, 'language' | 'prompt'> & { readonly decoder: SpeechDecoder }> {
  context.progress(0, `Loading ${source.name}`)
  const decoder = await source.open()
  const language = await chooseLanguage(decoder, params.language, sound)
  return { decoder, language, prompt: decoder.prompt(params.keywords) }
}

/** The requested language, or the one detected in the longest of the first windows. */
async function chooseLanguage(
  decoder: SpeechDecoder,
  requested: string,
  { windows, wav }: DecodedSound,
): Promise<string> {
  const code = requested.toLowerCase().split('-')[0] ?? ''
  if (code !== '' && code !== 'und') return code
  const longest = windows.slice(0, 5).reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a))
  return decoder.detectLanguage(await samplesOf(wav, longest))
}

/** Files of windows that were decoded in parts, ahead or by other nodes. */
export const decodedBefore = ({ parts = [] }: Pick<SpeechContext, 'parts'>): string[] =>
  parts.map((folder) => join(folder, WINDOWS_FILE))

/** Where decoded windows outlive an interruption. */
export function scratchFile(context: Pick<SpeechContext, 'temporary'>): string {
  return join(context.temporary, 'speech-windows.jsonl')
}
