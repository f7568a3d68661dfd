/**
 * One server of the API benchmark in its own process: `ours` is the appliance's HTTP server; `bare` is node:http alone,
 * which answers rows of the same database as JSON without authentication. `node test/bench/api-process.ts ours|bare
 * HOME`
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { openHome } from '../../server/home.ts'
import { startHttpServer } from '../../server/http/server.ts'
import type { Jobs } from '../../server/jobs/jobs.ts'
import { createLogger } from '../../server/log.ts'

const [, , kind = '', root = ''] = process.argv
const home = openHome(root)
const db = openDatabase(home.database)

async function startOurs(): Promise<number> {
  const jobs: Jobs = {
    wake: () => undefined,
    cancel: () => undefined,
    whenSettled: () => Promise.resolve(null),
    stop: () => Promise.resolve(),
  }
  const config = loadConfig({ home: root, port: '0' }, {})
  return (await startHttpServer({ config, home, db, jobs, log: createLogger('warn'), now: Date.now })).port
}

interface ClipRow {
  readonly id: string
  readonly company_id: string
  readonly workflow_id: string
  readonly created_at: number
  readonly updated_at: number
  readonly document: string
}
interface WorkflowRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly graph: string
}

async function startBare(): Promise<number> {
  const clip = db.sqlite.prepare<[string], ClipRow>('select * from clips where id = ?')
  const workflow = db.sqlite.prepare<[string], WorkflowRow>('select * from workflows where id = ?')
  const answers: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/clip': (query) => {
      const row = clip.get(query.get('clipId') ?? '')
      if (row === undefined) return null
      const times = { createdAt: new Date(row.created_at), updatedAt: new Date(row.updated_at) }
      const ids = { id: row.id, companyId: row.company_id, workflowId: row.workflow_id }
      return { clip: { ...ids, ...times, ...(JSON.parse(row.document) as object) } }
    },
    '/workflow': (query) => {
      const row = workflow.get(query.get('workflowId') ?? '')
      if (row === undefined) return null
      const { id, name, description, graph } = row
      return { workflow: { id, name, description, ...(JSON.parse(graph) as object) } }
    },
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://bare')
    const body = Buffer.from(JSON.stringify(answers[url.pathname]?.(url.searchParams) ?? null))
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

process.on('disconnect', () => process.exit(0))
process.send?.(await (kind === 'ours' ? startOurs() : startBare()))
