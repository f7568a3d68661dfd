/** The main job of a client, by what each generator made: trigger a run, wait for it, read a clip, render it. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'
import { Cutroom } from '../../resources/clients/typescript/src/index.ts'
import { HERE, runTool } from './generators.ts'

export interface Place {
  readonly url: string
  readonly key: string
  readonly companyId: string
  readonly workflowId: string
  readonly video: string
}

export interface Done {
  readonly title: string
  readonly clips: number
  readonly renderUrl: string
}

interface Trigger {
  readonly companyId: string
  readonly workflowId: string
  readonly url: string
}
interface ClipAddress {
  readonly companyId: string
  readonly clipId: string
}
interface Run {
  readonly status: string
  readonly clips: readonly { readonly id: string }[]
}
interface Calls {
  trigger(body: Trigger): Promise<{ triggerId: string }>
  run(triggerId: string): Promise<Run>
  clip(at: ClipAddress): Promise<{ clip: { id: string; title: string } }>
  render(body: ClipAddress): Promise<{ renderUrl?: string }>
}

async function byCalls(calls: Calls, { companyId, workflowId, video }: Place): Promise<Done> {
  const { triggerId } = await calls.trigger({ companyId, workflowId, url: video })
  for (;;) {
    const { status, clips } = await calls.run(triggerId)
    if (status === 'Error') throw new Error('the run ended in Error')
    if (status === 'Completed') {
      const { clip } = await calls.clip({ companyId, clipId: clips[0]?.id ?? '' })
      const { renderUrl = '' } = await calls.render({ companyId, clipId: clip.id })
      return { title: clip.title, clips: clips.length, renderUrl }
    }
    await pause(500)
  }
}

/** Makes one module of generated TypeScript and loads it. */
async function load<Module>(folder: string, file: string): Promise<Module> {
  const outDir = join(folder, 'bundle')
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(folder, file),
      outDir,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: 'client.mjs' } },
    },
  })
  return (await import(pathToFileURL(join(outDir, 'client.mjs')).href)) as Module
}

/** A call of a generated client: its arguments are its own affair. */
type Call = (...given: unknown[]) => Promise<{ data: unknown }>

const data = async <Answer>(answer: Promise<{ data?: unknown; error?: unknown }>): Promise<Answer> => {
  const { data: got, error } = await answer
  if (got === undefined) throw new Error(`refused: ${JSON.stringify(error)}`)
  return got as Answer
}

async function byOpenApiFetch(_folder: string, place: Place): Promise<Done> {
  const module = join(HERE, 'node_modules', 'openapi-fetch', 'dist', 'index.mjs')
  const { default: createClient } = (await import(pathToFileURL(module).href)) as {
    default: (options: object) => { GET: Call; POST: Call }
  }
  const client = createClient({ baseUrl: place.url, headers: { authorization: `Bearer ${place.key}` } })
  const calls: Calls = {
    trigger: (body) => data(client.POST('/trigger-template', { body })),
    run: (triggerId) =>
      data(client.GET('/workflow-results/{triggerId}', { params: { path: { triggerId } } })),
    clip: (query) => data(client.GET('/clip', { params: { query } })),
    render: (body) => data(client.POST('/render', { body })),
  }
  return byCalls(calls, place)
}

async function byHeyApi(folder: string, place: Place): Promise<Done> {
  const made = await load<Readonly<Record<string, Call>>>(folder, 'sdk.gen.ts')
  const call = <Answer>(name: string, given: object): Promise<Answer> =>
    data(made[name]?.({ baseUrl: place.url, auth: place.key, ...given }) ?? Promise.reject(new Error(name)))
  const calls: Calls = {
    trigger: (body) => call('postTriggerTemplate', { body }),
    run: (triggerId) => call('getWorkflowResultsByTriggerId', { path: { triggerId } }),
    clip: (query) => call('getClip', { query }),
    render: (body) => call('postRender', { body }),
  }
  return byCalls(calls, place)
}

async function byOazapfts(folder: string, place: Place): Promise<Done> {
  const { defaults, ...made } = await load<
    { defaults: { baseUrl: string; headers: object } } & Readonly<Record<string, Call>>
  >(folder, 'client.ts')
  Object.assign(defaults, { baseUrl: place.url, headers: { authorization: `Bearer ${place.key}` } })
  const call = <Answer>(name: string, ...given: unknown[]): Promise<Answer> =>
    data(made[name]?.(...given) ?? Promise.reject(new Error(name)))
  const calls: Calls = {
    trigger: (body) => call('postTriggerTemplate', body),
    run: (triggerId) => call('getWorkflowResultsByTriggerId', triggerId),
    clip: ({ companyId, clipId }) => call('getClip', companyId, clipId),
    render: (body) => call('postRender', body),
  }
  return byCalls(calls, place)
}

async function bySwaggerTypescript(folder: string, place: Place): Promise<Done> {
  const { Api } = await load<{
    Api: new (options: object) => Readonly<Record<string, Readonly<Record<string, Call>>>>
  }>(folder, 'Api.ts')
  const headers = { authorization: `Bearer ${place.key}` }
  const api = new Api({ baseUrl: place.url, baseApiParams: { headers, format: 'json' } })
  const call = <Answer>(group: string, name: string, ...given: unknown[]): Promise<Answer> =>
    data(api[group]?.[name]?.(...given) ?? Promise.reject(new Error(`${group}.${name}`)))
  const calls: Calls = {
    trigger: (body) => call('triggerTemplate', 'postTriggerTemplate', body),
    run: (triggerId) => call('workflowResults', 'getWorkflowResultsByTriggerId', triggerId),
    clip: (query) => call('clip', 'getClip', query),
    render: (body) => call('render', 'postRender', body),
  }
  return byCalls(calls, place)
}

async function byPython(folder: string, { url, key, companyId, workflowId, video }: Place): Promise<Done> {
  const drive = join(HERE, 'drive.py')
  const { ok, out, text } = await runTool('python', [drive, folder, url, key, companyId, workflowId, video])
  if (!ok) throw new Error(text)
  return JSON.parse(out) as Done
}

/** Our own client, whose types are made from the document as well. */
export async function byOwnClient({ url, key, companyId, workflowId, video }: Place): Promise<Done> {
  const cutroom = new Cutroom({ url, key, companyId })
  const triggerId = await cutroom.trigger({ workflowId, url: video })
  const { clips } = await cutroom.waitForRun(triggerId, { everyMs: 500 })
  const { id, title } = await cutroom.clip(clips[0]?.id ?? '')
  const { renderUrl = '' } = await cutroom.render(id)
  return { title, clips: clips.length, renderUrl }
}

/** By the name of the generator. */
export const MAIN_JOBS: Readonly<Record<string, (folder: string, place: Place) => Promise<Done>>> = {
  'openapi-typescript': byOpenApiFetch,
  '@hey-api/openapi-ts': byHeyApi,
  oazapfts: byOazapfts,
  'swagger-typescript-api': bySwaggerTypescript,
  'openapi-python-client': byPython,
}
