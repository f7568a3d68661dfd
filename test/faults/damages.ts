/**
 * `npm run faults:damages`: 200 random damages to a home, and what came of each. `--rounds N`, `--seed FIRST` (a failure
 * names its own: `--rounds 1 --seed N` plays it again), `--write`: the figures into docs/quality.md.
 */
import { parseArgs } from 'node:util'
import { damageHomes, type Round } from './support/damaged-homes.ts'
import { countRows, showFigures } from './support/figures.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
})

const WHAT: Readonly<Record<Round['target'], string>> = {
  database: 'the database',
  log: 'the log of the database',
  original: 'an original',
  key: 'the key of the secrets',
  identity: 'the mark of the home',
  backup: 'a file of the folder of backups',
  copy: 'a backup in one file, restored',
}

const begun = performance.now()
const rounds = await damageHomes(
  Number(values.rounds),
  Number(values.seed),
  ({ seed, target, kind, file, outcome, faults }) => {
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    process.stderr.write(`${seconds} s, seed ${seed}: ${kind} of ${target} (${file}): ${outcome}\n`)
    for (const fault of faults) process.stderr.write(`  MUST NOT BE: ${fault}\n`)
  },
)
const seconds = Math.round((performance.now() - begun) / 1000)

const failed = rounds.filter(({ faults }) => faults.length > 0)
const seeds = failed.length === 0 ? '' : ` (seeds ${failed.map(({ seed }) => seed).join(', ')})`

await showFigures('damages', {
  title: `Random damages to a home: ${rounds.length}`,
  table: {
    title: 'What was damaged, and what came of it',
    columns: ['damaged', 'outcome', 'times'],
    rows: countRows(rounds.map(({ target, outcome }) => [WHAT[target], outcome])),
    notes: [
      `Begun anew in silence, a wanted original deleted, an unsound backup taken, or a refusal without a way back: ${failed.length} times${seeds}.`,
      `Written by \`npm run faults:damages -- --write\`, in ${seconds} s. A home as a killed appliance leaves it, with sealed backups: one file is zeroed, cut, flipped, removed, or exchanged for an earlier one; the appliance starts on it, sweeps as in a year, and restores where it was refused. "Without what came last": a log that was removed, or cut off between two changes, is a whole log of an earlier moment to SQLite; an older database likewise. What they do not know is then kept.`,
    ],
  },
  write: values.write,
})
process.exit(failed.length > 0 ? 1 : 0)
