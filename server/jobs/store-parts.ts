/** What stages deliver while they run, and what a source is remembered by, as rows. */
import { rm } from 'node:fs/promises'
import { saveStageFinished, saveStageStarted, setRunSource, type Run, type RunStage } from '../db/runs.ts'
import { saveSource } from '../db/sources.ts'
import { isPieceSlot, pieceSlot } from '../domain/runs/plan/plan-ahead.ts'
import { chunkSlot } from '../domain/runs/plan/plan-draft.ts'
import type { Services } from '../domain/services.ts'
import { sourcePath } from '../../workers/artefacts.ts'
import type { StageName, Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import type { RecordedChunk } from '../../workers/stages/record/declaration.ts'
import type { SoundPiece } from '../../workers/stages/speech-ahead/declaration.ts'

type Deps = Pick<Services, 'db' | 'now'>

/** Stores a part of the output of a stage, once, as a finished slot of the plan. `key`: of the stage. */
export function storePart(deps: Deps, run: Run, stage: StageName, key: string, part: unknown): void {
  if (stage === 'ingest') storePiece(deps, run, key, part as SoundPiece)
  else storeChunk(deps, run, key, part as RecordedChunk)
}

/** Stores a delivered chunk of a recording, also as a source. */
export function storeChunk({ db, now }: Deps, run: Run, key: string, chunk: RecordedChunk): void {
  const slot = chunkSlot(chunk.index)
  const place = { runId: run.id, slot, now: now() }
  if (saveStageStarted(db, { ...place, stage: 'record', key }) === null) return
  const finished = { ...place, output: chunk, reused: false, milliseconds: 0, warnings: [] }
  saveStageFinished(db, finished, () => {
    const { digest, bytes, mediaType } = chunk
    saveSource(db, { digest, bytes, mediaType, url: null, etag: null, lastModified: null, now: now() })
    if (chunk.index === 0) setRunSource(db, run.id, digest)
  })
}

/** Stores a piece of sound that a download has delivered. */
function storePiece({ db, now }: Deps, run: Run, key: string, piece: SoundPiece): void {
  const place = { runId: run.id, slot: pieceSlot(piece.part), now: now() }
  if (saveStageStarted(db, { ...place, stage: 'ingest', key }) === null) return
  saveStageFinished(db, { ...place, output: piece, reused: false, milliseconds: 0, warnings: [] })
}

/** Removes the pieces of sound of a run that has ended: no table lists them, and nobody asks for them any more. */
export async function removePieces(
  { home, store }: Pick<Services, 'home' | 'store'>,
  stages: readonly Pick<RunStage, 'slot' | 'output'>[],
): Promise<void> {
  for (const { slot, output } of stages) {
    if (!isPieceSlot(slot)) continue
    const path = sourcePath(home.sources, (output as SoundPiece).digest)
    await rm(path, { force: true })
    store?.remove(path)
  }
}

/** Call this in the transaction that stores the result of `ingest`. */
export function rememberSource({ db, now }: Deps, run: Run, output: OutputOf<Stages['ingest']>): void {
  const { digest, bytes, mediaType, etag, lastModified } = output
  const url = run.snapshot.source.kind === 'url' ? run.snapshot.source.url : null
  saveSource(db, { digest, bytes, mediaType, url, etag, lastModified, now: now() })
  setRunSource(db, run.id, digest)
}
