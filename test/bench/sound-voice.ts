/** Voice activity against the aligned words of known recordings, at several levels of noise. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findVoiceModel } from '../../workers/inference/find-model.ts'
import { detectVoiceByLevel, detectVoiceByModel } from '../../workers/inference/voice-activity.ts'
import { openWav } from '../../workers/inference/wav-file.ts'
import { voiceSegments, type VoiceSegment } from '../../workers/stages/speech/pure/plan-windows.ts'
import { alignedWords, media, modelFolders, RATE, samplesOf, timed, times } from './media.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'
import { wavFile } from '../support/wav.ts'

/** Pauses shorter than this are part of speaking. */
const PAUSE_SECONDS = 0.2
/** What is between the recordings, where there is only noise. */
const GAP_SECONDS = 4
const RECORDINGS = [
  ['flite_rms_gettysburg', 'wav'],
  ['flite_slt_alice', 'wav'],
  ['jfk', 'flac'],
] as const
const NOISES = { pink: 'anoisesrc=color=pink', white: 'anoisesrc=color=white' } as const
const LEVELS = [null, 20, 10, 0] as const

interface Speech {
  readonly samples: Int16Array
  readonly spoken: readonly VoiceSegment[]
}

/** Leaves its files in `folder`. Null where no model for voices is installed. */
export async function voiceTable(folder: string, say: (line: string) => void): Promise<FigureTable | null> {
  const model = await findVoiceModel(modelFolders())
  if (model === null) return null
  const speech = await speechInARow()
  const seconds = speech.samples.length / RATE
  const rows: string[][] = []
  const speeds: number[] = []
  for (const [colour, source] of Object.entries(NOISES)) {
    const noise = await samplesOf(`${source}:r=${RATE}:d=${Math.ceil(seconds)}:seed=1`, true)
    for (const level of LEVELS) {
      if (level === null && rows.length > 0) continue
      const name = level === null ? 'clean' : `${colour} noise, ${level} dB`
      say(`voices, ${name}`)
      const file = join(folder, 'voice.wav')
      await writeFile(file, wavFile(level === null ? speech.samples : mixed(speech, noise, level)))
      const wav = await openWav(file)
      const listening = { signal: new AbortController().signal, onProgress: () => undefined }
      try {
        const wish = { inference: 'cpu' as const, warn: say }
        const { result, speed } = await timed(seconds, () => detectVoiceByModel(wav, model, listening, wish))
        speeds.push(speed)
        const byLevel = await detectVoiceByLevel(wav, listening)
        const [learnt, loud] = [result, byLevel].map(({ probabilities, frameSeconds }) =>
          compare(speech.spoken, voiceSegments(probabilities, frameSeconds), seconds),
        )
        rows.push([name, ...cells(learnt), ...cells(loud)])
      } finally {
        await wav.close()
      }
    }
  }
  return {
    title: 'Voice activity',
    columns: ['sound', `${model.name}: missed`, 'false alarm', 'by level alone: missed', 'false alarm'],
    rows,
    notes: [
      `${seconds.toFixed(0)} s: three recordings with ${GAP_SECONDS} s between them in which nobody speaks. Missed is a share of all speech, false alarm of all that is not speech; in steps of 10 ms, without a collar; pauses under ${PAUSE_SECONDS} s count as speech. Noise is so far below the speech itself.`,
      `Speed of ${model.name}: ${times(speeds.toSorted((a, b) => a - b)[speeds.length >> 1] ?? NaN)} real time on one core.`,
    ],
  }
}

const cells = (scores: { missed: number; falseAlarm: number } | undefined): string[] =>
  scores === undefined ? ['', ''] : [percent(scores.missed), percent(scores.falseAlarm)]

async function speechInARow(): Promise<Speech> {
  const gap = new Int16Array(GAP_SECONDS * RATE)
  const parts: Int16Array[] = [gap]
  const spoken: { start: number; end: number }[] = []
  for (const [name, ending] of RECORDINGS) {
    const from = parts.reduce((sum, { length }) => sum + length, 0) / RATE
    for (const { start, end } of await alignedWords(name)) {
      const last = spoken.at(-1)
      if (last !== undefined && from + start - last.end < PAUSE_SECONDS) last.end = from + end
      else spoken.push({ start: from + start, end: from + end })
    }
    parts.push(await samplesOf(media(`${name}.${ending}`)), gap)
  }
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  return { samples, spoken }
}

/** Speech with noise that is `decibels` below it; power of the speech is that of its spoken parts. */
function mixed({ samples, spoken }: Speech, noise: Int16Array, decibels: number): Int16Array {
  const inSpeech = spoken.map(({ start, end }) =>
    samples.subarray(Math.round(start * RATE), Math.round(end * RATE)),
  )
  const gain = Math.sqrt(power(inSpeech) / power([noise])) * 10 ** (-decibels / 20)
  // Both are made quieter together where their sum would be cut off.
  const loudest = samples.reduce(
    (most, value, at) => Math.max(most, Math.abs(value + gain * (noise[at] ?? 0))),
    0,
  )
  const fit = Math.min(1, 32_000 / loudest)
  return samples.map((value, at) => Math.round(fit * (value + gain * (noise[at] ?? 0))))
}

function power(parts: readonly Int16Array[]): number {
  let sum = 0
  let count = 0
  for (const part of parts) for (const value of part) sum += value * value
  for (const part of parts) count += part.length
  return sum / Math.max(1, count)
}

function compare(
  spoken: readonly VoiceSegment[],
  heard: readonly VoiceSegment[],
  seconds: number,
): { missed: number; falseAlarm: number } {
  const inside = (segments: readonly VoiceSegment[], time: number): boolean =>
    segments.some(({ start, end }) => time >= start && time < end)
  const counts = { spoken: 0, missed: 0, silent: 0, falseAlarm: 0 }
  for (let step = 0; step < seconds * 100; step++) {
    const time = (step + 0.5) / 100
    const real = inside(spoken, time)
    const taken = inside(heard, time)
    if (real) counts.spoken += 1
    else counts.silent += 1
    if (real && !taken) counts.missed += 1
    if (!real && taken) counts.falseAlarm += 1
  }
  return { missed: counts.missed / counts.spoken, falseAlarm: counts.falseAlarm / counts.silent }
}
