/** What the studio's page of a run shows: its source, the clips that it found, decisions about them, picks. */
import { readyField } from '../promises/promised-times.ts'
import { existsSync } from 'node:fs'
import { refuse } from '../../contract/errors.ts'
import { isPlayed } from '../../contract/time-map/clip-times.ts'
import { joinWords } from '../../contract/join-words.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type {
  ClipRender,
  Pick as PresentedPick,
  ReviewClip,
  ReviewSource,
  ReviewTopic,
  ReviewTranscript,
  StudioReview,
} from '../../contract/review.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import { findOpenOperation, type Operation } from '../../db/operations.ts'
import { listPicks, type RunPick } from '../../db/picks.ts'
import { newestRenders } from '../../db/review.ts'
import { listRunClips, type RunClip } from '../../db/run-clips.ts'
import { getRunStage, listRunStages, type Run } from '../../db/runs.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import { presentRun, withReasons } from '../clips/studio-overview.ts'
import { iso } from '../moments.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import { readRunTranscript, registerArtefact, registerSource } from '../runs/finish-run.ts'
import { wordsOfRun } from '../runs/plan/plan-transcript.ts'
import { requireRun } from '../runs/runs.ts'
import type { Services } from '../services.ts'

type Deps = Omit<Services, 'jobs'>

export interface RunAddress {
  readonly companyId: string
  readonly runId: string
}

/** Throws TRIGGER_NOT_FOUND. */
export function readReview(services: Deps, address: RunAddress & { baseUrl: string }): StudioReview {
  const { companyId, runId, baseUrl } = address
  const { db } = services
  const run = requireRun(services, { companyId, triggerId: runId })
  const clips = listRunClips(db, run.id).filter(({ published }) => published)
  return {
    run: presentRun(services, run, clips.length),
    endsAt: run.snapshot.endsAt ?? 'rendered',
    isStopped: run.errorCode === 'CANCELLED',
    source: readSource(services, run, baseUrl),
    topics: readTopics(services, run),
    clips: presentClips(services, clips, baseUrl),
    picks: presentPicks(services, run.id),
  }
}

/** The chapters that the source itself names; else the topics that were found, those with a label. */
function readTopics({ db }: Deps, run: Run): ReviewTopic[] {
  const probe = getRunStage(db, run.id, 'probe')
  const { chapters = [] } = probe?.state === 'finished' ? (probe.output as SourceFacts) : {}
  if (chapters.length > 0)
    return chapters.map(({ start, end, title }) => ({
      start: ticksToSeconds(start),
      end: ticksToSeconds(end),
      title,
    }))
  const found = getRunStage(db, run.id, 'find-clips')
  if (found?.state !== 'finished') return []
  // Runs of earlier versions have none.
  const { topics = [] } = found.output as OutputOf<Stages['find-clips']>
  return topics.flatMap(({ label: title, start, end }) => (title === '' ? [] : { start, end, title }))
}

function readSource(services: Deps, run: Run, baseUrl: string): ReviewSource | null {
  const stages = listRunStages(services.db, run.id).filter(({ state }) => state === 'finished')
  const results = new Map(
    stages.map(({ slot, key, output }) => [slot, { state: 'finished' as const, key, output, failure: null }]),
  )
  const ingest = results.get('ingest')?.output as OutputOf<Stages['ingest']> | undefined
  const facts = results.get('probe')?.output as SourceFacts | undefined
  if (ingest === undefined || facts === undefined) return null
  const { companyId } = run
  const source = existsSync(sourcePath(services.home.sources, ingest.digest))
    ? registerSource(services, { companyId }, ingest)
    : null
  const peaks = results.get('peaks')
  const waveform =
    peaks === undefined ? null : registerPeaks(services, companyId, peaks.key, peaks.output as PeaksOutput)
  const addressOf = mediaAddresses(services, baseUrl, [source, waveform])
  return {
    name: ingest.displayName,
    durationSeconds: ticksToSeconds(facts.duration),
    picture: facts.video === null ? null : { width: facts.video.width, height: facts.video.height },
    url: addressOf(source) ?? null,
    mediaType: ingest.mediaType,
    peaksUrl: addressOf(waveform) ?? null,
    hasTranscript: wordsOfRun(results) !== null,
  }
}

