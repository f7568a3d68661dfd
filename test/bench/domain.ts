/** `npm run bench -- domain`: lists of clips, their counts and facets, and search, each over very many clips. */
import { benchClips, CLIENTS, EVERY_MS, type ClipsBench, type Spread } from './domain-clips.ts'
import { benchSearch, type SearchBench } from './domain-search.ts'
import { asMarkdown, type QualityReport } from './report.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

const SEARCH_MS = 100

interface Options {
  readonly clips?: number
  readonly rounds?: number
  readonly say?: (line: string) => void
}

/** One section after the other, each on a home of its own. At full size about a quarter of an hour. */
export async function runDomainBench({ clips, rounds, say = () => undefined }: Options = {}) {
  const sizes = omitUndefined({ clips })
  const lists = await benchClips({ ...sizes, ...omitUndefined({ rounds }), say })
  const search = await benchSearch({ ...sizes, say })
  return {
    table: `${listTable(lists)}\n\n${searchTable(search)}`,
    json: jsonOf(lists, search),
    markdown: asMarkdown(reportOf(lists, search)),
    file: 'performance.md',
  }
}

const kept = (yes: boolean): string => (yes ? 'kept' : 'NOT kept')
const columns = (...numbers: readonly number[]): string =>
  numbers.map((one) => one.toFixed(2).padStart(9)).join(' ')

/** What the lists of a million clips are held to; milliseconds but for the memory. */
const LIST_LIMITS = { pages: [15, 100], words: [60, 250], first: 1000, megabytes: 300 } as const

interface HeldFigure {
  readonly name: string
  readonly value: number
  readonly limit: number
}

function heldFigures({ clips, firstAnswerMs, serverMegabytes, together }: ClipsBench): HeldFigure[] {
  const { pages, words, first, megabytes } = LIST_LIMITS
  return [
    { name: `a page, ${CLIENTS} clients, p50, ms`, value: together.pages.p50, limit: pages[0] },
    { name: `a page, ${CLIENTS} clients, p99, ms`, value: together.pages.p99, limit: pages[1] },
    { name: `a page by words, ${CLIENTS} clients, p50, ms`, value: together.words.p50, limit: words[0] },
    { name: `a page by words, ${CLIENTS} clients, p99, ms`, value: together.words.p99, limit: words[1] },
    { name: 'the first list after a start, ms', value: firstAnswerMs, limit: first },
    { name: `resident memory of the server, ${clips} clips, MB`, value: serverMegabytes, limit: megabytes },
  ]
}

const togetherByName = (together: ClipsBench['together']): Readonly<Record<string, Spread>> => {
  const paced = `${CLIENTS} clients, each every ${EVERY_MS} ms`
  const atOnce = `${CLIENTS} clients without a pause`
  return {
    [`GET /context, ${paced}`]: together.floor,
    [`a page, ${paced}`]: together.pages,
    [`a page by words, ${paced}`]: together.words,
    [`GET /context, ${atOnce}`]: together.floorAtOnce,
    [`a page, ${atOnce}`]: together.pagesAtOnce,
    [`a page by words, ${atOnce}`]: together.wordsAtOnce,
  }
}

function listTable(bench: ClipsBench): string {
  const { clips, fillSeconds, indexSeconds, floor, timed, beside, pagesBeside, together, processor } = bench
  const limits = [...new Set(timed.map(({ limitMs }) => limitMs))].map((limit) => {
    const p99 = Math.max(...timed.filter(({ limitMs }) => limitMs === limit).map((one) => one.p99))
    return `worst p99 of those with a limit of ${limit} ms: ${p99.toFixed(2)} ms: ${kept(p99 < limit)}`
  })
  const title = (name: string, names: readonly string[]): string =>
    `${name.padEnd(58)} ${names.map((one) => one.padStart(9)).join(' ')}     clips`
  return [
    `${clips} clips, filled in ${fillSeconds.toFixed(1)} s, of that the indexes in ${indexSeconds.toFixed(1)} s`,
    ...heldFigures(bench).map(
      ({ name, value, limit }) =>
        `${name.padEnd(58)} ${columns(value)}, limit ${limit}: ${kept(value <= limit)}`,
    ),
    title('milliseconds', ['first', 'p50', 'p99', 'max', 'ratio']),
    `${'floor: GET /context'.padEnd(58)} ${''.padStart(9)} ${columns(floor.p50, floor.p99, floor.max, 1)}`,
    ...timed.map(
      ({ name, first, p50, p99, max, ratio, total }) =>
        `${name.padEnd(58)} ${columns(first, p50, p99, max, ratio)} ${String(total ?? '').padStart(9)}`,
    ),
    ...Object.entries({
      'GET /context while facets are counted': beside,
      'a page while facets are counted': pagesBeside,
      ...togetherByName(together),
    }).map(([name, { p50, p99, max }]) => `${name.padEnd(58)} ${''.padStart(9)} ${columns(p50, p99, max)}`),
    ...limits,
    title('by the time of the processor, nothing cached, one process', ['p50', 'p99', 'max']),
    ...processor.map(
      ({ name, p50, p99, max, total }) =>
        `${name.padEnd(58)} ${columns(p50, p99, max)} ${total > 0 ? String(total).padStart(19) : ''}`,
    ),
    ...[10, 150].map((limit) => {
      const p99 = Math.max(...processor.filter(({ limitMs }) => limitMs === limit).map((one) => one.p99))
      return `worst p99 by the processor of those with a limit of ${limit} ms: ${p99.toFixed(2)} ms: ${kept(p99 < limit)}`
    }),
  ].join('\n')
}

