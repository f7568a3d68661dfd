/**
 * Voices that a company has named, so that they are recognised in later sources. A voice identifies a person, so it is stored
 * only where the company has turned this on, sealed like other secrets, and all are deleted when it is turned off.
 */
import { isLonger } from '../../contract/characters.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import type { NamedVoice } from '../../contract/voices.ts'
import {
  deleteNamedVoice,
  deleteNamedVoices,
  findNamedVoice,
  insertNamedVoice,
  listNamedVoices,
  updateNamedVoice,
  type NamedVoiceRow,
} from '../../db/named-voices.ts'
import { updateCompany } from '../../db/companies.ts'
import { inTransaction } from '../../db/prepared.ts'
import { listRunStages } from '../../db/runs.ts'
import { newId } from '../../ids.ts'
import { isKeyTrouble, sealSecret } from '../../secrets.ts'
import { compareVoices, type SpeakerVoice } from '../../../workers/stages/speakers/pure/voices.ts'
import { requireClip } from '../clips/get-clip.ts'
import { requireCompany } from '../people/companies.ts'
import { slotIn } from '../runs/plan/plan-draft.ts'
import { SPEAKERS_SLOT } from '../runs/plan/plan-transcript.ts'
import { requireRun } from '../runs/runs.ts'
import type { DbServices, HomeServices, Services } from '../services.ts'
import { MIN_NAMED_SECONDS, type NamedVoiceprint } from './match-names.ts'
import { openVoice, purposeOf, readVoices, thresholdOf } from './recognise.ts'

type Deps = Pick<Services, 'db' | 'home' | 'now'>

/** Voices of a clip or run; `speaker` as the words have it, from 0. */
export interface VoiceSource {
  readonly companyId: string
  readonly clipId?: string | undefined
  readonly runId?: string | undefined
  readonly speaker: number
}

const iso = (time: number): string => new Date(time).toISOString()

function present(row: NamedVoiceRow, opened: NamedVoiceprint | null): NamedVoice {
  const { id, model, createdAt } = row
  return {
    id,
    name: opened?.name ?? null,
    model,
    seconds: opened?.seconds ?? null,
    createdAt: iso(createdAt),
  }
}

/** Oldest first; the name of a voice that cannot be opened is null. */
export function listVoices(services: HomeServices, companyId: string): NamedVoice[] {
  requireCompany(services, companyId)
  return listNamedVoices(services.db, companyId).map((row) => present(row, openIfPossible(services, row)))
}

function openIfPossible(services: HomeServices, row: NamedVoiceRow): NamedVoiceprint | null {
  try {
    return openVoice(services, row)
  } catch (error) {
    if (isKeyTrouble(error)) return null
    throw error
  }
}

/** Turns recognition on or off for a company. Off deletes every named voice of it. Throws COMPANY_NOT_FOUND. */
export function setVoiceRecognition(
  services: DbServices,
  companyId: string,
  recogniseVoices: boolean,
): { recognise: boolean; deleted: number } {
  requireCompany(services, companyId)
  return inTransaction(services.db, () => {
    updateCompany(services.db, companyId, { recogniseVoices })
    const deleted = recogniseVoices ? 0 : listNamedVoices(services.db, companyId).length
    if (!recogniseVoices) deleteNamedVoices(services.db, companyId)
    return { recognise: recogniseVoices, deleted }
  })
}

/**
 * Names the voice of a speaker; a voice that has this name already is replaced. Throws INVALID_STATE where recognition is
 * off, there is no measured voice or too little of it, or the voice has another name; CLIP_NOT_FOUND, TRIGGER_NOT_FOUND,
 * INVALID_REQUEST, SECRETS_KEY_UNAVAILABLE.
 */
export function nameVoice(services: Deps, input: VoiceSource & { name: string }): NamedVoice {
  const { db, now, home } = services
  const { companyId } = input
  const name = readName(input.name)
  if (!requireCompany(services, companyId).recogniseVoices)
    throw new AppError(
      'INVALID_STATE',
      'Recognising voices by name is off for this company. An owner turns it on in the settings, under Voices.',
    )
  const { speaker: _speaker, model, ...measured } = requireVoice(services, input)
  return inTransaction(db, () => {
    const known = listNamedVoices(db, companyId).map((row) => ({ row, opened: openVoice(services, row) }))
    const same = known.find(({ opened }) => opened?.name === name)
    refuseOtherName(known, { ...measured, model, name })
    const id = same?.row.id ?? newId()
    const sealedVoice = sealSecret(home, purposeOf(id), JSON.stringify({ ...measured, name }))
    const row = {
      id,
      companyId,
      model,
      sealedVoice,
      createdAt: same?.row.createdAt ?? now(),
      updatedAt: now(),
    }
    if (same === undefined) insertNamedVoice(db, row)
    else updateNamedVoice(db, id, row)
    return present(row, { ...measured, model, name })
  })
}