type PeaksOutput = OutputOf<Stages['peaks']>

const registerPeaks = (services: Deps, companyId: string, key: string, { file }: PeaksOutput): string =>
  registerArtefact(services, {
    companyId,
    stage: 'peaks',
    key,
    file,
    name: 'peaks.dat',
    mediaType: 'application/octet-stream',
  })

/** Best first: by score, and by relevance as much where something was requested. */
function presentClips(services: Deps, clips: readonly RunClip[], baseUrl: string): ReviewClip[] {
  const ids = clips.map(({ id }) => id)
  const renders = newestRenders(services.db, ids)
  const rank = ({ document: { viralityScore, relevance } }: RunClip): number =>
    relevance === undefined ? viralityScore : (viralityScore + relevance) / 2
  const sorted = [...clips].sort((a, b) => rank(b) - rank(a) || a.pick - b.pick || a.ordinal - b.ordinal)
  const presented = withReasons(services, sorted, baseUrl)
  return sorted.flatMap((clip, place) => {
    const basic = presented[place]
    if (basic === undefined) return []
    const { review, keptOrder, pick, renderKey, renderedMedia } = clip
    return {
      ...basic,
      review,
      keptOrder,
      pick,
      firstLine: firstLineOf(clip),
      render: presentRender(services, renders.get(clip.id)),
      isOutdated: renderedMedia !== null && renderKey === null,
    }
  })
}

function presentRender(services: Deps, operation: Operation | undefined): ClipRender | null {
  if (operation === undefined) return null
  const { id: operationId, state, progress, failure } = operation
  const ready = readyField(services, 'render', operation.subjectId)
  return { operationId, state, progress, error: failure?.message ?? null, ...ready }
}

const MAX_LINE_WORDS = 24
const SENTENCE_END = /[.!?…。！？؟۔।]["”’»)\]]*$/u

/** The words that a clip begins with, up to the end of the sentence. */
function firstLineOf({ words, document }: Pick<RunClip, 'words' | 'document'>): string {
  const spoken = words.filter((word) => word.isDeleted !== true && isPlayed(document, word))
  const last = spoken.findIndex(({ word }) => SENTENCE_END.test(word))
  const count = Math.min(MAX_LINE_WORDS, last === -1 ? spoken.length : last + 1)
  return joinWords(spoken.slice(0, count).map(({ word }) => word))
}

function presentPicks({ db }: Pick<Deps, 'db'>, runId: string): PresentedPick[] {
  const progress = findOpenOperation(db, 'pick', runId)?.progress ?? 0
  return listPicks(db, runId).map((pick) => presentPick(pick, progress))
}

/** `progress`: of what carries out the open picks of its run. */
export function presentPick(pick: RunPick, progress: number): PresentedPick {
  const { id, runId, number, request, state, known, failure, createdAt } = pick
  return {
    id,
    runId,
    number,
    kind: request.kind,
    request,
    state,
    known: [...new Set((known ?? []).map(({ clipId }) => clipId))],
    error: failure?.message ?? null,
    errorCode: failure?.code ?? null,
    progress: state === 'open' ? progress : 1,
    createdAt: iso(createdAt),
  }
}

const DEFAULT_WORDS = 5000

/** Words of a run's whole source. Throws TRIGGER_NOT_FOUND, and NO_TRANSCRIPT where they are not there. */
export async function readSourceWords(
  services: Deps,
  { companyId, runId, from = 0, limit = DEFAULT_WORDS }: RunAddress & { from?: number; limit?: number },
): Promise<ReviewTranscript> {
  const run = requireRun(services, { companyId, triggerId: runId })
  const transcript =
    (await readRunTranscript(services, run.id, undefined)) ??
    refuse('NO_TRANSCRIPT', { message: 'The video has no transcript, or not yet.', details: { runId } })
  const { language, speakers = [], words } = transcript
  return {
    language,
    speakers,
    count: words.length,
    words: words.slice(from, from + limit).map(({ word, start, end, speaker }, place) => ({
      index: from + place,
      word,
      start,
      end,
      ...omitUndefined({ speaker }),
    })),
  }
}
