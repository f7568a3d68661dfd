/** The Python client (resources/clients/python) against real servers, some of whose answers are lost on the way. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest'
import { serveFiles } from '../../server/cli/serve-files.ts'
import { loadConfig } from '../../server/config/config.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import { runs } from '../../server/db/schema.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { signWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { startAppliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import { startScriptedProxy, type ScriptedProxy } from '../support/scripted-proxy.ts'
import { ask } from '../support/make-media.ts'
import { runPython, whyNoPython } from '../support/python.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

const missing = whyNoPython()

/** Leaves a test out where it cannot run, and prints why. */
function needsPython({ skip }: TestContext): void {
  if (missing !== null) skip(`the Python client is not tested: ${missing}`)
}

let server: TestServer
let proxy: ScriptedProxy
let workflowId: string
let clipId: string
beforeAll(async () => {
  server = await startTestServer()
  proxy = await startScriptedProxy(server.port)
  workflowId = addWorkflow(server)
  clipId = addClip(server, { workflowId, runId: addRun(server, { workflowId }) })
})
afterAll(async () => {
  await proxy.close()
  await server.close()
})
beforeEach((context) => {
  needsPython(context)
  proxy.fates = []
  proxy.calls.length = 0
})

const BEGIN = `
import json, sys
from cutroom_client import Cutroom, CutroomError, NoAnswer, PreconditionFailed
url, key, company, *given = sys.argv[1:]
def client(**options):
    return Cutroom(url + "/", key, company, **options)
def refusal(call):
    try:
        call()
    except (CutroomError, NoAnswer, TimeoutError) as error:
        return [type(error).__name__, getattr(error, "status", None), getattr(error, "code", None)]
`

/** Runs lines that leave their outcome in \`answer\`. */
async function byPython(lines: string, given: readonly string[] = []): Promise<unknown> {
  const program = `${BEGIN}\n${lines}\nprint(json.dumps(answer))`
  return JSON.parse(await runPython(program, [proxy.url, server.key, server.companyId, ...given]))
}

const runsOf = (): number => server.services.db.orm.select().from(runs).all().length
const turnedAway = (status: number) => ({ status, retryAfter: '0' })

describe('reading', () => {
  it('tries again when answers are lost, come in half, or say that they will come later', async () => {
    proxy.fates = ['lost', 'half', turnedAway(503), turnedAway(429)]
    expect(await byPython('answer = client().workflows()[0]["id"]')).toBe(workflowId)
    expect(proxy.calls).toEqual(Array.from({ length: 5 }, () => 'GET /workflows'))
  })

  it('gives up after so many tries, and says why', async () => {
    proxy.fates = [turnedAway(503), turnedAway(503)]
    const answer = await byPython('answer = refusal(lambda: client(retries=1).workflows())')
    expect([answer, proxy.calls.length]).toEqual([['CutroomError', 503, 'UNKNOWN'], 2])
  })

  it('raises the refusal as the API words it, once', async () => {
    const answer = await byPython('answer = refusal(lambda: client().clip("none"))')
    expect(answer).toEqual(['CutroomError', 404, 'CLIP_NOT_FOUND'])
    expect(proxy.calls).toEqual(['GET /clip'])
  })

  it('carries the key to no other address', async () => {
    proxy.fates = [{ status: 302 }]
    expect(await byPython('answer = refusal(lambda: client().workflows())')).toEqual([
      'CutroomError',
      302,
      'UNKNOWN',
    ])
  })

  it('has the clip, edits it and reads it back; posts are none', async () => {
    const lines = `
c = client()
fields = c.update_clip(given[0], {"title": "Another"})["updatedFields"]
answer = [fields, c.clip(given[0])["title"], list(c.posts())]`
    expect(await byPython(lines, [clipId])).toEqual([['title'], 'Another', []])
  })
})

