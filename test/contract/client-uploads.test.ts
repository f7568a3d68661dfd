/** Uploads and metadata by both clients, against a real server behind a proxy that loses answers. */
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cutroom } from '../../resources/clients/typescript/src/index.ts'
import { startLosingProxy, type LosingProxy } from '../support/losing-proxy.ts'
import { runPython, whyNoPython } from '../support/python.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const PIECE = 30_000
const FILE = randomBytes(10 * PIECE + 7)

let server: TestServer
let proxy: LosingProxy
let folder: string
let file: string
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  proxy = await startLosingProxy(server.port, 3)
  workflowId = addWorkflow(server)
  folder = await mkdtemp(join(tmpdir(), 'cutroom-client-'))
  file = join(folder, 'Größe.mp4')
  await writeFile(file, FILE)
})
afterAll(async () => {
  await proxy.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const stored = (url: string): Buffer =>
  readFileSync(join(server.services.home.uploads, url.split('/').at(-1) ?? ''))
const stateOf = async (url: string) =>
  (await server.call(new URL(url).pathname)).json<{ title: string; offset: number; complete: boolean }>()
const partial = (): string[] =>
  readdirSync(server.services.home.uploads).filter((name) => name.endsWith('.part'))

function someClip(): string {
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  return addClip(server, { workflowId, runId })
}

describe('TypeScript', () => {
  const client = () => new Cutroom({ url: proxy.url, key: server.key, companyId: server.companyId })

  it.each(['a path', 'a File'])('uploads %s, whatever answers are lost', async (kind) => {
    const before = proxy.lost()
    const seen: number[] = []
    const source = kind === 'a path' ? file : new File([FILE], 'Größe.mp4')
    const url = await client().upload(source, {
      pieceBytes: PIECE,
      onProgress: (sent, total) => seen.push(sent / total),
    })
    expect(proxy.lost() - before).toBeGreaterThan(2)
    expect(stored(url).equals(FILE)).toBe(true)
    expect((await stateOf(url)).title).toBe('Größe.mp4')
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect([seen.length, seen.at(-1)]).toEqual([11, 1])
    expect(await client().trigger({ workflowId, url })).not.toBe('')
  })

  it('stops where one wants, and goes on with the same key', async () => {
    const stop = new AbortController()
    const options = { pieceBytes: PIECE, key: 'talk-ts' }
    const onProgress = (sent: number): void => {
      if (sent >= 3 * PIECE) stop.abort()
    }
    const stopped = client().upload(file, { ...options, signal: stop.signal, onProgress })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect(partial().length).toBe(1)
    const seen: number[] = []
    const url = await client().upload(file, { ...options, onProgress: (sent) => seen.push(sent) })
    expect(seen[0]).toBeGreaterThan(3 * PIECE)
    expect(stored(url).equals(FILE)).toBe(true)
  })

  it('is told why an upload is refused, once', async () => {
    const other = new Cutroom({ url: proxy.url, key: 'ck_none', companyId: server.companyId })
    await expect(other.upload(file)).rejects.toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  })

  it('gives names to runs and clips, and finds runs by them', async () => {
    const url = 'https://example.com/talk.mp4'
    const id = await client().trigger({ workflowId, url, metadata: { order: 'ts' } })
    const found: string[] = []
    for await (const { triggerId } of client().runs({ metadata: { order: 'ts' } })) found.push(triggerId)
    expect(found).toEqual([id])
    expect((await client().run(id)).metadata).toEqual({ order: 'ts' })
    const clipId = someClip()
    await client().updateClip(clipId, { metadata: { shelf: 'a7', row: '1' } })
    await client().updateClip(clipId, { metadata: { row: '' } })
    expect((await client().clip(clipId)).metadata).toEqual({ shelf: 'a7' })
  })
})

describe('Python', () => {
  const missing = whyNoPython()
  const byPython = async (lines: string, given: readonly string[] = []): Promise<unknown> => {
    const program = `
import json, sys, threading
from cutroom_client import Cutroom, CutroomError, UploadCancelled
url, key, company, *given = sys.argv[1:]
c = Cutroom(url, key, company)
${lines}
print(json.dumps(answer))`
    return JSON.parse(await runPython(program, [proxy.url, server.key, server.companyId, ...given]))
  }

  it('uploads a path, whatever answers are lost', async ({ skip }) => {
    if (missing !== null) return skip(`the Python client is not tested: ${missing}`)
    const before = proxy.lost()
    const lines = `
seen = []
url = c.upload(given[0], piece_bytes=${PIECE}, on_progress=lambda sent, total: seen.append(sent))
answer = [url, seen, c.trigger({"workflowId": given[1], "url": url})]`
    const [url, seen] = (await byPython(lines, [file, workflowId])) as [string, number[]]
    expect(proxy.lost() - before).toBeGreaterThan(2)
    expect(stored(url).equals(FILE)).toBe(true)
    expect((await stateOf(url)).title).toBe('Größe.mp4')
    expect([seen.length, seen.at(-1)]).toEqual([11, FILE.length])
  })

  it('stops where one wants, and goes on with the same key', async ({ skip }) => {
    if (missing !== null) return skip(`the Python client is not tested: ${missing}`)
    const lines = `
stop = threading.Event()
try:
    c.upload(given[0], piece_bytes=${PIECE}, key="talk-py", cancel=stop,
             on_progress=lambda sent, total: sent >= 3 * ${PIECE} and stop.set())
    stopped = False
except UploadCancelled:
    stopped = True
seen = []
url = c.upload(given[0], piece_bytes=${PIECE}, key="talk-py", on_progress=lambda sent, total: seen.append(sent))
answer = [url, stopped, seen[0]]`
    const [url, ...rest] = (await byPython(lines, [file])) as [string, boolean, number]
    expect(rest).toEqual([true, 4 * PIECE])
    expect(stored(url).equals(FILE)).toBe(true)
  })

  it('gives names to runs and clips, and finds runs by them', async ({ skip }) => {
    if (missing !== null) return skip(`the Python client is not tested: ${missing}`)
    const lines = `
started = c.trigger({"workflowId": given[0], "url": "https://example.com/talk.mp4", "metadata": {"order": "py"}})
found = [run["triggerId"] for run in c.runs(metadata={"order": "py"})]
c.update_clip(given[1], {"metadata": {"shelf": "a7", "row": "1"}})
c.update_clip(given[1], {"metadata": {"row": ""}})
answer = [found == [started], c.run(started)["metadata"], c.clip(given[1])["metadata"]]`
    expect(await byPython(lines, [workflowId, someClip()])).toEqual([true, { order: 'py' }, { shelf: 'a7' }])
  })
})
