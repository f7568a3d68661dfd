/** Passages for a query: by words and by meaning, each list best first, and sentences about what could not be searched. */
import { formatInstallCommand } from '../../../models/install.ts'
import type { FoundBy, SearchMeta } from '../../contract/tenant-api/search.ts'
import { passageMatch } from '../../db/passages.ts'
import { searchPassages } from '../../db/passage-search/client.ts'
import type { FoundPassage, PassageFindings } from '../../db/passage-search/types.ts'
import type { QueryReading } from '../../jobs/jobs.ts'
import type { Services } from '../services.ts'
import { nameOf, PASSAGES_VERSION } from './index-passages.ts'
import { matchAll, type SearchTerm } from './search-terms.ts'

/** Passages of each list. */
const LIMIT = 100
/** Lower cosines are chance: what a prompt fits nothing in comes to 0.1 to 0.26 at best (decision 0051). */
const MIN_COSINE = 0.25

export interface PassagesFound {
  readonly lists: readonly { readonly by: FoundBy; readonly passages: readonly FoundPassage[] }[]
  readonly meaning: SearchMeta['meaning']
  readonly warnings: readonly string[]
}

export const NOT_SEARCHED: PassagesFound = {
  lists: [],
  meaning: { state: 'not-searched', model: null, runs: 0, indexed: 0 },
  warnings: [],
}

type Deps = Pick<Services, 'db' | 'jobs' | 'log'>

/** Passages of this company. A part that fails is logged and named in the warnings; the other one is answered. */
export async function findPassages(
  services: Deps,
  companyId: string,
  { query, terms }: { readonly query: string; readonly terms: readonly SearchTerm[] },
): Promise<PassagesFound> {
  const reading = terms.length === 0 ? null : await readQuery(services, query)
  const model = reading === null || reading.kind === 'no-model' ? 'none' : reading.model
  const search = {
    companyId,
    match: terms.length === 0 ? null : passageMatch(companyId, matchAll(terms)),
    near: reading?.kind === 'read' ? reading : null,
    model,
    version: PASSAGES_VERSION,
    limit: LIMIT,
  }
  let findings: PassageFindings
  try {
    findings = await searchPassages(services.db, search)
  } catch (error) {
    services.log.error('passages could not be searched', { error })
    return { ...NOT_SEARCHED, warnings: ['Transcripts could not be searched; the log says why.'] }
  }
  const { words, meaning, runs, indexed } = findings
  const near = meaning.filter(({ cosine }) => (cosine ?? 0) >= MIN_COSINE)
  const state = reading === null ? ('not-searched' as const) : STATES[reading.kind]
  return {
    lists: [
      { by: 'words', passages: words },
      { by: 'meaning', passages: near },
    ],
    meaning: { state, model: nameOf(model), runs, indexed },
    warnings: warningsOf(reading, { runs, indexed }),
  }
}

const STATES = {
  read: 'used',
  'no-model': 'no-model',
  'not-ready': 'not-ready',
  failed: 'failed',
} as const

/** Has the model loaded, so that the first search finds it ready. Returns at once. */
export function prepareSearch({ jobs, log }: Pick<Deps, 'jobs' | 'log'>): void {
  jobs
    .readQuery?.('')
    .catch((error: unknown) => log.warn('the model of meaning could not be loaded', { error }))
}

/** Null where no stages run, so that there is nothing to say about it. */
async function readQuery({ jobs, log }: Deps, query: string): Promise<QueryReading | null> {
  const reading = (await jobs.readQuery?.(query)) ?? null
  if (reading?.kind === 'failed') log.warn('a query could not be read', { reason: reading.message })
  return reading
}

function warningsOf(reading: QueryReading | null, counts: { runs: number; indexed: number }): string[] {
  const { runs, indexed } = counts
  if (runs === 0) return []
  if (reading === null)
    return [
      'Transcripts were searched by words alone, because this program runs no models. Start cutroom serve.',
    ]
  const share = Math.floor((indexed / runs) * 100)
  const soFar = `${indexed} of ${runs} transcripts (${share} %) are indexed so far`
  if (reading.kind === 'read')
    return indexed < runs ? [`Search is not complete: ${soFar}; the rest follows in the background.`] : []
  if (reading.kind === 'no-model')
    return [
      `Transcripts were searched by words alone, because no model of meaning is installed. Install one with: ${formatInstallCommand('multilingual-minilm')}`,
    ]
  if (reading.kind === 'not-ready')
    return [
      'Transcripts were searched by words alone, because the model of meaning is being loaded. Search again.',
    ]
  const name = nameOf(reading.model) ?? ''
  return [
    `Transcripts were searched by words alone, because the model ${name} does not work here. Check it with: cutroom models verify ${name}`,
  ]
}