describe('a run', () => {
  const TRIGGER = 'client().trigger({"workflowId": given[0], "url": "https://example.com/talk.mp4"})'

  it('is started again where the appliance turned it away', async () => {
    proxy.fates = [turnedAway(429)]
    const answer = await byPython(`answer = client().run(${TRIGGER})["status"]`, [workflowId])
    expect(answer).toBe('Pending')
    expect(proxy.calls.filter((one) => one.startsWith('POST')).length).toBe(2)
  })

  it('is started once, however many answers are lost or come in half', async () => {
    const before = runsOf()
    proxy.fates = ['lost', 'half', turnedAway(503)]
    const answer = await byPython(`answer = ${TRIGGER}`, [workflowId])
    expect(proxy.calls).toEqual(Array.from({ length: 4 }, () => 'POST /trigger-template'))
    expect(runsOf() - before).toBe(1)
    expect(
      server.services.db.orm
        .select()
        .from(runs)
        .all()
        .map(({ id }) => id),
    ).toContain(answer)
  })

  it('is another one with each call, and the same with a key of the caller', async () => {
    const before = runsOf()
    const keyed = TRIGGER.replace(/\)$/, ', key="talk-42")')
    const answer = await byPython(`answer = [${TRIGGER}, ${TRIGGER}, ${keyed}, ${keyed}]`, [workflowId])
    expect([new Set(answer as string[]).size, runsOf() - before]).toEqual([3, 3])
  })

  it('that failed is raised with its code; one that goes on is waited for no longer than one wants', async () => {
    const failed = addRun(server, {
      workflowId,
      status: 'Error',
      errorCode: 'NO_SPEECH',
      error: 'No speech.',
    })
    const lines = `
answer = [refusal(lambda: client().wait_for_run(given[1])),
          refusal(lambda: client().wait_for_run(${TRIGGER}, every=60, timeout=0.2))]`
    expect(await byPython(lines, [workflowId, failed])).toEqual([
      ['CutroomError', 200, 'NO_SPEECH'],
      ['TimeoutError', null, null],
    ])
  })
})

describe('runs', () => {
  it('are listed newest first, page after page, and stopped once', async () => {
    addRun(server, { workflowId })
    const lines = `
c = client()
started = c.trigger({"workflowId": given[0], "url": "https://example.com/talk.mp4"})
listed = [run["triggerId"] for run in c.runs()]
answer = [len(listed), started in listed, c.cancel_run(started), refusal(lambda: c.cancel_run(given[1]))]`
    proxy.fates = ['passed', 'passed', 'lost', 'half']
    const ended = addRun(server, { workflowId })
    expect(await byPython(lines, [workflowId, ended])).toEqual([
      runsOf(),
      true,
      null,
      ['CutroomError', 409, 'INVALID_STATE'],
    ])
    expect(proxy.calls.filter((one) => one.endsWith('/cancel')).length).toBe(4)
  })
})

describe('a clip', () => {
  const someClip = (document: Partial<ClipDocument> = {}): string => {
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    return addClip(server, { workflowId, runId, document, words: [{ word: 'One.', start: 12, end: 12.5 }] })
  }

  it('is edited only where it is still what was read', async () => {
    const lines = `
c = client()
etag = c.clip(given[0])["etag"]
saved = c.update_clip(given[0], {"title": "First"}, if_match=etag)
late = refusal(lambda: c.update_clip(given[0], {"title": "Late"}, if_match=etag))
now = c.clip(given[0])
answer = [late, now["title"], now["etag"] == saved["etag"] != etag]`
    const refused = ['PreconditionFailed', 412, 'PRECONDITION_FAILED']
    expect(await byPython(lines, [someClip()])).toEqual([refused, 'First', true])
  })

  it('has its configs merged, or taken the place of', async () => {
    const lines = `
c = client()
c.update_clip(given[0], {"subtitleConfig": {"fontSize": 40}})
c.update_clip(given[0], {"subtitleConfig": {"fontColor": "#ff0000"}})
merged = c.clip(given[0])["subtitleConfig"]["fontSize"]
c.update_clip(given[0], {"subtitleConfig": {"fontColor": "#00ff00"}}, merge=False)
answer = [merged, "fontSize" in c.clip(given[0])["subtitleConfig"]]`
    expect(await byPython(lines, [someClip()])).toEqual([40, false])
  })

  it('has its words corrected only where they are still what was read', async () => {
    const lines = `
c = client()
etag = c.transcript(given[0])["etag"]
patched = c.correct(given[0], [{"index": 0, "to": "Two."}], if_match=etag)
late = refusal(lambda: c.correct(given[0], [{"index": 0, "to": "Three."}], if_match=etag))
now = c.transcript(given[0])
answer = [late, now["words"][0]["word"], now["etag"] == patched["etag"] != etag]`
    const refused = ['PreconditionFailed', 412, 'PRECONDITION_FAILED']
    expect(await byPython(lines, [someClip()])).toEqual([refused, 'Two.', true])
  })

  it('is deleted, also where the answer is lost; one that there is not is refused', async () => {
    proxy.fates = ['half']
    const lines = `
c = client()
answer = [c.delete_clip(given[0]), refusal(lambda: c.delete_clip(given[0]))]`
    expect(await byPython(lines, [someClip()])).toEqual([null, ['CutroomError', 404, 'CLIP_NOT_FOUND']])
    expect(proxy.calls).toEqual(Array.from({ length: 3 }, () => 'DELETE /clip'))
  })

  it('is rendered strictly where one wants, and says what the film lost', async () => {
    const lines = `
c = client()
rendered = c.render(given[0], strict=True)
answer = [rendered["status"], rendered["code"], [one["code"] for one in rendered["details"]["warnings"]]]`
    const clip = someClip({ titleConfig: { text: 'Hello', titlePresetId: 'none' } })
    expect(await byPython(lines, [clip])).toEqual(['failed', 'RENDER_INCOMPLETE', ['NAME_UNKNOWN']])
  })
})