function searchTable({ clips, queries, indexMegabytes, fillSeconds }: SearchBench): string {
  const worst = Math.max(...Object.values(queries).map((one) => one.worst))
  return [
    `search over ${clips} clips, indexed in ${fillSeconds.toFixed(1)} s, ${indexMegabytes.toFixed(0)} MB`,
    `${'milliseconds'.padEnd(58)} ${['median', 'worst'].map((name) => name.padStart(9)).join(' ')}`,
    ...Object.entries(queries).map(([name, one]) => `${name.padEnd(58)} ${columns(one.median, one.worst)}`),
    `worst ${worst.toFixed(2)} ms; limit ${SEARCH_MS} ms: ${kept(worst < SEARCH_MS)}`,
  ].join('\n')
}

function jsonOf(lists: ClipsBench, search: SearchBench) {
  const round = (value: number): number => Math.round(value * 100) / 100
  const worst = (limit: number): number =>
    round(Math.max(...lists.timed.filter(({ limitMs }) => limitMs === limit).map(({ p99 }) => p99)))
  return {
    name: 'domain',
    clips: lists.clips,
    worstPageP99Ms: worst(10),
    worstCountP99Ms: worst(150),
    worstSearchMs: round(Math.max(...Object.values(search.queries).map((one) => one.worst))),
    held: heldFigures(lists),
    ratios: Object.fromEntries(lists.timed.map(({ name, ratio }) => [name, round(ratio)])),
    limits: { pageMs: 10, countMs: 150, searchMs: SEARCH_MS },
    lists,
    search,
  }
}

const ms = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1))

/** The tables of docs/performance.md. */
function reportOf(lists: ClipsBench, search: SearchBench): QualityReport {
  const { clips, timed, processor, indexSeconds } = lists
  const own = (name: string) => processor.find((one) => one.name === name)
  return {
    title: `Lists and search over ${clips} clips`,
    tables: [
      {
        title: 'What lists are held to',
        columns: ['what', 'limit', 'measured'],
        rows: heldFigures(lists).map(({ name, value, limit }) => [name, String(limit), ms(value)]),
        notes: [
          `Each of the ${CLIENTS} clients asks for one of the pages below every ${EVERY_MS} ms. The indexes were filled in ${indexSeconds.toFixed(0)} s.`,
        ],
      },
      {
        title: 'Several clients at once',
        columns: ['what', 'median', 'p99'],
        rows: Object.entries(togetherByName(lists.together)).map(([name, { p50, p99 }]) => [
          name,
          ms(p50),
          ms(p99),
        ]),
        notes: [],
      },
      {
        title: 'GET /clips',
        columns: [
          'what',
          'limit ms',
          'first',
          'median',
          'p99',
          'processor median',
          'processor p99',
          'clips that fit',
        ],
        rows: timed.map(({ name, limitMs, first, p50, p99, total }) => {
          const [kind = '', what = ''] = name.split(/: (.*)/s)
          const spent = own(`${kind === 'page' ? 'page of 100' : kind}: ${what}`)
          return [
            name,
            String(limitMs),
            ms(first),
            ms(p50),
            ms(p99),
            ms(spent?.p50),
            ms(spent?.p99),
            total === null ? '' : String(total),
          ]
        }),
        notes: [
          'A count and facets are cached until a clip changes: what they cost without that are the first figure and those of the processor.',
        ],
      },
      {
        title: 'GET /search',
        columns: ['what', 'limit ms', 'median', 'worst', 'processor median', 'processor worst'],
        rows: Object.entries(search.queries).map(([name, one]) => [
          name,
          String(SEARCH_MS),
          ms(one.median),
          ms(one.worst),
          ms(one.processor),
          ms(one.processorWorst),
        ]),
        notes: [`The index has ${search.indexMegabytes.toFixed(0)} MB.`],
      },
    ],
    unmeasured: [],
  }
}
