/**
 * `npm run faults:power`: records what an appliance writes (strace), and cuts the power 200 times at random moments of that.
 * `--rounds N`, `--seed FIRST` (a failure names its own), `--recording FOLDER`: one of before, `--write`: the figures into
 * docs/quality.md.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cutOnce, type Cut } from './power/judge.ts'
import { readRecording, record, whyNoTrace } from './power/record.ts'
import { countRows, showFigures } from './support/figures.ts'

/** Each of so many waits for the run to go on to its end. */
const GOES_ON_EVERY = 20

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    recording: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const why = whyNoTrace()
if (why !== null) {
  process.stderr.write(`This needs strace, and the right to trace (apt-get install strace): ${why}\n`)
  process.exit(2)
}
const folder = values.recording ?? (await mkdtemp(join(tmpdir(), 'cutroom-power-')))
const begun = performance.now()
const seconds = (): string => ((performance.now() - begun) / 1000).toFixed(0)
const recorded = values.recording === undefined ? await record(folder) : await readRecording(folder)
process.stderr.write(`${seconds()} s: ${recorded.events.length} changes were recorded\n`)

const cuts: Cut[] = []
for (let at = 0; at < Number(values.rounds); at += 1) {
  const cut = await cutOnce(recorded, Number(values.seed) + at, folder, at % GOES_ON_EVERY === 0)
  cuts.push(cut)
  process.stderr.write(
    `${seconds()} s, seed ${cut.seed}: ${cut.kind} disk, after ${cut.until} changes and ${cut.promises} promises: ${cut.outcome}\n`,
  )
  for (const fault of cut.faults) process.stderr.write(`  MUST NOT BE: ${fault}\n`)
}
const failed = cuts.filter(({ faults }) => faults.length > 0)
const seeds = failed.length === 0 ? '' : ` (seeds ${failed.map(({ seed }) => seed).join(', ')})`
const DISKS = {
  journal: 'keeps names in order (ext4, xfs)',
  strict: 'loses any name whose folder was not synced',
}

await showFigures('power', {
  title: `Power cuts: ${cuts.length}`,
  table: {
    title: 'What a power cut left, and what came of it',
    columns: ['disk that', 'outcome', 'times'],
    rows: countRows(cuts.map(({ kind, outcome }) => [DISKS[kind], outcome])),
    notes: [
      `Not started, a damaged database, something lost that was answered as done, or a file that the database knows torn or gone: ${failed.length} times${seeds}.`,
      `Written by \`npm run faults:power -- --write\`, in ${seconds()} s. Recorded were ${recorded.events.length} changes of files, with their bytes, from a first start over a run, an upload in pieces and an edit to a backup: calls of all processes in their order. The power is cut after any one of them; a write that no sync of its file followed is kept, lost or torn at its sectors, each by chance and in any order. ${recorded.promised.length} answers count as promises from the moment at which the client had them. Not simulated: a disk that loses what it reported as synced.`,
    ],
  },
  write: values.write,
})
if (values.recording === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
process.exit(failed.length > 0 ? 1 : 0)
