/** The clips of each company that asks, kept in memory and brought up to date before every answer. */
import { countBits } from './bits.ts'
import { facetsOf, rowsThatFit } from './find.ts'
import { addToOrders, positionOf } from './orders.ts'
import { fewOf, pageOf, pageOfRows } from './page.ts'
import type { ClipFindings, ClipSearch, ListedClip } from './protocol.ts'
import type { ClipSource } from './source.ts'
import { addEntry, addWords, newTable, removeEntry, type ClipTable } from './table.ts'

interface Company {
  readonly id: string
  table: ClipTable
  /** Everything up to here is in the table. */
  seq: number
  /** It has been filled, or is being so. */
  filled: Promise<void> | null
  ready: boolean
  /** Its words are being read. */
  wording: Promise<void> | null
}

export interface ClipIndex {
  readonly search: (asked: ClipSearch) => Promise<ClipFindings>
}

/** Rows that are read at once; between two such steps others are answered. */
const STEP_ROWS = 5000
/** A search that takes longer lets others in between. */
const STEP_MS = 4
/** Companies are forgotten, the one asked for longest ago first, while more rows than this are kept. */
const MAX_ROWS = 3_000_000
/** A table is made anew when it has so many rows that are no longer live, and more of them than live ones. */
const MANY_DEAD = 10_000

/** Other limits than usual. */
interface Limits {
  readonly manyDead?: number
  /** So many rows are sorted rather than walked to. */
  readonly few?: number
}

const isMostlyDead = ({ rows, liveRows }: ClipTable, many: number): boolean =>
  rows - liveRows > Math.max(many, liveRows)

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createClipIndex(source: ClipSource, { manyDead = MANY_DEAD, few }: Limits = {}): ClipIndex {
  const companies = new Map<string, Company>()

  const companyOf = (id: string): Company => {
    const known = companies.get(id)
    // Last in the map is who was asked for last.
    companies.delete(id)
    const company = known ?? { id, table: newTable(), seq: 0, filled: null, ready: false, wording: null }
    companies.set(id, company)
    return company
  }

  const forgetSome = (): void => {
    let rows = [...companies.values()].reduce((sum, { table }) => sum + table.rows, 0)
    for (const { id, table, ready } of [...companies.values()].slice(0, -1)) {
      if (rows <= MAX_ROWS) return
      if (!ready) continue
      companies.delete(id)
      rows -= table.rows
    }
  }

  /** Resolves when all that a search needs of the company has been read. */
  const prepare = async (company: Company, words: boolean): Promise<void> => {
    for (;;) {
      if (!company.ready) {
        await (company.filled ??= fill(source, company).catch((error: unknown) => {
          // Half of the clips are worse than none: the next search tries again.
          empty(company)
          throw error
        }))
        forgetSome()
      } else if (words && !company.table.worded) await (company.wording ??= wordsOnce(source, company))
      else return
    }
  }

  return {
    search: async (asked) => {
      const company = companyOf(asked.companyId)
      if (company.ready && isMostlyDead(company.table, manyDead)) empty(company)
      await prepare(company, (asked.filter.query ?? '').trim() !== '')
      const { rest, ...found } = source.atOnce(() => {
        refresh(source, company)
        return answer(source, company.table, asked, few ?? fewOf(company.table))
      })
      return { ...found, facets: rest === null ? null : await inSteps(rest) }
    },
  }
}

function empty(company: Company): void {
  Object.assign(company, { table: newTable(), seq: 0, filled: null, ready: false, wording: null })
}

/** Runs a long search so that others get their turn. */
async function inSteps<T>(steps: Generator<undefined, T>): Promise<T> {
  for (let began = performance.now(); ;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - began < STEP_MS) continue
    await breathe()
    began = performance.now()
  }
}

/** The first reading of a company: in steps, since there may be a million clips. What is written meanwhile comes last. */
async function fill(source: ClipSource, company: Company): Promise<void> {
  const added: number[] = []
  for (;;) {
    const changes = source.changesAfter(company.id, company.seq, STEP_ROWS)
    take(company, changes, added)
    if (changes.length < STEP_ROWS) break
    await breathe()
  }
  addToOrders(company.table, added)
  company.ready = true
}

/** Reads the words; whoever asks meanwhile waits for the same reading, and a later one begins anew if it failed. */
function wordsOnce(source: ClipSource, company: Company): Promise<void> {
  const reading = readWords(source, company).finally(() => {
    if (company.wording === reading) company.wording = null
  })
  return reading
}

/** The words of what is in the table, in steps as well; it ends when there is nothing between the last one and now. */
async function readWords(source: ClipSource, company: Company): Promise<void> {
  const { table } = company
  for (let seq = 0; company.table === table; await breathe()) {
    const changes = source
      .changesAfter(company.id, seq, STEP_ROWS)
      // What is newer than the table gets its words when it comes in.
      .filter((change) => change.seq <= company.seq)
    for (const { key, entry } of changes) {
      const row = table.rowOf.get(key)
      if (entry !== null && row !== undefined) addWords(table, row, entry)
    }
    seq = changes.at(-1)?.seq ?? seq
    if (changes.length === STEP_ROWS) continue
    table.worded = true
    return
  }
}

function refresh(source: ClipSource, company: Company): void {
  const newest = source.newestSeq(company.id)
  if (newest === company.seq) return
  const added: number[] = []
  while (company.seq < newest) take(company, source.changesAfter(company.id, company.seq, STEP_ROWS), added)
  addToOrders(company.table, added)
}

function take(company: Company, changes: ReturnType<ClipSource['changesAfter']>, added: number[]): void {
  for (const { key, seq, entry } of changes) {
    removeEntry(company.table, key)
    if (entry !== null) added.push(addEntry(company.table, entry))
    company.seq = seq
  }
}

function answer(
  source: ClipSource,
  table: ClipTable,
  { filter, page, count, facets }: ClipSearch,
  few: number,
) {
  // Counting needs to know each row that fits; a page does not.
  const rows = count || facets ? rowsThatFit(table, filter) : null
  const found =
    page === null
      ? []
      : rows === null
        ? pageOf(table, filter, page, few)
        : pageOfRows(table, { rows }, page, few)
  const shown = found.slice(0, page?.limit ?? 0)
  const last = shown.at(-1)
  const more = found.length > shown.length
  const listed = shown.length === 0 ? new Map<number, ListedClip>() : source.listed(shown.map(keyOf(table)))
  return {
    clips: shown.flatMap((row) => listed.get(keyOf(table)(row)) ?? []),
    next: more && last !== undefined && page !== null ? positionOf(table, page.sortBy, last) : null,
    total: count && rows !== null ? countBits(rows) : null,
    rest: facets && rows !== null ? facetsOf(table, rows) : null,
  }
}

const keyOf =
  (table: ClipTable) =>
  (row: number): number =>
    table.keys.values[row] ?? 0
