/** An appliance as a stranger sees it: the real server process, the real commands, the public API, and what is left. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { cutroom, serve, type ServeProcess } from './appliance-process.ts'
import { childrenOf, commandLine, processesNaming } from './run-on-jobs.ts'

export const MEDIA_TOOLS = /ff(mpeg|probe)/

/** What polling a run answers. */
export interface Results {
  readonly status: 'Pending' | 'Processing' | 'Learning' | 'Completed' | 'Error'
  readonly clips: readonly {
    readonly id: string
    readonly title: string
    readonly duration: number
    readonly viralityScore: number
    readonly renderedUrl?: string
  }[]
  readonly error?: string
  readonly code?: string
  readonly progress: number
  readonly stage: string
  readonly warnings: readonly string[]
}

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

/** A company of its own with a key and a workflow, made by the commands an administrator types. */
export interface Tenant {
  readonly companyId: string
  readonly workflowId: string
  readonly key: string
}

/** What `cutroom WORDS... --json` printed. Throws with its stderr when it failed. */
async function printed<T>(words: readonly string[], home: string): Promise<T> {
  const { code, stdout, stderr } = await cutroom([...words, '--home', home, '--json'])
  if (code !== 0) throw new Error(`cutroom ${words.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as T
}

/** Creates company, key and workflow (of this file) on the home, by the real commands. */
export async function makeTenant(home: string, workflowFile: string, companyId = 'acme'): Promise<Tenant> {
  await printed(['company', 'create', companyId, '--name', 'Acme'], home)
  const [{ key }, { workflowId }] = await Promise.all([
    printed<{ key: string }>(['key', 'create', '--company', companyId, '--name', 'test'], home),
    printed<{ workflowId: string }>(['workflow', 'import', workflowFile, '--company', companyId], home),
  ])
  return { companyId, workflowId, key }
}

export interface Client {
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>>
  /** POST /trigger-template for this address; the triggerId. Throws when it is refused. */
  trigger(url: string, more?: Readonly<Record<string, unknown>>): Promise<string>
  results(triggerId: string): Promise<Results>
  /** Polls until Completed or Error. */
  settled(triggerId: string, timeoutMs?: number): Promise<Results>
}

/** A client of the public API as anyone writes it from the document. */
export function clientOf(url: string, tenant: Tenant): Client {
  async function call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer<T>> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
  async function results(triggerId: string): Promise<Results> {
    return (await call<Results>('GET', `/workflow-results/${triggerId}`)).body
  }
  return {
    call,
    results,
    trigger: async (sourceUrl, more = {}) => {
      const { companyId, workflowId } = tenant
      const body = { companyId, workflowId, url: sourceUrl, ...more }
      const answer = await call<{ triggerId: string }>('POST', '/trigger-template', body)
      if (answer.status !== 200) throw new Error(`trigger answered ${JSON.stringify(answer)}`)
      return answer.body.triggerId
    },
    settled: async (triggerId, timeoutMs = 60_000) => {
      const end = Date.now() + timeoutMs
      for (;;) {
        const now = await results(triggerId)
        if (now.status === 'Completed' || now.status === 'Error') return now
        if (Date.now() > end) throw new Error(`run ${triggerId} hangs: ${JSON.stringify(now)}`)
        await pause(100)
      }
    },
  }
}

export interface RunningAppliance {
  readonly process: ServeProcess
  readonly client: Client
  readonly tenant: Tenant
}

/** Starts the appliance on the home, with a tenant that is made first. */
export async function startAppliance(
  home: string,
  workflowFile: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningAppliance> {
  const tenant = await makeTenant(home, workflowFile)
  return reopenAppliance(home, tenant, environment)
}

/** Starts the appliance again on a home that has this tenant. */
export async function reopenAppliance(
  home: string,
  tenant: Tenant,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningAppliance> {
  const process = await serve(home, [], environment)
  return { process, tenant, client: clientOf(process.url, tenant) }
}

/** Files in a folder of the home, none when it is not there. */
const listed = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => [])

/** Leftovers when nothing runs: temporary files, partial downloads, media tools. Empty when there are none. */
export async function leftovers(home: string): Promise<string[]> {
  const temporary = await listed(join(home, 'temporary'))
  const partial = await listed(join(home, 'sources', '.partial'))
  const tools = processesNaming(home, MEDIA_TOOLS)
  return [
    ...temporary.map((name) => `temporary/${name}`),
    ...partial.map((name) => `sources/.partial/${name}`),
    ...tools.map((pid) => `process ${pid}`),
  ]
}

/** All processes below this one, recursively. Linux only; empty on other systems. */
export function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

/** The engine of an appliance's process; undefined while it has none. Linux only. */
export const engineBelow = (pid: number): number | undefined =>
  descendantsOf(pid).find((one) => /\/engine\.(js|ts) /.test(commandLine(one)))
