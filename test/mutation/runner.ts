/**
 * A test runner for Stryker that imports the tests of an area once and then runs single tests with one mutant after the
 * other, about ten milliseconds each. Stryker's own runner for vitest imports every test file anew for each mutant
 * (seconds), and with vitest 5 its filter by test name matches only tests outside of a `describe`.
 */
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  INSTRUMENTER_CONSTANTS,
  type Mutant,
  type Position,
  type StrykerOptions,
} from '@stryker-mutator/api/core'
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  determineHitLimitReached,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import { createVitest, type Vitest } from 'vitest/node'
import type { Answer, Request, TestOutcome } from './messages.ts'
import { isSampled, type Sample } from './sample.ts'

/** Milliseconds of processor time. A slower test is not run where a quicker one reaches the mutant. */
const SLOW_TEST = 200
/** A mutant that makes code run this many times as often as without it has made a loop without an end. */
const MOST_HITS = 100
/** Where the process that ran the tests without a mutant leaves its facts for the others; in the sandbox. */
const FACTS = '.mutation-facts.json'

/** What the first run found, by test: processor time in milliseconds, and how often it reached each mutant. */
interface Facts {
  durations: Record<string, number>
  hits: Record<string, Record<string, number>>
}

const THREAD = path.join(import.meta.dirname, 'thread.ts')

/** What index.ts passes on besides Stryker's own options. */
export interface AreaOptions {
  area: { tests: string[]; sample?: Sample }
}

class AreaRunner implements TestRunner {
  static inject = tokens(commonTokens.options)
  readonly testFiles: string[]
  readonly sample: Sample | undefined
  vitest: Vitest | undefined
  channel: BroadcastChannel | undefined
  running: Promise<unknown> | undefined
  facts: Facts | undefined
  /** Mutants that ran since the tests were imported. */
  used = 0

  constructor(options: StrykerOptions) {
    const { area } = options as StrykerOptions & AreaOptions
    this.testFiles = area.tests
    this.sample = area.sample
  }

