/** Speakers: hears the sound in overlapping windows, follows voices through them, gives each word its speaker. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Provider } from '../../../server/contract/inference.ts'
import type { Transcript } from '../../../server/contract/transcript.ts'
import type { InstalledModel } from '../../../models/installed.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { findSpeakerModel } from '../../inference/find-model.ts'
import { loadSpeakerSegmentation } from '../../inference/speaker-segmentation.ts'
import { openWav, type WavFile } from '../../inference/wav-file.ts'
import { orDiskFull } from '../../media/disk.ts'
import type { audio } from '../audio/declaration.ts'
import type { captions } from '../captions/declaration.ts'
import type { StageContext, StageHandler } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import { chainVoices, ownFrames, type Chain } from './pure/chains.ts'
import { groupChains, type SoundingChain } from './pure/cluster.ts'
import { STEP_SECONDS, WINDOW_SECONDS, type HeardWindow } from './pure/segments.ts'
import { speakersOfWords, turnsOf, turnsOfWords, type Turn } from './pure/turns.ts'
import { addCepstra, cepstra, HOP, noCepstra } from './pure/voiceprint.ts'

const FILE = 'transcript.json'
const TURNS = 'turns.json'
const RATE = 16_000
/** Share of the progress that listening takes; the rest is telling voices apart. */
const LISTENING = 0.8

type Context = StageContext<'transcript' | 'audio'>

export const runSpeakers: StageHandler<'speakers'> = async (context, params) => {
  const model = await findSpeakerModel(context.modelFolders)
  const words = (await context.inputResult('transcript')) as OutputOf<typeof captions>
  const text = await readFile(join(context.input('transcript'), words.transcriptFile), 'utf8')
  const transcript = JSON.parse(text) as Transcript
  const told = transcript.words.some(({ speaker }) => speaker !== undefined)
  const heard = told ? null : await hearTurns(context, params.count, model)
  const turns = heard === null ? turnsOfWords(transcript.words) : heard.turns
  const result: Transcript = told
    ? transcript
    : { ...transcript, words: speakersOfWords(transcript.words, turns) }
  try {
    await writeFile(join(context.folder, FILE), JSON.stringify(result))
    await writeFile(join(context.folder, TURNS), JSON.stringify(turns))
  } catch (error) {
    throw orDiskFull(error)
  }
  return {
    ...{ transcriptFile: FILE, wordCount: result.words.length, language: result.language },
    ...{ turnsFile: TURNS, speakers: new Set(turns.map(({ speaker }) => speaker)).size, model: model.name },
    ...(heard === null ? {} : { provider: heard.provider }),
  }
}

async function hearTurns(
  context: Context,
  count: number,
  model: InstalledModel,
): Promise<{ turns: Turn[]; provider: Provider }> {
  const sound = (await context.inputResult('audio')) as OutputOf<typeof audio>
  const wav = await openWav(join(context.input('audio'), sound.speechFile))
  try {
    const segmentation = await loadSpeakerSegmentation(model, context)
    const { provider } = segmentation
    const windows = await listen(context, wav, (samples, start) => segmentation.hear(samples, start)).finally(
      () => segmentation.close(),
    )
    const chains = await soundsOf(context, wav, windows, chainVoices(windows))
    return { turns: turnsOf(windows, chains, groupChains(chains, count)), provider }
  } finally {
    await wav.close()
  }
}

async function listen(
  context: Context,
  wav: WavFile,
  hear: (samples: Int16Array, startSeconds: number) => Promise<HeardWindow>,
): Promise<HeardWindow[]> {
  const windows: HeardWindow[] = []
  for (let start = 0; ; start += STEP_SECONDS) {
    throwIfCancelled(context.signal)
    context.progress(LISTENING * Math.min(1, start / Math.max(1, wav.durationSeconds)))
    windows.push(await hear(await wav.read(start, start + WINDOW_SECONDS), start))
    if (start + WINDOW_SECONDS >= wav.durationSeconds) return windows
  }
}

/** How each chain sounds where it is heard alone. Reads the sound window by window: memory stays flat. */
async function soundsOf(
  context: Context,
  wav: WavFile,
  windows: readonly HeardWindow[],
  chains: readonly Chain[],
): Promise<SoundingChain[]> {
  const sounding = chains.map((chain) => ({ ...chain, print: noCepstra(), seconds: 0 }))
  const owner = new Map(
    sounding.flatMap((chain) =>
      chain.parts.map(({ window, voice }) => [`${window}:${voice}`, chain] as const),
    ),
  )
  for (const [window, heard] of windows.entries()) {
    throwIfCancelled(context.signal)
    context.progress(LISTENING + (1 - LISTENING) * (window / windows.length))
    const { from, to } = ownFrames(windows, window)
    const rows = cepstra(await wav.read(heard.startSeconds, heard.startSeconds + WINDOW_SECONDS))
    const hopSeconds = HOP / RATE
    for (let frame = from; frame < to; frame += 1) {
      const voices = heard.active.flatMap((line, voice) => (line[frame] === 1 ? [voice] : []))
      for (const voice of voices) {
        const chain = owner.get(`${window}:${voice}`)
        if (chain === undefined) continue
        chain.seconds += heard.frameSeconds
        const row = Math.round((frame * heard.frameSeconds) / hopSeconds)
        if (voices.length === 1 && (row + 1) * 13 <= rows.length) addCepstra(chain.print, rows, row)
      }
    }
  }
  return sounding
}
