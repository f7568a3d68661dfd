/**
 * API benchmark: pages of posts at any depth among very many, with p50 and p99 against 10 ms, and requests per second
 * of one row by its id as a share of what a bare node:http server does with the same row, in alternate rounds.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { NODE_FLAGS, withSteadyMemory } from '../../server/steady-memory.mjs'
import { fillHome, type Filled } from './api-fill.ts'
import { median } from './measure/spread.ts'

const PAGE_LIMIT_MS = 10
const RATIO_LIMIT = 0.5
const CONNECTIONS = 8
const ROUND_MS = 2000
const SORTS = ['date', 'views', 'likes', 'comments'] as const

interface Options {
  readonly clips?: number
  readonly posts?: number
  readonly rounds?: number
  readonly say?: (line: string) => void
}
interface Times {
  readonly name: string
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Fills a home, measures, removes it. About three minutes at full size. */
export async function runApiBench(options: Options = {}) {
  const { clips = 1_000_000, posts = 100_000, rounds = 5, say = () => undefined } = options
  const root = await mkdtemp(join(tmpdir(), 'cutroom-bench-api-'))
  const children: ChildProcess[] = []
  const start = async (kind: string): Promise<number> => {
    // Ours as `cutroom serve` begins; the bare one as Node begins.
    const begun =
      kind === 'ours' ? { execArgv: [...NODE_FLAGS], env: withSteadyMemory(process.env) } : { execArgv: [] }
    const child = fork(join(import.meta.dirname, 'api-process.ts'), [kind, root], begun)
    children.push(child)
    const [port] = (await once(child, 'message')) as [number]
    return port
  }
  try {
    const filled = fillHome(root, { clips, posts }, say)
    say(`filled in ${filled.seconds.toFixed(1)} s`)
    const ours = await start('ours')
    const bare = await start('bare')
    const pages = await measurePages({ ours, bare }, filled, say)
    const rates = await measureRates({ ours, bare }, filled, { rounds, say })
    return report(pages, rates, { clips, posts, rounds, fillSeconds: filled.seconds })
  } finally {
    for (const child of children) child.kill()
    await rm(root, { recursive: true, force: true })
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** From the first byte sent to the last byte read, on a keep-alive connection. */
async function get(port: number, path: string, key: string): Promise<{ text: string; milliseconds: number }> {
  const started = performance.now()
  const headers = { authorization: `Bearer ${key}` }
  const request = httpRequest({ host: '127.0.0.1', port, path, headers, agent }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const milliseconds = performance.now() - started
  const text = Buffer.concat(chunks).toString('utf8')
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 200)}`)
  return { text, milliseconds }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN

function timesOf(name: string, milliseconds: readonly number[]): Times {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  return {
    name,
    count: sorted.length,
    p50: at(sorted, 0.5),
    p99: at(sorted, 0.99),
    max: sorted.at(-1) ?? NaN,
  }
}

// Of a thousand, ten are slower than the p99: one pause of a busy machine does not make it.
const REPEATS = 1000
const FLOOR = 'a clip, any clip, from the bare server'
const DEPTHS = [0, 0.25, 0.5, 0.75, 0.99]

async function measurePages(
  ports: { ours: number; bare: number },
  filled: Filled,
  say: (line: string) => void,
): Promise<Times[]> {
  const port = ports.ours
  const { key, companyId, clipIds, runIds, postedClipId } = filled
  const times: Times[] = []
  const repeat = async (name: string, paths: readonly string[]): Promise<void> => {
    const taken: number[] = []
    for (let index = 0; index < REPEATS; index += 1)
      taken.push((await get(port, paths[index % paths.length] ?? '', key)).milliseconds)
    times.push(timesOf(name, taken))
  }
  const list = `/posts?companyId=${companyId}`
  await repeat('warming up', [list])
  times.pop()
  for (const sortBy of SORTS) {
    const cursors = ['']
    const taken: number[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await get(port, `${list}&limit=100&sortBy=${sortBy}&cursor=${cursor}`, key)
      taken.push(page.milliseconds)
      cursor = (JSON.parse(page.text) as { cursor: string | null }).cursor
      if (cursor !== null) cursors.push(encodeURIComponent(cursor))
    }
    times.push(timesOf(`posts by ${sortBy}, 100 a page, each page once`, taken))
    for (const depth of DEPTHS) {
      const cursor = cursors[Math.floor((cursors.length - 1) * depth)] ?? ''
      await repeat(`posts by ${sortBy}, 25 a page, at ${depth * 100} %`, [
        `${list}&sortBy=${sortBy}&cursor=${cursor}`,
      ])
    }
    say(`posts by ${sortBy}: ${taken.length} pages`)
  }
  const years = ['startDate=2024-02-01', 'endDate=2024-02-01', 'startDate=2024-01-20&endDate=2024-02-10']
  for (const bounds of years) await repeat(`posts with ${bounds}`, [`${list}&limit=100&${bounds}`])
  await repeat('posts of one clip (100 of them)', [`${list}&clipId=${postedClipId}`])
  await repeat('posts of one platform', [`${list}&limit=100&platform=bluesky`])
  await repeat(
    'results of a run, any run',
    runIds.map((id) => `/workflow-results/${id}`),
  )
  await repeat(
    'a clip, any clip',
    clipIds.map((id) => `/clip?companyId=${companyId}&clipId=${id}`),
  )
  // What a busy machine alone does to a tail: the same client, and next to nothing on the other side.
  const floor: number[] = []
  for (let index = 0; index < 1000; index += 1)
    floor.push((await get(ports.bare, `/clip?clipId=${clipIds[index % clipIds.length]}`, key)).milliseconds)
  times.push(timesOf(FLOOR, floor))
  return times
}

interface Rate {
  readonly path: string
  readonly ours: number
  readonly bare: number
  readonly ratio: number
}

async function measureRates(
  ports: { ours: number; bare: number },
  filled: Filled,
  { rounds, say }: { rounds: number; say: (line: string) => void },
): Promise<Rate[]> {
  const { companyId, workflowId, clipIds, key } = filled
  const clipId = clipIds[Math.floor(clipIds.length / 2)] ?? ''
  const paths = {
    '/workflow': `/workflow?companyId=${companyId}&workflowId=${workflowId}`,
    '/clip': `/clip?companyId=${companyId}&clipId=${clipId}`,
  }
  const rates: Rate[] = []
  for (const [path, target] of Object.entries(paths)) {
    await requireSameRow(ports, target, key)
    const taken = { ours: [] as number[], bare: [] as number[], ratio: [] as number[] }
    // The first round warms both up.
    for (let round = 0; round <= rounds; round += 1) {
      const ours = await requestsPerSecond(ports.ours, target, key)
      const bare = await requestsPerSecond(ports.bare, target, key)
      say(`${path}, round ${round}: ${ours.toFixed(0)} against ${bare.toFixed(0)} requests a second`)
      if (round === 0) continue
      taken.ours.push(ours)
      taken.bare.push(bare)
      taken.ratio.push(ours / bare)
    }
    rates.push({ path, ours: median(taken.ours), bare: median(taken.bare), ratio: median(taken.ratio) })
  }
  return rates
}

/**
 * Both must answer with the row. The bare server may send other fields, but a ratio to an error response would be
 * worthless.
 */
async function requireSameRow(
  ports: { ours: number; bare: number },
  target: string,
  key: string,
): Promise<void> {
  const ours = await get(ports.ours, target, key)
  const bare = await get(ports.bare, target, key)
  const [[name, row], [other, its]] = [ours, bare].map(
    ({ text }) => Object.entries(JSON.parse(text) as Record<string, { id: string }>)[0] ?? ['', { id: '' }],
  ) as [[string, { id: string }], [string, { id: string }]]
  const share = bare.text.length / ours.text.length
  if (name !== other || row.id !== its.id || share < 0.8)
    throw new Error(`${target}: the two servers do not answer the same row`)
}

/**
 * Several keep-alive connections that send the next request when the last one was answered. The client only counts the
 * responses, which all have the length of the first, so that its own work does not dominate the measurement.
 */
async function requestsPerSecond(port: number, target: string, key: string): Promise<number> {
  const message = Buffer.from(
    `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  )
  const started = performance.now()
  const lane = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(message))
      let length = 0
      let seen = 0
      let answers = 0
      let head = ''
      socket.on('data', (chunk) => {
        seen += chunk.length
        if (length === 0) {
          head += chunk.toString('latin1')
          length = lengthOf(head)
        }
        if (length === 0 || seen < length) return
        const good =
          answers > 0
            ? chunk.length !== seen || chunk.subarray(0, 12).toString() === 'HTTP/1.1 200'
            : head.startsWith('HTTP/1.1 200')
        if (!good || seen > length) {
          socket.destroy(new Error(`not the answer that was expected: ${head.slice(0, 400)}`))
          return
        }
        seen = 0
        answers += 1
        if (performance.now() - started < ROUND_MS) socket.write(message)
        else {
          socket.destroy()
          resolve(answers)
        }
      })
      socket.once('error', reject)
    })
  const answers = await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  const seconds = (performance.now() - started) / 1000
  return answers.reduce((sum, one) => sum + one, 0) / seconds
}

