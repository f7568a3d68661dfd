/** Decodes the windows of one part of a source whose end is still on its way. */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findVoiceModel } from '../../inference/find-model.ts'
import { CARRIED, detectVoiceByModel, type VoicePage } from '../../inference/voice-activity.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { stageError, type StageContext, type StageHandler } from '../context.ts'
import { readResult } from '../read-results.ts'
import { decodeEach } from '../speech/decode-each.ts'
import { findLocalDecoder } from '../speech/local-decoder.ts'
import { PART_SECONDS, partOf, planWindows, voiceSegments } from '../speech/pure/plan-windows.ts'
import { prepareDecoder, scratchFile, WINDOWS_FILE } from '../speech/speech-work.ts'

const VOICE_FILE = 'voice.f32'

type Context = StageContext<'source' | 'before'>

export const runSpeechAhead: StageHandler<'speech-ahead'> = async (context, params) => {
  const { part, keywords, model } = params
  const source = await findLocalDecoder(context, model)
  await using piece = await openWav(context.input('source'))
  const from = part * PART_SECONDS
  const before = context.hasInput('before') ? await readResult(context, 'before') : null
  const voice = await followVoice(context, piece, part)
  await writeFloats(join(context.folder, VOICE_FILE), voice.carried)
  const segments = voiceSegments(voice.probabilities, voice.frameSeconds)
  const windows = planWindows(segments, from + piece.durationSeconds).filter(
    (window) => partOf(window) === part,
  )
  const windowsFile = join(context.folder, WINDOWS_FILE)
  let language = before?.language ?? ''
  if (windows.length === 0) await writeFile(windowsFile, '')
  else {
    const wav = shiftedBy(piece, from)
    const asked = { keywords, language: params.language === '' ? language : params.language }
    const prepared = await prepareDecoder(context, asked, { source, sound: { wav, windows } })
    language = prepared.language
    const scratch = scratchFile(context)
    const onDone = (count: number): void => context.progress(count / windows.length)
    await decodeEach({ ...prepared, wav, windows }, { scratch, context, onDone })
    await copyFile(scratch, windowsFile)
  }
  return { windowsFile: WINDOWS_FILE, windowCount: windows.length, language, voiceFile: VOICE_FILE }
}

/** Times of the whole source for a piece that begins at `from` seconds. */
const shiftedBy = (piece: WavFile, from: number): Pick<WavFile, 'read' | 'features'> => ({
  read: (start, end) => piece.read(start - from, end - from),
  features: (start, end) => piece.features(start - from, end - from),
})

/** The voice of each frame from the beginning of the source to the end of the piece, and what the next part begins with. */
async function followVoice(context: Context, piece: WavFile, part: number) {
  const model = await findVoiceModel(context.modelFolders)
  if (model === null)
    throw stageError('MODEL_NOT_INSTALLED', 'Without the voice activity model nothing is heard ahead.')
  const known = part === 0 ? null : await readCarried(context)
  const pages: VoicePage[] = []
  const { probabilities, frameSeconds } = await detectVoiceByModel(
    piece,
    model,
    {
      signal: context.signal,
      onProgress: () => undefined,
      onPage: (page) => void pages.push(page),
      ...(known === null ? {} : { before: known }),
    },
    context,
  )
  const ofPart = Math.round(PART_SECONDS / frameSeconds)
  let frames = 0
  const last = pages.find((page) => (frames += page.probabilities.length) >= ofPart)
  if (last === undefined || frames !== ofPart)
    throw stageError('STAGE_FAILED', 'The piece of sound is shorter than the part that it is of.')
  const earlier = known?.probabilities ?? new Float32Array(0)
  return {
    probabilities: Float32Array.from([...earlier, ...probabilities]),
    carried: [last.state, last.context, earlier, probabilities.subarray(0, ofPart)],
    frameSeconds,
  }
}

async function readCarried(context: Context): Promise<VoicePage> {
  const { voiceFile } = await readResult(context, 'before')
  const bytes = await readFile(join(context.input('before'), voiceFile))
  const floats = new Float32Array(Uint8Array.from(bytes).buffer)
  const probabilitiesAt = CARRIED.state + CARRIED.context
  return {
    state: floats.slice(0, CARRIED.state),
    context: floats.slice(CARRIED.state, probabilitiesAt),
    probabilities: floats.slice(probabilitiesAt),
  }
}

const writeFloats = (path: string, lists: readonly Float32Array[]): Promise<void> =>
  writeFile(
    path,
    Buffer.concat(
      lists.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
    ),
  )
