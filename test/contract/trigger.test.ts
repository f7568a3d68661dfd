/** POST /trigger-template: parts 2.1, 2.2, 7 and 9 of the public API, and what decisions.md adds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Value } from '@sinclair/typebox/value'
import type { RunSnapshot } from '../../server/contract/run.ts'
import { TriggerResponse } from '../../server/contract/trigger.ts'
import { importWorkflow } from '../../server/domain/workflows/workflows.ts'
import { addCompany, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let workflowId: string
beforeAll(async () => {
  server = await startTestServer()
  workflowId = addWorkflow(server)
})
afterAll(() => server.close())
beforeEach(() => {
  server.services.db.sqlite.exec('delete from operations; delete from runs')
})

const URL_OK = 'https://example.com/talk.mp4'
const trigger = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  server.call('/trigger-template', {
    json: { companyId: 'acme', workflowId, url: URL_OK, ...fields },
    headers,
  })
const count = (table: string): number =>
  (server.services.db.sqlite.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n

interface RunRow {
  id: string
  status: string
  channel: string
  pipeline_version: string
  snapshot: string
  warnings: string
}
const storedRun = (): RunRow => server.services.db.sqlite.prepare('select * from runs').get() as RunRow
const snapshot = (): RunSnapshot => JSON.parse(storedRun().snapshot) as RunSnapshot
const warnings = (): string[] => JSON.parse(storedRun().warnings) as string[]
const nodeConfig = (type: string): Record<string, unknown> =>
  snapshot().nodes.find((node) => node.type === type)?.config ?? {}

describe('an accepted trigger', () => {
  it('returns 200 with triggerId, status pending and a message, and stores a Pending run with one queued operation', async () => {
    const wakes = server.jobs.wakes
    const answer = await trigger()
    expect(answer.status).toBe(200)
    const body = answer.json<TriggerResponse>()
    expect(Value.Check(TriggerResponse, body)).toBe(true)
    expect(body.status).toBe('pending')
    expect(storedRun()).toMatchObject({ id: body.triggerId, status: 'Pending' })
    const operation = server.services.db.sqlite
      .prepare('select kind, subject_id, state from operations')
      .all()
    expect(operation).toEqual([{ kind: 'run', subject_id: body.triggerId, state: 'queued' }])
    expect(server.jobs.wakes).toBe(wakes + 1)
  })

  it('is Pending when it is polled', async () => {
    const { triggerId } = (await trigger()).json<{ triggerId: string }>()
    const polled = await server.call(`/workflow-results/${triggerId}`)
    expect(polled.json()).toMatchObject({ status: 'Pending', clips: [], progress: 0, startedAt: null })
  })

  it('freezes the merged nodes: template < flat fields < nodeConfigs < nodeConfigOverrides < actionConfigs', async () => {
    await trigger({
      minLengthTarget: 11,
      maxLengthTarget: 44,
      nodeConfigs: { find_clips: { min_length: 12, promptAdjustment: 'one' } },
      nodeConfigOverrides: [{ nodeType: 'find_clips', config: { promptAdjustment: 'two', prompt: 'p' } }],
      actionConfigs: { find_clips: { prompt: 'q' } },
    })
    expect(nodeConfig('find_clips')).toMatchObject({
      min_length: 12,
      max_length: 44,
      promptAdjustment: 'two',
      prompt: 'q',
      model_key: 'conversational',
    })
  })

  it('stores the keywords and the url as they were given', async () => {
    await trigger({ keywords: ['Cutroom', 'SQLite'] })
    expect(snapshot()).toMatchObject({
      keywords: ['Cutroom', 'SQLite'],
      originalUrl: URL_OK,
      source: { kind: 'url', url: URL_OK },
    })
  })

  it('subtitles false and titleOverlay false switch their nodes off, orientation horizontal the crop', async () => {
    await trigger({ subtitles: false, titleOverlay: false, orientation: 'horizontal' })
    const enabled = Object.fromEntries(snapshot().nodes.map((node) => [node.type, node.enabled]))
    expect(enabled).toMatchObject({
      find_clips: true,
      add_subtitles: false,
      add_title_overlay: false,
      convert_to_vertical: false,
    })
  })

  it('an optional field sent as null counts as not sent', async () => {
    const answer = await trigger({ minLengthTarget: null, keywords: null, nodeConfigs: null })
    expect(answer.status).toBe(200)
    expect(warnings()).toEqual([])
  })

  it('is not affected by a later edit of the workflow', async () => {
    await trigger()
    const before = storedRun().snapshot
    server.services.db.sqlite.exec(
      `update workflows set graph = '{"nodes":[],"edges":[]}' where id = '${workflowId}'`,
    )
    expect(storedRun().snapshot).toBe(before)
    workflowId = addWorkflow(server)
  })
})

describe('the channel header', () => {
  it('is current when absent, and the applied channel is echoed and stored with the exact pipeline version', async () => {
    const answer = await trigger()
    expect(answer.headers['service-workflow-channel']).toBe('current')
    expect(storedRun()).toMatchObject({ channel: 'current', pipeline_version: '1.0.0' })
  })

  it('stable is echoed and stored', async () => {
    const answer = await trigger({}, { 'service-workflow-channel': 'stable' })
    expect(answer.headers['service-workflow-channel']).toBe('stable')
    expect(storedRun()).toMatchObject({ channel: 'stable', pipeline_version: '1.0.0' })
  })

  it.each(['', 'Current', 'STABLE', 'nightly', 'current, stable'])(
    'any other value (%j) is 400 INVALID_WORKFLOW_CHANNEL and stores nothing',
    async (value) => {
      const answer = await trigger({}, { 'service-workflow-channel': value })
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject({ status: 'error', code: 'INVALID_WORKFLOW_CHANNEL' })
      expect(typeof answer.json()['error']).toBe('string')
      expect([count('runs'), count('operations')]).toEqual([0, 0])
    },
  )

  it('is checked before the body', async () => {
    const headers = { 'service-workflow-channel': 'nightly' }
    const answer = await server.call('/trigger-template', { body: '{not json', headers })
    expect(answer.json()['code']).toBe('INVALID_WORKFLOW_CHANNEL')
  })

  it('is never a body field: workflowChannel is 400 INVALID_REQUEST', async () => {
    const answer = await trigger({ workflowChannel: 'stable' })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.json()['details']).toEqual({ field: 'workflowChannel' })
    expect(count('runs')).toBe(0)
  })

  it('a workflowChannel of null is a body field too', async () => {
    expect((await trigger({ workflowChannel: null })).status).toBe(400)
  })
})

describe('refusals', () => {
  it.each(['companyId', 'workflowId', 'url'])(
    'a missing %s is 400 INVALID_REQUEST that names it',
    async (field) => {
      for (const value of [undefined, null]) {
        const answer = await trigger({ [field]: value })
        expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
        expect(answer.json()).toMatchObject({
          details: { field },
          error: expect.stringContaining(`"${field}" is missing`) as string,
        })
      }
    },
  )

  it.each([
    ['companyId', 7],
    ['workflowId', ['x']],
    ['url', { href: 'x' }],
    ['url', ''],
    ['orientation', 'diagonal'],
    ['minLengthTarget', '30'],
    ['maxLengthTarget', true],
    ['broll', 'yes'],
    ['subtitles', 'false'],
    ['subtitleConfig', '{}'],
    ['titleOverlay', 1],
    ['titleConfig', []],
    ['watermarkUrl', 5],
    ['keywords', 'a,b'],
    ['keywords.1', ['a', 2]],
    ['keywords', Array.from({ length: 151 }, (_, index) => `k${index}`)],
    ['promptAdjustment', 3],
    ['pinnedTimestamps', {}],
    ['pinnedTimestamps.0.end', [{ start: 1 }]],
    ['pinnedTimestampsOnly', 'true'],
    ['nodeConfigs', 'x'],
  ])('%s of the wrong type or size is 400 INVALID_REQUEST that names it', async (path, value) => {
    const answer = await trigger({ [path.split('.')[0] ?? '']: value })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.json()['details']).toMatchObject({ field: path })
    expect(count('runs')).toBe(0)
  })

  it('150 keywords are accepted', async () => {
    const keywords = Array.from({ length: 150 }, (_, index) => `k${index}`)
    expect((await trigger({ keywords })).status).toBe(200)
  })

  it.each([
    'talk',
    'example.com/talk.mp4',
    'http://',
    '//example.com/x',
    'https://exa mple.com/',
    'srt://example.com',
    'rtmp://example.com/live',
  ])('an invalid url (%s): 400 INVALID_URL', async (url) => {
    const answer = await trigger({ url })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_URL'])
    expect(count('runs')).toBe(0)
  })

  it.each([
    'ftp://example.com/a.mp4',
    'rtsp://example.com/live/talk',
    'file:///etc/passwd',
    'data:video/mp4;base64,AA',
    'javascript:alert(1)',
    'https://drive.google.com/drive/folders/1AbC',
    'https://drive.google.com/uc?id=1AbC&export=download',
    'https://drive.google.com/open?id=1AbC',
    'https://docs.google.com/document/d/1AbC/edit',
  ])('an unsupported source (%s): 400 UNSUPPORTED_SOURCE_URL', async (url) => {
    const answer = await trigger({ url })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'UNSUPPORTED_SOURCE_URL'])
    expect(count('runs')).toBe(0)
  })

  it.each([
    'https://drive.google.com/file/d/1AbC/view?usp=sharing',
    'http://192.168.1.20:8080/talk.mp4',
    'https://user:secret@example.com/talk',
    'https://example.com/live/index.m3u8?token=x',
    'rtmp://example.com/live/talk',
    'rtmps://example.com/live/room/talk?key=x',
    'srt://example.com:9000?streamid=talk',
  ])('a supported source (%s) is accepted', async (url) => {
    expect((await trigger({ url })).status).toBe(200)
  })

  it('an unknown workflow, or one of another company: 404 WORKFLOW_NOT_FOUND', async () => {
    const other = addCompany(server, `other-${Date.now()}`)
    for (const id of ['none', addWorkflow(server, other.companyId)]) {
      const answer = await trigger({ workflowId: id })
      expect([answer.status, answer.json()['code']]).toEqual([404, 'WORKFLOW_NOT_FOUND'])
    }
    expect(count('runs')).toBe(0)
  })
})

describe('node overrides', () => {
  it.each([
    ['an unknown field', { find_clips: { min_lenght: 3 } }, 'min_lenght'],
    ['a wrong type', { find_clips: { min_length: '3' } }, 'min_length'],
    ['a value outside the enum', { convert_to_vertical: { style: 'style_nine' } }, 'style'],
  ])(
    '%s in a present node: 400 INVALID_NODE_CONFIG with node type and path',
    async (_name, nodeConfigs, path) => {
      const answer = await trigger({ nodeConfigs })
      expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_NODE_CONFIG'])
      expect(answer.json()['details']).toMatchObject({ nodeType: Object.keys(nodeConfigs)[0], path })
      expect(count('runs')).toBe(0)
    },
  )

  it('a node type absent from the workflow is skipped with a warning, and the run proceeds', async () => {
    const answer = await trigger({
      nodeConfigs: { add_brainrot: { nonsense: true } },
      watermarkUrl: 'https://x.example/w.png',
    })
    expect(answer.status).toBe(200)
    expect(warnings().join('\n')).toMatch(/add_brainrot/)
    expect(warnings().join('\n')).toMatch(/watermarkUrl/)
  })

  it('unknown top-level fields are ignored and reported in the run warnings', async () => {
    const { triggerId } = (await trigger({ minLenghtTarget: 3, future: { a: 1 } })).json<{
      triggerId: string
    }>()
    const polled = await server.call(`/workflow-results/${triggerId}`)
    expect(polled.json()['warnings']).toEqual([
      'The field "minLenghtTarget" is not known and was ignored.',
      'The field "future" is not known and was ignored.',
    ])
  })

  it('names like __proto__ and constructor are fields like any other', async () => {
    const body = `{"companyId":"acme","workflowId":"${workflowId}","url":"${URL_OK}","__proto__":{"url":"x"},"constructor":1}`
    const answer = await server.call('/trigger-template', { body })
    expect(answer.status).toBe(200)
    expect(warnings()).toContain('The field "constructor" is not known and was ignored.')
    expect(snapshot().originalUrl).toBe(URL_OK)
  })

  it('ten thousand of them are summarised in a few warnings', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, 1]))
    expect((await trigger(many)).status).toBe(200)
    expect(warnings()).toHaveLength(101)
    expect(warnings().at(-1)).toBe('9900 more warnings of this kind were left out.')
  })
})

describe('importing a workflow', () => {
  const node = (id: string, type: string, config: Record<string, unknown> = {}) => ({ id, type, config })

  it.each([
    ['an unknown node type', [node('a', 'teleport')], [], /teleport/],
    [
      'a cycle',
      [node('a', 'find_clips'), node('b', 'add_music')],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
      /cycle/,
    ],
    ['an edge to nowhere', [node('a', 'find_clips')], [['a', 'zz']], /zz/],
  ])('refuses %s with a clear message', (_name, nodes, edges, message) => {
    const file = { name: 'x', nodes, edges: edges.map(([source, target]) => ({ source, target })) }
    expect(() => importWorkflow(server.services, { companyId: 'acme', file })).toThrow(message)
  })

  it('refuses a file that is no workflow, and reports where', () => {
    expect(() => importWorkflow(server.services, { companyId: 'acme', file: { name: 'x' } })).toThrow(/nodes/)
    expect(() => importWorkflow(server.services, { companyId: 'acme', file: 'x' })).toThrow(
      /not a workflow file/,
    )
  })
})
