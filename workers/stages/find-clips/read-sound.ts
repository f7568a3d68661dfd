/** Reads what earlier stages measured of the sound, and measures the pitch of voices page by page. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { SoundEvent } from '../../../server/contract/source-facts.ts'
import { throwIfCancelled } from '../../inference/cancel.ts'
import { openWav } from '../../inference/wav-file.ts'
import type { audio } from '../audio/declaration.ts'
import { stageError, type StageContext } from '../context.ts'
import type { OutputOf } from '../declare.ts'
import type { soundEvents } from '../sound-events/declaration.ts'
import type { DetectedSound } from './pure/sound-cues.ts'
import { PITCH_HOP_SECONDS, pitchesOf } from './pure/voice-pitch.ts'

type Context = StageContext<'transcript' | 'audio' | 'events' | 'picture'>

/** Seconds of sound in memory at once. */
const PAGE_SECONDS = 60
/** Measuring the pitch at the end of a page needs some of the next one. */
const OVERLAP_SECONDS = 0.1

/** Null where there is no sound, or only silence. */
export async function readSound(context: Context): Promise<DetectedSound | null> {
  if (!context.hasInput('audio')) return null
  const sound = (await context.inputResult('audio')) as OutputOf<typeof audio>
  if (sound.silent) return null
  const folder = context.input('audio')
  return {
    envelope: await readEnvelope(join(folder, sound.envelopeFile)),
    envelopeHopSeconds: sound.envelopeHopSeconds,
    speechLevelDb: sound.speechLevelDb,
    noiseLevelDb: sound.noiseLevelDb,
    pitches: await readPitches(context, join(folder, sound.speechFile)),
    events: await readEvents(context),
  }
}

async function readEnvelope(path: string): Promise<Float32Array> {
  const bytes = await readFile(path)
  // Copied, because the values must begin at an aligned address.
  return new Float32Array(new Uint8Array(bytes).buffer, 0, bytes.length >> 2)
}

async function readPitches(context: Context, path: string): Promise<Float32Array> {
  const wav = await openWav(path)
  try {
    const pitches = new Float32Array(Math.ceil(wav.durationSeconds / PITCH_HOP_SECONDS))
    for (let start = 0; start < wav.durationSeconds; start += PAGE_SECONDS) {
      throwIfCancelled(context.signal)
      context.progress((start / wav.durationSeconds) * 0.8, 'Listening to the voices')
      const samples = await wav.read(start, start + PAGE_SECONDS + OVERLAP_SECONDS)
      const page = pitchesOf(samples, wav.sampleRate)
      const at = Math.round(start / PITCH_HOP_SECONDS)
      pitches.set(page.subarray(0, Math.min(PAGE_SECONDS / PITCH_HOP_SECONDS, pitches.length - at)), at)
    }
    return pitches
  } finally {
    await wav.close()
  }
}

async function readEvents(context: Context): Promise<SoundEvent[]> {
  if (!context.hasInput('events')) return []
  const made = (await context.inputResult('events')) as OutputOf<typeof soundEvents>
  const parsed: unknown = JSON.parse(await readFile(join(context.input('events'), made.eventsFile), 'utf8'))
  if (!Value.Check(Type.Array(SoundEvent), parsed)) {
    throw stageError(
      'STAGE_FAILED',
      'The sound events of an earlier step cannot be read. Run the workflow again.',
    )
  }
  return parsed
}
