/** The runbook has a section for each alert, its commands are ones that work, and alerts and pages ask for metrics that exist. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runStages } from '../../server/db/schema.ts'
import { saveWorkerNode } from '../../server/db/worker-nodes.ts'
import type { Backlog, HeldTask, NodeReport } from '../../server/jobs/jobs.ts'
import { addRun, addWorkflow, fakeJobs, startTestServer, type TestServer } from '../support/server.ts'
import { typeCommand } from '../support/typed-commands.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TOKEN = 'the-token-of-the-metrics'
let folder: string
let server: TestServer
let alerts: string
let runbook: string
let dashboard: string
let reports: NodeReport[] | null = []
let backlog: Backlog[] = []
let held: HeldTask[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-runbook-'))
  const operate = { logFileBytes: 0, logFilesKept: 1, metricsToken: TOKEN }
  const nodes = {
    take: () => Promise.resolve(false),
    heldBy: () => Promise.resolve(held),
    reports: () => Promise.resolve(reports),
    backlog: () => backlog,
  }
  server = await startTestServer({
    config: { operate, queue: 'bullmq', redisUrl: 'redis://127.0.0.1:1' },
    services: { jobs: { ...fakeJobs(), nodes } },
  })
  const read = (...path: string[]): Promise<string> => readFile(join(ROOT, ...path), 'utf8')
  alerts = await read('resources', 'operate', 'alerts.yaml')
  dashboard = await read('resources', 'operate', 'grafana-dashboard.json')
  runbook = await read('docs', 'runbook.md')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const exposition = async (): Promise<string> =>
  (await server.call('/metrics', { key: null, headers: { authorization: `Bearer ${TOKEN}` } })).text

/** Names of metrics in an expression of Prometheus: words that no function, label or keyword is. */
const metricsIn = (expression: string): string[] =>
  [
    ...expression
      .replaceAll(/\{[^}]*\}|\b(?:by|on) \([^)]*\)|\bunless\b|\[[^\]]*\]/g, '')
      .matchAll(/[a-z]\w{3,}(?!\w*\()/g),
  ].map(([name]) => name)

const alertNames = (): string[] => [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map((found) => found[1] ?? '')
const alertExpressions = (): string[] =>
  [...alerts.matchAll(/^ +expr: (.+)$/gm)].map((found) => found[1] ?? '')

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}

