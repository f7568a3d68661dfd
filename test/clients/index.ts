/**
 * `npm run check:clients`: both OpenAPI documents through a validator, a linter and five generators of clients, and the main
 * job by each client on a real appliance. Exit status 1 when a generator drops an operation or a schema, when anything warns,
 * or when a client fails. `-- --write` renews the types of our own clients. `npm run install:clients` installs the programs.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFiles } from '../../server/cli/serve-files.ts'
import { loadConfig } from '../../server/config/config.ts'
import { startAppliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'
import { DOCUMENTS } from './documents.ts'
import { GENERATORS, HERE, runTool, type Generator } from './generators.ts'
import { byOwnClient, type Done, MAIN_JOBS } from './main-job.ts'
import { pythonTypes } from './python-types.ts'

interface Document {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>
  readonly components: { readonly schemas: Record<string, object> }
}

const MADE = join(HERE, 'made')
const problems: string[] = []
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const judge = (what: string, wrong: string | null): void => {
  say(`${wrong === null ? 'ok  ' : 'FAIL'} ${what}${wrong === null ? '' : `\n     ${wrong}`}`)
  if (wrong !== null) problems.push(what)
}

/** As each language spells a name. */
const spelled = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()

function missing(wanted: readonly string[], made: readonly string[] | number): string | null {
  if (typeof made === 'number') return made === wanted.length ? null : `${made} of ${wanted.length}`
  const there = new Set(made.map(spelled))
  const gone = wanted.filter((name) => !there.has(spelled(name)))
  return gone.length === 0 ? null : `without ${gone.join(', ')}`
}

async function generate(
  generator: Generator,
  name: string,
  file: string,
  document: Document,
): Promise<string> {
  const folder = join(MADE, name, generator.name.replaceAll('/', '-'))
  await mkdir(folder, { recursive: true })
  const [tool, ...words] = generator.command(file, folder)
  const { ok, text } = await runTool(tool, words)
  judge(`${generator.name} makes a client of the ${name} API`, ok ? null : text.slice(-2000))
  if (!ok) return folder
  const { operations, schemas, unionsInline = false } = await generator.read(folder)
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map((one) => one.operationId),
  )
  judge(`  it has all ${ids.length} operations`, missing(ids, operations))
  const named = Object.entries(document.components.schemas)
    .filter(([, schema]) => !unionsInline || !('anyOf' in schema || 'oneOf' in schema))
    .map(([name]) => name)
  if (schemas !== null) judge(`  it has all ${named.length} schemas`, missing(named, schemas))
  return folder
}

async function lint(name: string, file: string): Promise<void> {
  const linted = await runTool('redocly', ['lint', '--extends', 'recommended', '--format', 'json', file])
  const { problems: found } = JSON.parse(linted.out) as {
    problems: { message: string; location: { pointer?: string }[] }[]
  }
  judge(
    `Redocly's recommended rules find nothing in the ${name} API`,
    found.length === 0
      ? null
      : found.map(({ message, location }) => `${location[0]?.pointer ?? ''} ${message}`).join('\n     '),
  )
  const valid = await runTool('openapi-spec-validator', [file])
  judge(`openapi-spec-validator takes the ${name} API`, valid.ok ? null : valid.text.slice(-2000))
}

async function judgeMainJob(client: string, job: Promise<Done>): Promise<void> {
  const wrong = await job.then(
    async ({ title, clips, renderUrl }) => {
      const film = await fetch(renderUrl)
      const bytes = (await film.arrayBuffer()).byteLength
      if (!film.ok || bytes < 10_000) return `the film is ${film.status}, ${bytes} bytes`
      return title === '' || clips === 0 ? 'the clip has no title' : null
    },
    (error: unknown) => String(error),
  )
  judge(`${client}: a run is triggered, waited for, read, rendered, downloaded`, wrong)
}

const CLIENTS = join(HERE, '..', '..', 'resources', 'clients')
const PYTHON_CLIENT = join(CLIENTS, 'python')

/** Holds the types of one of our clients against those that the document makes; writes them with `--write`. */
async function holdTypes(client: string, file: string, made: string): Promise<void> {
  if (process.argv.includes('--write')) await writeFile(file, made)
  const same = made === (await readFile(file, 'utf8'))
  judge(`${client} has the types of this document`, same ? null : 'npm run check:clients -- --write')
}

/** Holds the types of both of our clients, and Python's against a checker of types; then it is packed. */
async function holdOwnClients(made: string, document: Document): Promise<void> {
  const types = await readFile(join(made, 'schema.d.ts'), 'utf8')
  await holdTypes('cutroom-client', join(CLIENTS, 'typescript', 'src', 'schema.ts'), types)
  const source = join(PYTHON_CLIENT, 'src', 'cutroom_client')
  await holdTypes("Python's cutroom-client", join(source, 'schema.py'), pythonTypes(document))
  const typed = await runTool('mypy', ['--strict', '--cache-dir', join(MADE, 'mypy'), source])
  judge('mypy --strict finds nothing in it', typed.ok ? null : typed.text.slice(-2000))
  const words = ['wheel', '--no-deps', '--no-build-isolation', '-q', '-w', join(MADE, 'wheel'), PYTHON_CLIENT]
  const packed = await runTool('pip', words)
  judge('it is packed', packed.ok ? null : packed.text.slice(-2000))
}

async function main(): Promise<void> {
  if (!existsSync(join(HERE, 'node_modules')) || !existsSync(join(HERE, '.venv')))
    throw new Error('The generators are not here: npm run install:clients')
  await rm(MADE, { recursive: true, force: true })
  const folder = await mkdtemp(join(tmpdir(), 'cutroom-clients-'))
  const { video, captions } = await makeTinyTalk(folder)
  const host = await serveFiles(
    new Map([
      ['talk.mp4', video],
      ['talk.srt', captions],
    ]),
  )
  const config = loadConfig({ home: join(folder, 'home'), port: '0' }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const appliance = await startAppliance(config, createLogger('error'))
  try {
    const key = appliance.firstKey ?? ''
    const companyId = 'local'
    const listed = (await (
      await fetch(`${appliance.url}/workflows?companyId=${companyId}`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).json()) as { workflows: { id: string }[] }
    const workflowId = listed.workflows[0]?.id ?? ''
    const place = { url: appliance.url, key, companyId, workflowId, video: `${host.url}/talk.mp4` }
    for (const [name, path] of Object.entries(DOCUMENTS)) {
      const text = await (await fetch(`${appliance.url}${path}`)).text()
      const file = join(MADE, `${name}.json`)
      await mkdir(MADE, { recursive: true })
      await writeFile(file, text)
      await lint(name, file)
      for (const generator of GENERATORS) {
        const client = await generate(generator, name, file, JSON.parse(text) as Document)
        if (name !== 'public') continue
        if (generator.name === 'openapi-typescript')
          await holdOwnClients(client, JSON.parse(text) as Document)
        const job = MAIN_JOBS[generator.name]
        if (job === undefined) throw new Error(`there is no main job for ${generator.name}`)
        await judgeMainJob(generator.name, job(client, place))
      }
    }
    await judgeMainJob('cutroom-client', byOwnClient(place))
  } finally {
    await appliance.stop()
    await host.close()
    await rm(folder, { recursive: true, force: true })
    await rm(MADE, { recursive: true, force: true })
  }
  say(problems.length === 0 ? 'all of it holds' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
}

await main()