  /** Mutants in what also runs on import are tried in the functions only, so nothing needs to be imported anew. */
  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    process.env['NODE_ENV'] = 'test'
    process.env['VITEST'] = '1'
    await this.start()
  }

  /** Starts one thread that has imported the tests of the area and waits for requests. */
  async start(): Promise<void> {
    const entry = path.resolve(`.mutation-entry-${process.pid}.test.ts`)
    await writeFile(entry, entryOf(this.testFiles))
    const name = randomUUID()
    this.channel = new BroadcastChannel(name)
    const ready = this.next('ready')
    this.vitest = await createVitest('test', {
      config: false,
      root: process.cwd(),
      include: [path.basename(entry)],
      runner: THREAD,
      pool: 'threads',
      isolate: false,
      maxWorkers: 1,
      watch: false,
      reporters: [{}],
      provide: { mutationChannel: name, mutationNamespace: INSTRUMENTER_CONSTANTS.NAMESPACE },
      // The first run counts what each test reaches, which makes the slowest ones slower by far.
      testTimeout: 300_000,
      hookTimeout: 300_000,
    })
    this.running = this.vitest.start()
    const failed = this.running.then(() => {
      const errors = this.vitest!.state.getFiles().flatMap((file) => file.result?.errors ?? [])
      throw new Error(`the tests could not be imported: ${errors.map(({ message }) => message).join('\n')}`)
    })
    await Promise.race([ready, failed])
    failed.catch(() => undefined)
    this.used = 0
  }

  next<Kind extends Answer['kind']>(kind: Kind): Promise<Answer & { kind: Kind }> {
    return new Promise((resolve) => {
      this.channel!.onmessage = ({ data }: { data: unknown }) => {
        const answer = data as Answer
        if (answer.kind === kind) resolve(answer as Answer & { kind: Kind })
      }
    })
  }

  async ask<Kind extends 'dry-run' | 'mutant'>(request: Request & { kind: Kind }) {
    const answer = this.next(request.kind)
    this.channel!.postMessage(request)
    return await answer
  }

  async dryRun(): Promise<DryRunResult> {
    const { tests, coverage } = await this.ask({ kind: 'dry-run' })
    const durations = Object.fromEntries(tests.map(({ id, duration }) => [id, duration]))
    await writeFile(FACTS, JSON.stringify({ durations, hits: coverage?.perTest ?? {} } satisfies Facts))
    return {
      status: DryRunStatus.Complete,
      tests: tests.map(resultOf),
      ...(coverage && { mutantCoverage: coverage }),
    }
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (!isSampled(placeOf(options.activeMutant), this.sample)) {
      return { status: MutantRunStatus.Error, errorMessage: 'not in the sample' }
    }
    const fresh = this.used === 0
    let answer = await this.runMutant(options)
    if (answer.polluted) {
      await this.restart()
      if (!fresh) {
        answer = await this.runMutant(options)
        if (answer.polluted) await this.restart()
      }
    }
    const timeout = determineHitLimitReached(answer.hits, answer.hitLimit)
    if (timeout) return { status: MutantRunStatus.Timeout, reason: timeout.reason ?? '' }
    if (answer.failed.length === 0) return { status: MutantRunStatus.Survived, nrOfTests: answer.ran }
    return {
      status: MutantRunStatus.Killed,
      killedBy: answer.failed.map(({ id }) => id),
      failureMessage: answer.failed[0]?.error ?? '',
      nrOfTests: answer.ran,
    }
  }

  async runMutant({ activeMutant, testFilter, disableBail }: MutantRunOptions) {
    this.used++
    this.facts ??= JSON.parse(await readFile(FACTS, 'utf8')) as Facts
    const { durations, hits } = this.facts
    const mutant = activeMutant.id
    const durationOf = (id: string) => durations[id] ?? 0
    const sorted = (testFilter ?? Object.keys(durations)).toSorted(
      (one, other) => durationOf(one) - durationOf(other),
    )
    const quick = sorted.filter((id) => durationOf(id) < SLOW_TEST)
    const tests = quick.length > 0 ? quick : sorted.slice(0, 1)
    const usual = tests.reduce((sum, id) => sum + (hits[id]?.[mutant] ?? 0), 0)
    const hitLimit = MOST_HITS * Math.max(1, usual)
    const answer = await this.ask({ kind: 'mutant', mutant, tests, hitLimit, bail: !disableBail })
    return { ...answer, hitLimit }
  }

  async restart(): Promise<void> {
    await this.dispose()
    await this.start()
  }

  async dispose(): Promise<void> {
    this.channel?.postMessage({ kind: 'stop' } satisfies Request)
    await this.running?.catch(() => undefined)
    await this.vitest?.close()
    this.channel?.close()
  }
}

/** Stryker counts lines and columns from 0 in what it runs, and from 1 in what it reports. */
function placeOf({ fileName, location: { start, end }, replacement }: Mutant) {
  const count = ({ line, column }: Position) => ({ line: line + 1, column: column + 1 })
  return { fileName, location: { start: count(start), end: count(end) }, replacement }
}

/** One test file that imports all others, each in a suite with its path for a name. */
function entryOf(files: string[]): string {
  const imports = files.map((file) => `describe(${JSON.stringify(file)}, () => import('./${file}'))`)
  return ["import { describe } from 'vitest'", ...imports, ''].join('\n')
}

function resultOf({ id, name, file, elapsed, state, error }: TestOutcome): TestResult {
  const base = { id, name, timeSpentMs: elapsed, fileName: path.resolve(file) }
  if (state === 'fail') return { ...base, status: TestStatus.Failed, failureMessage: error ?? '' }
  return { ...base, status: state === 'pass' ? TestStatus.Success : TestStatus.Skipped }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'area', AreaRunner)]