it('alerts and the page of Grafana ask for metrics that the appliance has', async () => {
  const text = await exposition()
  const known = new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const { panels } = JSON.parse(dashboard) as Dashboard
  const expressions = [
    ...alertExpressions(),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  expect(expressions.length).toBeGreaterThan(20)
  // `up` is of Prometheus itself.
  const asked = expressions.flatMap(metricsIn)
  expect(new Set(asked).size).toBeGreaterThan(12)
  expect(asked.filter((name) => !known.has(name))).toEqual([])
  expect(metricsIn('sum by (le) (rate(cutroom_nothing_total{a="b"}[5m])) > 0.05')).toEqual([
    'cutroom_nothing_total',
  ])
})

it('counts stages that have ended, by what they are and why they failed', async () => {
  await exposition()
  const runId = addRun(server, { workflowId: addWorkflow(server), status: 'Processing' })
  const row = { runId, key: 'k', attempts: 1, startedAt: Date.now(), finishedAt: Date.now() + 1 }
  const ended = [
    { ...row, slot: 'probe', stage: 'probe', state: 'finished', milliseconds: 1500 },
    { ...row, slot: 'faces', stage: 'faces', state: 'finished', milliseconds: 90_000, reused: true },
    {
      ...row,
      slot: 'speech',
      stage: 'speech',
      state: 'failed',
      failure: { code: 'MODEL_NOT_INSTALLED', message: 'There is none.' },
    },
  ] as const
  for (const one of ended) server.services.db.orm.insert(runStages).values(one).run()
  const text = await exposition()
  expect(text).toContain('cutroom_stage_seconds_sum{stage="probe"} 1.5')
  expect(text).toContain('cutroom_stage_failures_total{stage="speech",code="MODEL_NOT_INSTALLED"} 1')
  expect(text).not.toContain('stage="faces"')
  expect(await exposition()).toContain('cutroom_stage_seconds_count{stage="probe"} 1')
})

it('finds the stages that have ended by their index', () => {
  const plan = server.services.db.sqlite
    .prepare<[], { detail: string }>('explain query plan select stage from run_stages where finished_at > 1')
    .all()
  expect(plan.map(({ detail }) => detail).join()).toContain('run_stages_by_end')
})

it('measures each worker node, and the queue alone where that is away', async () => {
  const node = { joinedAt: 1, seenAt: server.services.now() - 90_000, revokedAt: null }
  const add = (id: string, more = {}): void =>
    saveWorkerNode(server.services.db, { id, name: `render-${id}`, ...node, ...more })
  add('1')
  add('2')
  add('3', { revokedAt: 5 })
  const moved = { read: 70, written: 30 }
  reports = [
    {
      nodeId: '1',
      storeThere: false,
      slots: { render: { busy: 2, all: 3 } },
      cacheBytes: 9,
      moved: { store: moved, appliance: { read: 2, written: 1 } },
    },
  ]
  backlog = [{ label: 'render', waiting: 4, oldestMs: 2500 }]
  const task = { key: 'k', sources: new Set<string>(), results: new Set<string>() }
  held = [
    { stage: 'render', ...task },
    { stage: 'render', ...task },
  ]
  const text = await exposition()
  expect(text).toContain('cutroom_worker_queue_up 1')
  expect(text).toContain('cutroom_worker_up{node="1",name="render-1"} 1')
  expect(text).toContain('cutroom_worker_up{node="2",name="render-2"} 0')
  expect(text).toContain('cutroom_worker_stages{node="1",name="render-1",stage="render"} 2')
  expect(text).toContain('cutroom_worker_seen_age_seconds{node="1",name="render-1"} 0')
  const [, age] = /cutroom_worker_seen_age_seconds\{node="2",name="render-2"\} ([\d.]+)/.exec(text) ?? []
  expect(Math.round(Number(age) / 10)).toBe(9)
  expect(text).not.toContain('render-3')
  for (const line of [
    'cutroom_worker_queue_depth{label="render"} 4',
    'cutroom_worker_queue_oldest_seconds{label="render"} 2.5',
    'cutroom_worker_slots{node="1",name="render-1",label="render",state="busy"} 2',
    'cutroom_worker_slots{node="1",name="render-1",label="render",state="idle"} 1',
    'cutroom_worker_store_up{node="1",name="render-1"} 0',
    'cutroom_worker_cache_bytes{node="1",name="render-1"} 9',
    'cutroom_worker_transfer_bytes{node="1",name="render-1",way="store",direction="read"} 70',
    'cutroom_worker_transfer_bytes{node="1",name="render-1",way="appliance",direction="written"} 1',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('cutroom_worker_store_up{node="2"')
  reports = null
  const away = await exposition()
  expect(away).toContain('cutroom_worker_queue_up 0')
  expect(away).not.toContain('cutroom_worker_up{')
})

it('has a section for each alert', () => {
  expect(alertNames().length).toBeGreaterThan(8)
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map((found) => found[1])
  expect(alertNames().filter((name) => !sections.includes(name))).toEqual([])
})

it('has commands that work, one after the other', async () => {
  const home = await mkdtemp(join(folder, 'home-'))
  const backups = await mkdtemp(join(folder, 'backups-'))
  await writeFile(join(home, 'config.json'), JSON.stringify({ backupTo: backups, minFreeBytes: 0 }))
  const call = (words: readonly string[]) => typeCommand(home, words)
  expect((await call(['company', 'create', 'acme', '--name', 'Acme'])).code).toBe(0)
  expect((await call(['backups', 'run'])).code).toBe(0)
  const blocks = [...runbook.matchAll(/^```sh\n([^]*?)^```$/gm)].map((found) => found[1] ?? '')
  const commands = new Set(blocks.flatMap((block) => block.trim().split('\n')))
  expect(commands.size).toBeGreaterThan(8)
  for (const command of commands) {
    const [program, ...words] = command.split(' ')
    expect(program).toBe('cutroom')
    // The doctor ends with 1 for what a bare home lacks.
    const { code, out, notes } = await call(words)
    const allowed = words[0] === 'doctor' ? [0, 1] : [0]
    expect([command, allowed.includes(code), [...out, ...notes].join('\n')]).toEqual([
      command,
      true,
      expect.any(String),
    ])
  }
})
