/** Finds the voices that a company has named among the speakers of a source. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { manifestModel } from '../../../models/manifest.ts'
import { getCompany } from '../../db/companies.ts'
import { listNamedVoices, type NamedVoiceRow } from '../../db/named-voices.ts'
import { isKeyTrouble, openSecret } from '../../secrets.ts'
import { artefactFolder } from '../../../workers/artefacts.ts'
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import { SpeakerVoices, type SpeakerVoice } from '../../../workers/stages/speakers/pure/voices.ts'
import type { SlotResult } from '../runs/plan/plan-draft.ts'
import type { HomeServices, Services } from '../services.ts'
import { matchNames, type NamedVoiceprint } from './match-names.ts'

export interface Recognised {
  /** By speaker. */
  readonly names: ReadonlyMap<number, string>
  /** Why voices that were named could not be looked for. */
  readonly warnings: readonly string[]
}

export const NOBODY: Recognised = { names: new Map(), warnings: [] }

export const purposeOf = (id: string): string => `named-voice:${id}`

/** The name and the voice of a row; null: another key sealed it. Throws SECRETS_KEY_UNAVAILABLE. */
export function openVoice({ home }: Pick<Services, 'home'>, row: NamedVoiceRow): NamedVoiceprint | null {
  const text = openSecret(home, purposeOf(row.id), row.sealedVoice)
  return text === null ? null : { ...(JSON.parse(text) as Omit<NamedVoiceprint, 'model'>), model: row.model }
}

/** The similarity from which on a voice of this model is taken for a named one; null: the manifest does not know it. */
export const thresholdOf = (model: string): number | null => manifestModel(model)?.voice?.namedVoice ?? null

/** The voices of a finished speakers stage; null where it measured none, or its files are gone. */
export function readVoices(
  { home }: Pick<Services, 'home'>,
  result: SlotResult | undefined,
): SpeakerVoice[] | null {
  const output = result?.state === 'finished' ? (result.output as OutputOf<Stages['speakers']>) : null
  if (result === undefined || output?.voicesFile === undefined) return null
  try {
    const file = join(artefactFolder(home.artefacts, 'speakers', result.key), output.voicesFile)
    const voices: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return Value.Check(SpeakerVoices, voices) ? voices : null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** `voices`: those of the source's speakers; null: they were not measured. */
export function recogniseVoices(
  services: HomeServices,
  companyId: string,
  voices: readonly SpeakerVoice[] | null,
): Recognised {
  if (getCompany(services.db, companyId)?.recogniseVoices !== true) return NOBODY
  const rows = listNamedVoices(services.db, companyId)
  const measured = voices?.find(({ seconds }) => seconds > 0)
  if (rows.length === 0 || measured === undefined) return NOBODY
  const { model } = measured
  const warnings: string[] = []
  const others = rows.filter((row) => row.model !== model)
  if (others.length > 0)
    warnings.push(
      `${others.length} named ${others.length === 1 ? 'voice was' : 'voices were'} not looked for: voices are measured with ${model} now, and those were named with ${[...new Set(others.map((row) => row.model))].join(', ')}. Name them again.`,
    )
  try {
    const named = rows.flatMap((row) => (row.model === model ? [openVoice(services, row)] : []))
    const readable = named.filter((voice) => voice !== null)
    if (readable.length < named.length)
      warnings.push(
        `${named.length - readable.length} named voices were not looked for, because another key sealed them. Forget them, and name them again.`,
      )
    const threshold = thresholdOf(model)
    return { names: threshold === null ? new Map() : matchNames(voices ?? [], readable, threshold), warnings }
  } catch (error) {
    if (!isKeyTrouble(error)) throw error
    return { names: new Map(), warnings: [`Named voices were not looked for. ${error.message}`] }
  }
}
