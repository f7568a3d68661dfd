/** Sound levels of a clip's extended range, small enough to be stored in the clip's document. */
import { join } from 'node:path'
import { encodeLevels, type ClipSound } from '../../contract/clip-measurements.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { Transcript } from '../../contract/transcript.ts'
import { getRunStage } from '../../db/runs.ts'
import { artefactFolder } from '../../../workers/artefacts.ts'
import { readEnvelope } from '../../../workers/stages/read-results.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import type { HomeServices, Services } from '../services.ts'
import { slotIn } from './plan/plan-draft.ts'

type AudioOutput = OutputOf<Stages['audio']>

/** Envelope values per hop of a clip's levels. The loudest counts, so that a silent hop is silent throughout. */
const VALUES_PER_HOP = 2

interface Range {
  /** Seconds in the source. */
  readonly start: number
  readonly end: number
}

/**
 * Levels of a range from a finished audio stage, with the fillers that its transcript left out. Reads only that part of its
 * envelope.
 */
export async function measureSound(
  services: Pick<Services, 'home'>,
  audio: { key: string; output: AudioOutput },
  range: Range,
  transcript: Pick<Transcript, 'fillers'> | null = null,
): Promise<ClipSound> {
  const { envelopeFile, envelopeHopSeconds, speechLevelDb, noiseLevelDb } = audio.output
  const hopSeconds = envelopeHopSeconds * VALUES_PER_HOP
  const first = Math.max(0, Math.floor(range.start / hopSeconds))
  const hops = Math.max(0, Math.ceil(range.end / hopSeconds) - first)
  const path = join(artefactFolder(services.home.artefacts, 'audio', audio.key), envelopeFile)
  const values = await readEnvelope(path, first * VALUES_PER_HOP, hops * VALUES_PER_HOP)
  const levels: number[] = []
  for (let at = 0; at < values.length; at += VALUES_PER_HOP) {
    levels.push(Math.max(...values.subarray(at, at + VALUES_PER_HOP)))
  }
  const fillers = transcript?.fillers?.filter(({ start, end }) => start >= range.start && end <= range.end)
  const start = first * hopSeconds
  const measured = { start, hopSeconds, levels: encodeLevels(levels), speechLevelDb, noiseLevelDb }
  return { ...measured, ...omitUndefined({ fillers }) }
}

/** The same for a clip whose run has ended; null when the run, its sound or the file no longer exists. */
export async function measureSoundOfRun(
  services: HomeServices,
  runId: string | null,
  chunkIndex: number | undefined,
  range: Range,
  transcript: Pick<Transcript, 'fillers'> | null,
): Promise<ClipSound | null> {
  const stage = runId === null ? null : getRunStage(services.db, runId, slotIn(chunkIndex, 'audio'))
  if (stage?.state !== 'finished') return null
  try {
    return await measureSound(
      services,
      { key: stage.key, output: stage.output as AudioOutput },
      range,
      transcript,
    )
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
