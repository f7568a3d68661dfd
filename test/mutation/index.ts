/**
 * `npm run mutation -- [AREA or FILE...] [--write] [--fresh] [--sample PERCENT] [--seed N]`: changes the code of an area in
 * thousands of small ways, one at a time, and looks whether a test fails. Without an area, all. A file is mutated alone,
 * with the tests of its area. Results are stored in test/.artifacts/mutation, and what did not change since is not run
 * again, but with `--fresh`. `--sample` runs a share of all mutants, drawn by the seed. `--write` puts the table of whole
 * areas into docs/mutation.md.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { areas, type Area } from './areas.ts'
import { describeSurvivors, readTable, renderPage, summarize, summaryLine } from './report.ts'
import type { AreaOptions } from './runner.ts'
import { isSampled, type Sample } from './sample.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const RESULTS = path.join(ROOT, 'test/.artifacts/mutation')
const PAGE = path.join(ROOT, 'docs/mutation.md')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean' },
    fresh: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
  },
})
const sample: Sample | undefined =
  values.sample === undefined ? undefined : { percent: Number(values.sample), seed: Number(values.seed) }

process.chdir(ROOT)
mkdirSync(RESULTS, { recursive: true })
const names = positionals.filter((name) => name in areas)
const files = positionals.filter((name) => !(name in areas))
const unknown = files.filter((file) => areaOf(file) === undefined)
if (unknown.length > 0) {
  console.error(`Neither an area (${Object.keys(areas).join(', ')}) nor a file of one: ${unknown.join(', ')}`)
  process.exit(2)
}

const rows = existsSync(PAGE) ? readTable(readFileSync(PAGE, 'utf8')) : {}
for (const name of positionals.length === 0 ? Object.keys(areas) : names) {
  const results = await mutate(name, areas[name]!, areas[name]!.mutate)
  rows[name] = summarize(results, sample)
  report(name, results)
}
for (const [name, area] of Object.entries(areas)) {
  const own = files.filter((file) => areaOf(file) === name)
  if (own.length > 0) report(own.join(', '), await mutate(`${name}-files`, area, own))
}
if (values.write) writeFileSync(PAGE, renderPage(rows))

/** Runs the mutants of some files of an area; those that the sample leaves out are not in the result. */
async function mutate(name: string, area: Area, globs: string[]): Promise<MutantResult[]> {
  const stored = path.join(RESULTS, sample === undefined ? name : `${name}-sample`)
  if (values.fresh || sample !== undefined) rmSync(`${stored}.json`, { force: true })
  const tests = area.tests.flatMap((glob) => globSync(glob, { cwd: ROOT })).sort()
  const options: PartialStrykerOptions & AreaOptions = {
    area: sample === undefined ? { tests } : { tests, sample },
    mutate: [...globs, '!**/*.test.ts'],
    testRunner: 'area',
    plugins: [path.join(import.meta.dirname, 'runner.ts')],
    coverageAnalysis: 'perTest',
    // A mutant in what runs once on import (a table, a schema) would need a new process for each.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `${stored}.json`,
    concurrency: Number(values.concurrency),
    // What hangs without an end that can be counted; a factor would give it the time of the slowest tests.
    timeoutMS: 20_000,
    timeoutFactor: 0,
    dryRunTimeoutMinutes: 30,
    checkers: [],
    reporters: ['progress-append-only', 'html'],
    htmlReporter: { fileName: `${stored}.html` },
    tempDirName: 'out/mutation',
    ignorePatterns: ['out', 'docs', 'bench-results'],
    disableTypeChecks: false,
    warnings: { unknownOptions: false, preprocessorErrors: true, unserializableOptions: true, slow: true },
    allowConsoleColors: false,
  }
  const results = await new Stryker(options).runMutationTest()
  // Stryker also returns stored results of files that are no longer mutated.
  const isMutated = ({ fileName }: MutantResult) =>
    globs.some((glob) => path.matchesGlob(path.relative(ROOT, path.resolve(ROOT, fileName)), glob))
  return results.filter((result) => isMutated(result) && isSampled(result, sample))
}

function report(name: string, results: MutantResult[]): void {
  console.log(describeSurvivors(results, ROOT))
  console.log(`${name}: ${summaryLine(summarize(results, sample))}`)
}

function areaOf(file: string): string | undefined {
  const inside = ({ mutate }: Area) => mutate.some((glob) => path.matchesGlob(file, glob))
  return Object.keys(areas).find((name) => inside(areas[name]!))
}