interface Known {
  readonly row: NamedVoiceRow
  readonly opened: NamedVoiceprint | null
}

/** Two names of one voice would make each other doubtful for ever. */
function refuseOtherName(known: readonly Known[], voice: NamedVoiceprint): void {
  for (const { row, opened } of known) {
    if (opened === null || opened.name === voice.name) continue
    if ((compareVoices(opened, voice) ?? -1) < (thresholdOf(voice.model) ?? Infinity)) continue
    throw new AppError('INVALID_STATE', {
      message: `This voice is named “${opened.name}” already. Rename that, or forget it first.`,
      details: { voiceId: row.id },
    })
  }
}

/** Another name for a voice. Throws NOT_FOUND, INVALID_REQUEST, INVALID_STATE where another voice has it. */
export function renameVoice(
  services: Deps,
  input: { companyId: string; id: string; name: string },
): NamedVoice {
  const { db, home, now } = services
  const name = readName(input.name)
  return inTransaction(db, () => {
    const row = findNamedVoice(db, input.companyId, input.id) ?? refuse('NOT_FOUND', NO_VOICE)
    const opened =
      openVoice(services, row) ??
      refuse(
        'INVALID_STATE',
        'This voice cannot be opened: another key sealed it. Forget it, and name it again.',
      )
    const others = listNamedVoices(db, input.companyId).filter(({ id }) => id !== row.id)
    if (others.some((other) => openVoice(services, other)?.name === name))
      throw new AppError('INVALID_STATE', `Another voice is named “${name}”.`)
    const { model: _model, ...measured } = opened
    const sealedVoice = sealSecret(home, purposeOf(row.id), JSON.stringify({ ...measured, name }))
    updateNamedVoice(db, row.id, { sealedVoice, updatedAt: now() })
    return present(row, { ...opened, name })
  })
}

const NO_VOICE = 'There is no such named voice.'

/** Deletes a voice; names that clips have of it stay, as text. Throws NOT_FOUND. */
export function forgetVoice(services: DbServices, input: { companyId: string; id: string }): void {
  if (findNamedVoice(services.db, input.companyId, input.id) === null)
    throw new AppError('NOT_FOUND', NO_VOICE)
  deleteNamedVoice(services.db, input.id)
}

function readName(given: string): string {
  const name = given.replaceAll(/\p{Cc}/gu, '').trim()
  if (name === '' || isLonger(name, 200)) throw invalidRequest('name', 'A name has 1 to 200 characters.')
  return name
}

function requireVoice(services: HomeServices, source: VoiceSource): SpeakerVoice {
  const voices = readVoices(services, speakersResult(services, source))
  if (voices === null)
    throw new AppError(
      'INVALID_STATE',
      'No voices were measured for this video: its captions name the speakers, no voice embedding was installed, or it is of an earlier version. Run it again, with a voice embedding installed.',
    )
  const voice = voices.find(({ speaker }) => speaker === source.speaker)
  if (voice === undefined) throw invalidRequest('speaker', 'There is no such speaker in this video.')
  if (voice.seconds < MIN_NAMED_SECONDS)
    throw new AppError(
      'INVALID_STATE',
      `This speaker speaks alone for ${voice.seconds.toFixed(1)} s, and it takes ${MIN_NAMED_SECONDS} s to know a voice again. Name it in a video in which it speaks longer.`,
    )
  return voice
}

/** The result of the stage that measured the voices; of a stream that of the clip's chunk, or the last one. */
function speakersResult(services: DbServices, { companyId, clipId, runId }: VoiceSource) {
  const { db } = services
  if (clipId !== undefined) {
    const { runId: run, document } = requireClip(services, { companyId, clipId })
    const slot = slotIn(document.chunk?.index, SPEAKERS_SLOT)
    return run === null ? undefined : resultAt(db, run, (own) => own === slot)
  }
  if (runId === undefined)
    throw invalidRequest('clipId', 'Say whose voice it is: a clip or a run, and the speaker.')
  const { id } = requireRun(services, { companyId, triggerId: runId })
  return resultAt(db, id, (slot) => /^(?:chunk:\d+:)?speakers$/.test(slot))
}

function resultAt(db: DbServices['db'], runId: string, isSlot: (slot: string) => boolean) {
  const stage = listRunStages(db, runId).findLast(({ slot, state }) => state === 'finished' && isSlot(slot))
  if (stage === undefined) return undefined
  const { key, output, failure } = stage
  return { state: 'finished' as const, key, output, failure }
}