/** Bytes of the whole answer, head included; 0 while its head is not complete. */
function lengthOf(head: string): number {
  const end = head.indexOf('\r\n\r\n')
  const body = /^content-length: *(\d+)/im.exec(head)?.[1]
  if (end === -1) return 0
  if (body === undefined) throw new Error(`an answer without a length: ${head.slice(0, 400)}`)
  return end + 4 + Number(body)
}

function report(
  pages: readonly Times[],
  rates: readonly Rate[],
  facts: { clips: number; posts: number; rounds: number; fillSeconds: number },
) {
  const round = (value: number): number => Math.round(value * 100) / 100
  const worst = Math.max(...pages.filter(({ name }) => name !== FLOOR).map(({ p99 }) => p99))
  const rows = pages.map(({ name, count, p50, p99, max }) =>
    [
      name.padEnd(52),
      String(count).padStart(5),
      ...[p50, p99, max].map((one) => one.toFixed(2).padStart(8)),
    ].join(' '),
  )
  const kept = (yes: boolean): string => (yes ? 'kept' : 'NOT kept')
  const table = [
    `${facts.clips} clips and ${facts.posts} posts, filled in ${facts.fillSeconds.toFixed(1)} s`,
    `${'milliseconds'.padEnd(52)} count      p50      p99      max`,
    ...rows,
    `worst p99 ${worst.toFixed(2)} ms; limit ${PAGE_LIMIT_MS} ms: ${kept(worst < PAGE_LIMIT_MS)}`,
    ...rates.map(
      ({ path, ours, bare, ratio }) =>
        `GET ${path}: ${ours.toFixed(0)} requests a second, bare ${bare.toFixed(0)}: ${ratio.toFixed(2)}; limit ${RATIO_LIMIT}: ${kept(ratio >= RATIO_LIMIT)}`,
    ),
  ].join('\n')
  const json = {
    name: 'api',
    clips: facts.clips,
    posts: facts.posts,
    rounds: facts.rounds,
    fillSeconds: round(facts.fillSeconds),
    pages: pages.map((one) => ({ ...one, p50: round(one.p50), p99: round(one.p99), max: round(one.max) })),
    worstPageP99Ms: round(worst),
    requestsPerSecond: Object.fromEntries(
      rates.map(({ path, ours, bare }) => [path, { ours: Math.round(ours), bare: Math.round(bare) }]),
    ),
    ratios: Object.fromEntries(rates.map(({ path, ratio }) => [path, round(ratio)])),
    limits: { pageMs: PAGE_LIMIT_MS, ratio: RATIO_LIMIT },
  }
  return { table, json }
}
