/**
 * `npm run bench`, or `npm run bench -- all`: all benchmarks; `npm run bench -- NAME... [--json]`: those. Each prints a
 * table for people and ratios against a floor measured in the same run; both are stored in bench-results/. With --json
 * the last line of stdout is one JSON object and everything else goes to stderr.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineFacts, sectionOf } from './performance.ts'
import { qualityBench, writeSections } from './report.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

interface Bench {
  readonly table: string
  readonly json: object
  /** A section of `file`. */
  readonly markdown?: string
  /** Under docs/: quality.md where it is left out. */
  readonly file?: string
  /** The name that its figures are stored under, where it is not the bench's. */
  readonly section?: string
}

type Say = (line: string) => void

type Sizes = Readonly<Partial<Record<'clips' | 'posts' | 'seconds' | 'minutes', number>>> & {
  readonly model?: string
  readonly long?: true
}
type Run = (say: Say, rounds: number | undefined, sizes: Sizes) => Promise<Bench>

const BENCHES: Readonly<Record<string, Run>> = {
  ears: async (say, _rounds, { model }) =>
    (await import('./sound.ts')).runSoundBench({ say, ...omitUndefined({ model }) }),
  'sound-cleaning': async (say) => (await import('./sound-cleaning.ts')).runSoundCleaningBench({ say }),
  eyes: async (say) => (await import('./picture.ts')).runPictureBench({ say }),
  taste: async (say, _rounds, { model }) => {
    const { runTasteBench } = await import('./taste.ts')
    return qualityBench('taste', await runTasteBench({ say, ...omitUndefined({ model }) }))
  },
  analysis: async (say, _rounds, { seconds }) =>
    (await import('./analysis.ts')).runAnalysisBench({ say, ...omitUndefined({ seconds }) }),
  scrub: async (say, _rounds, { seconds }) =>
    (await import('./scrub.ts')).runScrubBench({ say, ...omitUndefined({ seconds }) }),
  open: async (say, rounds) =>
    (await import('./open.ts')).runOpenBench({ say, ...omitUndefined({ rounds }) }),
  wire: async (say) => (await import('./wire.ts')).runWireBench({ say }),
  load: async (say, _rounds, { seconds }) =>
    (await import('./load.ts')).runLoadBench({ say, ...omitUndefined({ seconds }) }),
  nodes: async (say) => (await import('./nodes.ts')).runNodesBench({ say }),
  promises: async (say, _rounds, { seconds }) =>
    (await import('./promises.ts')).runPromisesBench({ say, ...omitUndefined({ seconds }) }),
  soak: async (say, _rounds, { minutes }) =>
    (await import('./soak.ts')).runSoakBench({ say, ...omitUndefined({ minutes }) }),
  heap: async (say, _rounds, { minutes }) =>
    (await import('./heap.ts')).runHeapBench({ say, ...omitUndefined({ minutes }) }),
  interruptions: async (say, _rounds, { minutes, seconds, long }) => {
    const options = { say, ...omitUndefined({ minutes, seconds }) }
    if (long === undefined) return (await import('./interruptions.ts')).runInterruptionsBench(options)
    return (await import('./long-interruptions.ts')).runLongInterruptionsBench(options)
  },
  ffmpegs: async (say) => (await import('./ffmpegs.ts')).runFfmpegsBench({ say }),
  start: async (say) => (await import('./start.ts')).runStartBench({ say }),
  cards: async (say, _rounds, { seconds }) =>
    (await import('./cards.ts')).runCardsBench({ say, ...omitUndefined({ seconds }) }),
  run: async (say) => (await import('./run.ts')).runRunBench({ say }),
  api: async (say, rounds, sizes) =>
    (await import('./api.ts')).runApiBench({ say, ...sizes, ...omitUndefined({ rounds }) }),
  domain: async (say, rounds, { clips }) =>
    (await import('./domain.ts')).runDomainBench({
      say,
      ...omitUndefined({ clips, rounds }),
    }),
  standby: async (say, rounds) =>
    (await import('./standby.ts')).runStandbyBench({ say, ...omitUndefined({ rounds }) }),
  scale: async (say, _rounds, { seconds }) =>
    (await import('./scale.ts')).runScaleBench({ say, ...omitUndefined({ seconds }) }),
  search: async (say) => (await import('./search.ts')).runSearchBench({ say }),
  cuts: async (say, rounds) =>
    (await import('./cuts.ts')).runCutsBench({ say, ...omitUndefined({ rounds }) }),
  'render-memory': async (say) => (await import('./render-memory.ts')).runRenderMemoryBench({ say }),
  render: async (say, rounds, { seconds: clipSeconds }) =>
    (await import('./render.ts')).runRenderBench({
      say,
      ...omitUndefined({ rounds, clipSeconds }),
    }),
}

