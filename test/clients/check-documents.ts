/**
 * `npm run check:documents [-- --requests N --seed S --api public|domain --phases P,P --path REGEX --without REGEX
 * --write]`: schemathesis makes requests from both OpenAPI documents, valid and not, one by one and in the steps that the links say,
 * and sends them to a server of its own. `--write` puts the figures of a whole run into 0073. Exit status 1 when there is a 5xx, a status, header or body that is not documented, something not valid that is taken, or something valid that is refused for
 * another reason than those of semantic-refusals.json. `npm run install:clients` installs it.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { asMarkdown, writeSections } from '../bench/report.ts'
import type { Ready } from '../fuzz/server-process.ts'
import { DOCUMENTS } from './documents.ts'
import { HERE } from './generators.ts'

type Api = keyof typeof DOCUMENTS

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    api: { type: 'string' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    path: { type: 'string' },
    without: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'listed_refusal',
]

/** What schemathesis reports of a run. */
interface Report {
  readonly schemathesis_version: string
  readonly operations: { readonly tested: number; readonly total: number }
  readonly test_cases: {
    readonly generated: number
    readonly with_failures: number
    readonly errored: number
  }
}

const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'] as const
const rows: string[][] = []
let version = ''

/** A line of the table: cases by phase, and how many failed. */
async function count(api: Api, reportFile: string, countsFile: string): Promise<void> {
  const report = JSON.parse(await readFile(reportFile, 'utf8')) as Report
  const sent = JSON.parse(await readFile(countsFile, 'utf8')) as Record<string, number>
  const { operations, test_cases: cases } = report
  version = report.schemathesis_version
  const figure = (number: number): string => number.toLocaleString('en-US')
  rows.push([
    api,
    `${operations.tested} of ${operations.total}`,
    ...PHASES.map((phase) => figure(sent[phase] ?? 0)),
    figure(cases.generated),
    figure(cases.with_failures + cases.errored),
  ])
}

async function check(api: Api, { port }: Ready, ready: string): Promise<boolean> {
  const config = ['--config-file', join(HERE, 'schemathesis.toml')]
  const folder = dirname(ready)
  const reportFile = join(folder, 'report.json')
  const countsFile = join(folder, 'counts.json')
  const words = [...config, 'run', `http://127.0.0.1:${port}${DOCUMENTS[api]}`]
  const options = {
    '--phases': values.phases,
    '--checks': CHECKS.join(','),
    '--max-examples': values.requests,
    '--seed': values.seed,
    '--suppress-health-check': 'all',
    '--report-json-path': reportFile,
    ...(values.path === undefined ? {} : { '--include-path-regex': values.path }),
    ...(values.without === undefined ? {} : { '--exclude-path-regex': values.without }),
  }
  const child = spawn(
    join(HERE, '.venv', 'bin', 'schemathesis'),
    [...words, ...Object.entries(options).flat(), '--continue-on-failure', '--no-shrink'],
    {
      stdio: 'inherit',
      // It leaves its notes where it runs.
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: HERE,
        SCHEMATHESIS_HOOKS: 'document_hooks',
        CUTROOM_READY: ready,
        CUTROOM_COUNTS: countsFile,
        CUTROOM_API: api,
      },
    },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  await count(api, reportFile, countsFile)
  return code === 0
}

/** Where the figures are written to. */
const RECORD = join(HERE, '..', '..', 'docs', 'decisions', '0073-clients-and-their-documents.md')

const wanted = (Object.keys(DOCUMENTS) as Api[]).filter((api) => (values.api ?? api) === api)
const server = fork(join(HERE, '..', 'fuzz', 'server-process.ts'), ['renders-go-on'], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
const folder = await mkdtemp(join(tmpdir(), 'cutroom-documents-'))
try {
  const [ready] = (await once(server, 'message')) as [Ready]
  const file = join(folder, 'ready.json')
  await writeFile(file, JSON.stringify(ready))
  for (const api of wanted) if (!(await check(api, ready, file))) process.exitCode = 1
  const table = asMarkdown({
    title: 'Figures',
    tables: [
      {
        title: `Cases of schemathesis ${version}, seed ${values.seed}, ${values.requests} examples`,
        columns: ['API', 'Operations', ...PHASES, 'All', 'Failed'],
        rows,
      },
    ],
    unmeasured: [],
  })
  process.stdout.write(`${table}\n`)
  if (values.write) await writeSections(RECORD, new Map([['documents', table]]))
} finally {
  if (server.connected) server.disconnect()
  if (server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}
