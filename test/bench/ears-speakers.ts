/** Who speaks when: diarization error on recordings whose turns are known. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runSpeakers } from '../../workers/stages/speakers/stage.ts'
import type { Turn } from '../../workers/stages/speakers/pure/turns.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { alignedWords, media, modelFolders, RATE, samplesOf, timed, times } from './media.ts'
import { diarizationError, type SpokenTurn } from './measure/diarization.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'
import { wavFile } from '../support/wav.ts'

type Handler = Parameters<typeof runStageForTest>[0]

interface Talk {
  readonly name: string
  readonly file: string
  readonly seconds: number
  readonly turns: readonly SpokenTurn<string>[]
}

const VOICES = { rms: 'flite_rms_gettysburg.wav', slt: 'flite_slt_alice.wav', jfk: 'jfk.flac' } as const
type Voice = keyof typeof VOICES
const SILENCE_SECONDS = 0.4

/** Leaves its files in `folder`. */
export async function speakersTable(folder: string, say: (line: string) => void): Promise<FigureTable> {
  const talks = [
    await twoVoices(),
    await turnsOf(
      folder,
      'two voices, turns of 2 s',
      ['rms', 'slt', 'rms', 'slt', 'rms', 'slt', 'rms', 'slt'],
      2,
    ),
    await turnsOf(
      folder,
      'three voices, turns of 4 s',
      ['rms', 'slt', 'jfk', 'slt', 'rms', 'jfk', 'rms', 'slt'],
      4,
    ),
    await turnsOf(folder, 'one voice', ['slt', 'slt', 'slt', 'slt'], 8),
  ]
  const rows: string[][] = []
  const speeds: number[] = []
  for (const [at, talk] of talks.entries()) {
    const voices = new Set(talk.turns.map(({ speaker }) => speaker)).size
    for (const count of [0, voices]) {
      say(`speakers, ${talk.name}${count === 0 ? '' : ', count given'}`)
      const { turns, speed } = await hear(join(folder, `${at}-${count}`), talk, count)
      speeds.push(speed)
      const { error, missed, falseAlarm, confused } = diarizationError(talk.turns, turns, talk.seconds)
      const heard = new Set(turns.map(({ speaker }) => speaker)).size
      rows.push([
        ...[talk.name, count === 0 ? 'no' : 'yes', `${heard} of ${voices}`],
        ...[error, missed, falseAlarm, confused].map((share) => percent(share)),
      ])
    }
  }
  return {
    title: 'Who speaks when',
    columns: ['recording', 'count given', 'voices found', 'error', 'missed', 'false alarm', 'wrong voice'],
    rows,
    notes: [
      'Diarization error: shares of all spoken time, in steps of 10 ms, with a collar of 0.25 s around each edge of a turn. Two of the voices are synthetic, the third is a recording of 1961; none talk at once. Meetings with overlap are far harder: above 50 % was measured on one of four people before this stage was built.',
      `Speed: ${times(speeds.toSorted((a, b) => a - b)[speeds.length >> 1] ?? NaN)} real time on one core.`,
    ],
  }
}

async function twoVoices(): Promise<Talk> {
  const text = await readFile(media('two_speakers_flite.json'), 'utf8')
  const { turns } = JSON.parse(text) as { turns: SpokenTurn<string>[] }
  const file = media('two_speakers_flite.wav')
  return { name: 'two voices, turns of 4 s', file, seconds: (await samplesOf(file)).length / RATE, turns }
}

/** Whole words of each voice's own recording in turns of about so many seconds. */
async function turnsOf(folder: string, name: string, order: readonly Voice[], length: number): Promise<Talk> {
  const next = new Map<Voice, number>()
  const parts: Int16Array[] = []
  const turns: SpokenTurn<string>[] = []
  let at = 0
  const add = (samples: Int16Array): void => {
    parts.push(samples)
    at += samples.length / RATE
  }
  for (const speaker of order) {
    const file = VOICES[speaker]
    const samples = await samplesOf(media(file))
    const words = await alignedWords(file.replace(/\.\w+$/, ''))
    const rest = words.filter(({ start }) => start >= (next.get(speaker) ?? 0))
    const begin = rest[0]?.start ?? 0
    const end = rest.findLast((word) => word.end <= begin + length)?.end ?? begin + length
    next.set(speaker, end)
    add(new Int16Array(SILENCE_SECONDS * RATE))
    turns.push({ speaker, start: at, end: at + end - begin })
    add(samples.slice(Math.round(begin * RATE), Math.round(end * RATE)))
  }
  add(new Int16Array(SILENCE_SECONDS * RATE))
  const file = join(folder, `${name.replace(/\W+/g, '-')}.wav`)
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)))
  await writeFile(
    file,
    wavFile(new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))),
  )
  return { name, file, seconds: at, turns }
}

async function hear(root: string, talk: Talk, count: number): Promise<{ turns: Turn[]; speed: number }> {
  const inputs = { source: talk.file }
  const given = { streamIndex: 0, durationSeconds: talk.seconds }
  const sound = await runStageForTest(runAudio as Handler, given, { inputs, root: join(root, 'audio') })
  const words = join(root, 'words')
  await mkdir(words)
  const transcript = { origin: 'speech-model', language: 'en', detail: '', words: [] }
  await writeFile(join(words, 'transcript.json'), JSON.stringify(transcript))
  const { result, speed } = await timed(talk.seconds, () =>
    runStageForTest(
      runSpeakers as Handler,
      { count },
      {
        root: join(root, 'speakers'),
        inputs: { audio: sound.folder, transcript: words },
        results: { audio: sound.output, transcript: { transcriptFile: 'transcript.json', wordCount: 0 } },
        modelFolders: modelFolders(),
      },
    ),
  )
  const text = await readFile(join(result.folder, 'turns.json'), 'utf8')
  return { turns: JSON.parse(text) as Turn[], speed }
}