/** Names that stand for several: what media of delivery grade are measured by. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  media: ['ffmpegs', 'cards', 'sound-cleaning', 'cuts', 'render-memory'],
}

/** `--write` without a value means the file that each bench writes to. */
const given = process.argv
  .slice(2)
  .map((word, at, all) => (word === '--write' && all[at + 1]?.endsWith('.md') !== true ? '--write=' : word))

const { values, positionals } = parseArgs({
  args: given,
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    // Of `api` and `domain`: 1,000,000 and 100,000 when left out.
    clips: { type: 'string' },
    posts: { type: 'string' },
    // Of `render`: the played length, 30 when left out; shorter ones are for trying. Of `analysis`: the source's, 600.
    seconds: { type: 'string' },
    // For `soak`: an hour by default; the long form is 8 hours. For `heap`: half an hour. For `interruptions`: twelve.
    minutes: { type: 'string' },
    // Of `interruptions`: a source of so many minutes, 180 when left out, under a kill every minute.
    long: { type: 'boolean', default: false },
    hours: { type: 'string' },
    // For `ears`: the speech model to measure. For `taste`: the model of meaning.
    model: { type: 'string' },
    // The file that the figures are written to; left out, the bench's own: docs/quality.md or docs/performance.md.
    write: { type: 'string' },
  },
})
const wanted = positionals.flatMap((name) => GROUPS[name] ?? [name])
const unknown = wanted.filter((name) => name !== 'all' && !Object.hasOwn(BENCHES, name))
if (unknown.length > 0) {
  process.stderr.write(
    `No benchmark "${unknown.join(' ')}"; there are: ${[...Object.keys(BENCHES), ...Object.keys(GROUPS)].join(', ')}.\n`,
  )
  process.exit(2)
}

const results = join(import.meta.dirname, '..', '..', 'bench-results')
await mkdir(results, { recursive: true })
const say: Say = (line) => void process.stderr.write(`${line}\n`)
const rounds = values.rounds === undefined ? undefined : Number(values.rounds)
const sizes: Sizes = {
  ...(values.clips === undefined ? {} : { clips: Number(values.clips) }),
  ...(values.posts === undefined ? {} : { posts: Number(values.posts) }),
  ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
  ...(values.minutes === undefined ? {} : { minutes: Number(values.minutes) }),
  ...(values.hours === undefined ? {} : { minutes: Number(values.hours) * 60 }),
  ...omitUndefined({ model: values.model }),
  ...(values.long ? { long: true } : {}),
}
const docs = join(import.meta.dirname, '..', '..', 'docs')
/** Sections by file. */
const written = new Map<string, Map<string, string>>()
async function keepSection(name: string, json: object, own: Pick<Bench, 'markdown' | 'file'>): Promise<void> {
  const picture = `performance-${name}.svg`
  const isQuality = own.markdown !== undefined && own.file === undefined
  const speed = isQuality ? null : sectionOf(name, json, own.markdown, `images/${picture}`)
  const markdown = speed?.markdown ?? own.markdown
  if (markdown === undefined || values.write === undefined) return
  const usual = own.file ?? (isQuality ? 'quality.md' : 'performance.md')
  const target = values.write === '' ? join(docs, usual) : values.write
  const facts = isQuality ? '' : `\n\nMeasured on ${machineFacts(new Date())}`
  written.set(target, (written.get(target) ?? new Map<string, string>()).set(name, markdown + facts))
  if (speed?.plot == null) return
  const images = join(dirname(target), 'images')
  await mkdir(images, { recursive: true })
  await writeFile(join(images, picture), speed.plot)
}

for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes('all') && !wanted.includes(name)) continue
  say(`--- ${name}`)
  const { table, json, markdown, file, section = name } = await bench(say, rounds, sizes)
  await keepSection(section, json, omitUndefined({ markdown, file }))
  await writeFile(join(results, `${section}.json`), `${JSON.stringify(json, null, 2)}\n`)
  await writeFile(join(results, `${section}.txt`), `${table}\n`)
  if (!values.json) process.stdout.write(`${table}\n`)
  else {
    say(table)
    process.stdout.write(`${JSON.stringify(json)}\n`)
  }
}
if (values.write !== undefined) for (const [file, sections] of written) await writeSections(file, sections)