describe('webhooks', () => {
  it('are added once, listed and deleted, with a key that may', async () => {
    const { key } = createApiKey(server.services, {
      companyId: server.companyId,
      name: 'admin',
      scopes: ['admin'],
    })
    proxy.fates = ['lost', 'passed', 'passed', 'half']
    const lines = `
c = Cutroom(url, given[0], company)
added = c.add_webhook("https://example.com/hook", ["run.*"])
listed = c.webhooks() == [added["webhook"]]
gone = c.delete_webhook(added["webhook"]["id"])
answer = [added["secret"][:6], listed, gone, c.webhooks(),
          refusal(lambda: c.delete_webhook(added["webhook"]["id"]))]`
    const refused = ['CutroomError', 404, 'NOT_FOUND']
    expect(await byPython(lines, [key])).toEqual(['whsec_', true, null, [], refused])
    expect(proxy.calls.filter((one) => one.startsWith('DELETE')).length).toBe(3)
  })
})

describe('a webhook', () => {
  const now = 1_767_225_600
  const secret = 'whsec_test'
  const body = JSON.stringify({ type: 'run.completed', data: { title: 'Überraschung' } })
  const signed = (text: string, at = now): string => signWebhook(secret, at, text)
  const read = (of: string, signature: string, text: string): Promise<unknown> =>
    byPython(
      `
from cutroom_client import read_webhook, WebhookRefused
try:
    answer = read_webhook(secret=given[0], signature=given[1] or None, body=given[2].encode(), now=${now})
except WebhookRefused as refused:
    answer = str(refused)`,
      [of, signature, text],
    )

  it('is read where the appliance has signed it', async () => {
    expect(await read(secret, signed(body), body)).toEqual(JSON.parse(body))
  })

  it.each([
    ['no signature', secret, '', body, 'There is no signature.'],
    ['another body', secret, signed(body), `${body} `, 'not of this secret'],
    ['another secret', 'other', signed(body), body, 'not of this secret'],
    ['an old one', secret, signed(body, now - 301), body, 'too old'],
    ['half a signature', secret, signed(body).slice(0, -2), body, 'There is no signature.'],
  ])('is refused: %s', async (_what, of, signature, text, words) => {
    expect(await read(of, signature, text)).toContain(words)
  })
})

describe('the main job', () => {
  it('triggers a run, waits, reads and edits a clip, renders it and fetches the film', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cutroom-python-'))
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
      const film = join(folder, 'film.mp4')
      const program = `${BEGIN}
import urllib.request
c = client()
seen = []
workflow = next(one for one in c.workflows() if one["name"] == "Horizontal highlights")
run = c.wait_for_run(
    c.trigger({
        "workflowId": workflow["id"],
        "url": given[0],
        "pinnedTimestamps": [{"start": 4, "end": 7.2}],
        "pinnedTimestampsOnly": True,
    }),
    every=0.3,
    on_progress=lambda run: seen.append(run["status"]),
)
clip = c.clip(run["clips"][0]["id"])
word = next(one for one in c.transcript(clip["id"])["words"] if one["visible"])
replaced = c.correct(clip["id"], [{"index": word["index"], "to": "Nobody"}])["replaced"]
c.update_clip(clip["id"], {"title": "By Python", "segments": [{"startSeconds": 0, "endSeconds": 2}]})
urllib.request.urlretrieve(c.render(clip["id"])["renderUrl"], given[1])
print(json.dumps([seen[-1], clip["duration"], replaced, c.clip(clip["id"])["title"]]))
`
      const words = [appliance.url, appliance.firstKey ?? '', 'local', `${host.url}/talk.mp4`, film]
      expect(JSON.parse(await runPython(program, words))).toEqual(['Completed', 3.2, 1, 'By Python'])
      expect((await stat(film)).size).toBeGreaterThan(10_000)
      const seconds = Number(/duration=([\d.]+)/.exec(await ask(film, 'format=duration'))?.[1])
      expect(seconds).toBeCloseTo(2, 0)
    } finally {
      await appliance.stop()
      await host.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
