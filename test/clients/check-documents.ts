/**
 * `npm run check:documents [-- --requests N --seed S --api public|domain --phases P,P --path REGEX --without REGEX]`: schemathesis makes requests from both OpenAPI documents,
 * valid and not, one by one and in the steps that the links say, and sends them to a server of its own. Exit status 1 when there is a
 * 5xx, a status, header or body that is not documented, something not valid that is taken, or something valid that is refused for
 * another reason than those of semantic-refusals.json. `npm run install:clients` installs it.
 */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
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

async function check(api: Api, { port }: Ready, ready: string): Promise<boolean> {
  const config = ['--config-file', join(HERE, 'schemathesis.toml')]
  const words = [...config, 'run', `http://127.0.0.1:${port}${DOCUMENTS[api]}`]
  const options = {
    '--phases': values.phases,
    '--checks': CHECKS.join(','),
    '--max-examples': values.requests,
    '--seed': values.seed,
    '--suppress-health-check': 'all',
    ...(values.path === undefined ? {} : { '--include-path-regex': values.path }),
    ...(values.without === undefined ? {} : { '--exclude-path-regex': values.without }),
  }
  const child = spawn(
    join(HERE, '.venv', 'bin', 'schemathesis'),
    [...words, ...Object.entries(options).flat(), '--continue-on-failure', '--no-shrink'],
    {
      stdio: 'inherit',
      // It leaves its notes where it runs.
      cwd: dirname(ready),
      env: {
        ...process.env,
        PYTHONPATH: HERE,
        SCHEMATHESIS_HOOKS: 'document_hooks',
        CUTROOM_READY: ready,
        CUTROOM_API: api,
      },
    },
  )
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

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
} finally {
  if (server.connected) server.disconnect()
  if (server.exitCode === null) await once(server, 'exit')
  await rm(folder, { recursive: true, force: true })
}
