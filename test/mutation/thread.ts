/**
 * The runner inside vitest's worker thread. The tests of an area are imported once; then single tests are run again and
 * again, each time with another mutant switched on. Vitest itself would import every test file anew for each mutant,
 * which takes seconds.
 */
import fc from 'fast-check'
import { TestRunner, inject, type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite } from 'vitest'
import type { Answer, Request, StrykerNamespace, TestOutcome } from './messages.ts'

declare module 'vitest' {
  interface ProvidedContext {
    mutationChannel: string
    mutationNamespace: string
  }
}

/** Milliseconds that a property of fast-check may look for a mutant. */
const PROPERTY_LIMIT = 100

type Hooks = ReturnType<typeof TestRunner.getSuiteHooks>
type AnyHook = (...parameters: unknown[]) => unknown
/** What a test registered with `onTestFinished` and `onTestFailed`; vitest does not declare it. */
interface Finishers {
  onFinished?: AnyHook[] | undefined
  onFailed?: AnyHook[] | undefined
}

const namespaces = globalThis as unknown as Record<string, StrykerNamespace | undefined>

export default class MutationThread extends TestRunner {
  readonly stryker: StrykerNamespace
  readonly tests = new Map<string, RunnerTestCase>()

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config)
    this.stryker = namespaces[inject('mutationNamespace')] ??= {}
  }

  async onBeforeRunFiles(files: RunnerTestFile[]): Promise<void> {
    for (const test of files.flatMap(listTests)) this.tests.set(testId(test), test)
    for (const file of files) await this.onBeforeRunSuite(file)
    await this.serve()
    // Vitest continues its own run when this returns, and has nothing left to do.
    for (const file of files) file.mode = 'skip'
  }

  /** Answers requests, one after the other, until it is stopped. */
  serve(): Promise<void> {
    const channel = new BroadcastChannel(inject('mutationChannel'))
    const send = (answer: Answer) => channel.postMessage(answer)
    return new Promise((resolve) => {
      channel.onmessage = ({ data }: { data: unknown }) => {
        const request = data as Request
        if (request.kind === 'dry-run') void this.dryRun().then(send)
        if (request.kind === 'mutant') void this.runMutant(request).then(send)
        if (request.kind === 'stop') {
          channel.close()
          resolve()
        }
      }
      send({ kind: 'ready' })
    })
  }

  async dryRun(): Promise<Answer> {
    this.stryker.activeMutant = undefined
    const { outcomes } = await this.runTests([...this.tests.values()], false)
    return { kind: 'dry-run', tests: outcomes, coverage: this.stryker.mutantCoverage }
  }

  async runMutant(request: Request & { kind: 'mutant' }): Promise<Answer> {
    fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: PROPERTY_LIMIT })
    const { stryker } = this
    const chosen = request.tests?.map((id) => this.tests.get(id)) ?? [...this.tests.values()]
    const known = chosen.filter((test) => test !== undefined)
    stryker.hitCount = 0
    stryker.hitLimit = request.hitLimit
    stryker.activeMutant = request.mutant
    const { outcomes } = await this.runTests(known, request.bail)
    const hits = stryker.hitCount
    stryker.activeMutant = undefined
    stryker.hitLimit = undefined
    const failed = outcomes.filter(({ state }) => state === 'fail')
    const again = failed.slice(0, 1).map(({ id }) => this.tests.get(id)!)
    const unmutated = await this.runTests(again, true)
    const polluted = unmutated.outcomes.some(({ state }) => state === 'fail')
    return { kind: 'mutant', ran: outcomes.length, failed, hits, polluted }
  }

  /** Runs tests in the order given. Suites that prepare something stay open until the last test. */
  async runTests(tests: RunnerTestCase[], bail: boolean): Promise<{ outcomes: TestOutcome[] }> {
    const open = new Map<RunnerTestSuite, AnyHook[]>()
    const outcomes: TestOutcome[] = []
    for (const test of tests) {
      const outcome = await this.runOne(test, open)
      outcomes.push(outcome)
      if (bail && outcome.state === 'fail') break
    }
    for (const [suite, cleanups] of [...open].reverse()) {
      await quietly(async () => {
        for (const hook of [...hooksOf(suite).afterAll, ...cleanups]) await hook(suite)
      })
    }
    this.stryker.currentTestId = undefined
    return { outcomes }
  }

  async runOne(test: RunnerTestCase, open: Map<RunnerTestSuite, AnyHook[]>): Promise<TestOutcome> {
    const outcome: TestOutcome = {
      id: testId(test),
      name: nameOf(test),
      file: fileOf(test),
      duration: 0,
      elapsed: 0,
      state: 'skip',
    }
    if (test.mode !== 'run' && test.mode !== 'queued') return outcome
    this.stryker.currentTestId = outcome.id
    const start = process.threadCpuUsage()
    const clock = performance.now()
    test.result = { state: 'run', startTime: 0, retryCount: 0 }
    const error = await this.attempt(test, open)
    const { user, system } = process.threadCpuUsage(start)
    outcome.elapsed = performance.now() - clock
    outcome.duration = (user + system) / 1000
    outcome.state = (error === undefined) === (test.fails !== true) ? 'pass' : 'fail'
    if (outcome.state === 'fail') outcome.error = error ?? 'expected to fail'
    return outcome
  }

  /** The message of what went wrong, or undefined. */
  async attempt(test: RunnerTestCase, open: Map<RunnerTestSuite, AnyHook[]>): Promise<string | undefined> {
    const suites = suitesOf(test)
    const cleanups: AnyHook[] = []
    const finishers = test as Finishers
    let error = await quietly(async () => {
      for (const suite of suites) if (!open.has(suite)) await openSuite(suite, open)
      await this.onBeforeRunTask(test)
      this.onBeforeTryTask(test, { retry: 0, repeats: 0 })
      for (const suite of suites) {
        for (const hook of hooksOf(suite).beforeEach) {
          const cleanup = await hook(test.context, suite)
          if (typeof cleanup === 'function') cleanups.push(cleanup as AnyHook)
        }
      }
      await TestRunner.getTestFn(test)()
      this.onAfterTryTask(test)
      if (test.result?.state === 'fail') throw new Error(test.result.errors?.[0]?.message ?? 'failed')
    })
    for (const suite of suites.toReversed()) {
      for (const hook of hooksOf(suite).afterEach) error ??= await quietly(() => hook(test.context, suite))
    }
    for (const hook of [...cleanups, ...(finishers.onFinished ?? [])].toReversed()) {
      error ??= await quietly(() => hook(test.context))
    }
    finishers.onFinished = undefined
    finishers.onFailed = undefined
    return error
  }
}

