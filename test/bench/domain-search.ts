/** Search over very many clips: what a page costs, by how common its words are. A section of `npm run bench -- domain`. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Db } from '../../server/db/client.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { search } from '../../server/domain/search/search.ts'
import { newId } from '../../server/ids.ts'
import { median } from './measure/spread.ts'

export interface SearchBench {
  readonly clips: number
  /**
   * Milliseconds of each kind of query: the median and the slowest of its rounds, and the same of the processor's own,
   * which a busy machine changes less.
   */
  readonly queries: Readonly<
    Record<
      string,
      {
        readonly median: number
        readonly worst: number
        readonly processor: number
        readonly processorWorst: number
        readonly results: number
      }
    >
  >
  readonly indexMegabytes: number
  readonly fillSeconds: number
}

const TITLE_WORDS = 6
const TAG_WORDS = 6
const BODY_WORDS = 120
const VOCABULARY = 50_000
const BATCH = 20_000

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Words with the frequencies of speech: the n-th most common one appears 1/n times as often as the first. */
function speaker(random: () => number): { say: (count: number) => string; word: (rank: number) => string } {
  const syllables =
    'ba con de fi gra ho in ju ka lo mi no pre qui re so ta un ve wo xi yo za the st er al'.split(' ')
  const words = new Set<string>()
  while (words.size < VOCABULARY) {
    let word = ''
    const length = words.size < 300 ? 2 : 2 + Math.floor(random() * 3)
    for (let index = 0; index < length; index += 1)
      word += syllables[Math.floor(random() * syllables.length)] ?? ''
    words.add(word)
  }
  const list = [...words]
  const rank = (): number => Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random()) - 1)
  return {
    say: (count) => Array.from({ length: count }, () => list[rank()] ?? '').join(' '),
    word: (at) => list[at] ?? '',
  }
}

function fill(db: Db, clips: number, talk: (count: number) => string, say: (line: string) => void): void {
  for (const pragma of ['synchronous = OFF', 'cache_size = -200000']) db.sqlite.pragma(pragma)
  // Words are buffered in memory for longer before they are written: a few large segments to merge instead of
  // thousands.
  const buffer = (bytes: number): void => {
    for (const index of ['search_index', 'search_names'])
      db.sqlite.exec(`insert into ${index}(${index}, rank) values ('hashsize', ${bytes})`)
  }
  buffer(64 * 1024 ** 2)
  const insert = db.sqlite.prepare(
    `insert into search_entries (company_id, kind, subject_id, title, tags, body, at) values ('acme', 'clip', ?, ?, ?, ?, ?)`,
  )
  for (let from = 0; from < clips; from += BATCH) {
    db.sqlite.transaction(() => {
      for (let index = from; index < Math.min(clips, from + BATCH); index += 1)
        insert.run(newId(), talk(TITLE_WORDS), talk(TAG_WORDS), talk(BODY_WORDS), index)
    })()
    if ((from / BATCH) % 5 === 4) say(`${from + BATCH} clips`)
  }
  buffer(1024 ** 2)
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  db.sqlite.pragma('cache_size = -16000')
}

type Filled = Pick<SearchBench, 'clips' | 'indexMegabytes' | 'fillSeconds'>

/** The index of an earlier measurement where there is one of this size; else one that is filled now. */
async function filled(
  { db, file, note }: { db: Db; file: string; note: string },
  clips: number,
  { talk, say }: { talk: (count: number) => string; say: (line: string) => void },
): Promise<Filled> {
  const known = await readFile(note, 'utf8').catch(() => null)
  if (known !== null) {
    const before = JSON.parse(known) as Filled
    if (before.clips !== clips) throw new Error(`the kept index has ${before.clips} clips; empty its folder`)
    return before
  }
  for (const id of ['acme', 'small']) createCompany({ db, now: Date.now }, { id, name: id })
  const begun = performance.now()
  const before = (await stat(file)).size
  fill(db, clips, talk, say)
  const fillSeconds = (performance.now() - begun) / 1000
  const made = { clips, fillSeconds, indexMegabytes: ((await stat(file)).size - before) / 1e6 }
  await writeFile(note, JSON.stringify(made))
  return made
}

/**
 * Fills a home's index and searches it, `rounds` times each, as a fresh request would each time. `keep`: a folder where
 * the index stays for the next measurement.
 */
export async function benchSearch(options: {
  clips?: number
  rounds?: number
  keep?: string
  say: (line: string) => void
}): Promise<SearchBench> {
  const { clips = 1_000_000, rounds = 15, keep, say } = options
  if (keep !== undefined) await mkdir(keep, { recursive: true })
  const root = keep ?? (await mkdtemp(join(tmpdir(), 'cutroom-bench-search-')))
  const file = join(root, 'cutroom.sqlite')
  try {
    const db = openDatabase(file)
    const services = { db, now: Date.now }
    const { say: talk, word } = speaker(numbers(7))
    const { indexMegabytes, fillSeconds } = await filled(
      { db, file, note: join(root, 'filled.json') },
      clips,
      { talk, say },
    )
    search(services, { companyId: 'acme' }, { query: 'guide' })
    const cases: Record<string, { query: (round: number) => string; companyId?: string }> = {
      'the most common word': { query: () => word(0) },
      'two common words': { query: (round) => `${word(1 + round)} ${word(30 + round)} ` },
      'five common words': { query: (round) => [0, 1, 2, 3, 4].map((at) => word(at * 7 + round)).join(' ') },
      'a common and a rare word': { query: (round) => `${word(2)} ${word(20_000 + round)} ` },
      'a rare word': { query: (round) => `${word(40_000 + round)} ` },
      'two rare words': { query: (round) => `${word(9_000 + round)} ${word(15_000 + round)} ` },
      'the beginning of a word, 3 letters': { query: (round) => word(500 + round).slice(0, 3) },
      'the beginning of a word, 4 letters': { query: (round) => word(900 + round).slice(0, 4) },
      'the beginning of a common word': { query: (round) => word(50 + round * 10).slice(0, -1) },
      'a phrase of common words': { query: (round) => `"${word(round)} ${word(round + 3)}"` },
      'a word that is nowhere': { query: () => 'unfindable ' },
      'a small company, a common word': { query: () => word(0), companyId: 'small' },
    }
    const queries: Record<string, SearchBench['queries'][string]> = {}
    for (const [name, { query, companyId = 'acme' }] of Object.entries(cases)) {
      const times: number[] = []
      const processor: number[] = []
      let results = 0
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now()
        const used = process.cpuUsage()
        const found = search(services, { companyId }, { query: query(round), limit: 25 })
        times.push(performance.now() - start)
        const { user, system } = process.cpuUsage(used)
        processor.push((user + system) / 1000)
        results = found.results.length
      }
      const wall = median(times)
      const own = median(processor)
      queries[name] = {
        median: wall,
        worst: Math.max(...times),
        results,
        processor: own,
        processorWorst: Math.max(...processor),
      }
      say(`${name}: ${wall.toFixed(1)} ms, ${own.toFixed(1)} ms of the processor`)
    }
    db.close()
    return { clips, queries, indexMegabytes, fillSeconds }
  } finally {
    if (keep === undefined) await rm(root, { recursive: true, force: true })
  }
}