async function openSuite(suite: RunnerTestSuite, open: Map<RunnerTestSuite, AnyHook[]>) {
  const cleanups: AnyHook[] = []
  open.set(suite, cleanups)
  for (const hook of hooksOf(suite).beforeAll) {
    const cleanup = await hook(suite)
    if (typeof cleanup === 'function') cleanups.push(cleanup as AnyHook)
  }
}

function hooksOf(suite: RunnerTestSuite): Record<keyof Hooks, AnyHook[]> {
  return TestRunner.getSuiteHooks(suite) as unknown as Record<keyof Hooks, AnyHook[]>
}

/** Runs something and gives the message of what it threw instead of throwing it. */
async function quietly(action: () => unknown): Promise<string | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function listTests(suite: RunnerTestSuite): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? listTests(task) : [task]))
}

/** The suites around a test, the outermost (the file) first. */
function suitesOf(test: RunnerTestCase): RunnerTestSuite[] {
  const suites: RunnerTestSuite[] = []
  for (let suite = test.suite; suite; suite = suite.suite) suites.unshift(suite)
  if (suites[0] !== test.file) suites.unshift(test.file)
  return suites
}

/** The first suite under the entry file carries the path of the test file (see `entryOf` in runner.ts). */
function fileOf(test: RunnerTestCase): string {
  return suitesOf(test)[1]?.name ?? ''
}

function nameOf(test: RunnerTestCase): string {
  const suites = suitesOf(test).slice(2)
  return [...suites.map(({ name }) => name), test.name].join(' > ')
}

function testId(test: RunnerTestCase): string {
  return `${fileOf(test)}#${nameOf(test)}`
}
