/** Agents: the tools, by the SDK's own client over both transports, and the flow in which a person decides. */
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { companies, confirmations } from '../../server/db/schema.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { EDIT_COMMANDS } from '../../server/nodes/commands/index.ts'
import { DOMAIN_ROUTES } from '../../server/http/tenant-api/routes.ts'
import { requestOf, routeTools, toolName } from '../../server/http/mcp/tools.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let own: DomainClient
let workflowId = ''
let clipId = ''
beforeAll(async () => {
  server = await startTestServer()
  own = await domainClient(server)
  workflowId = addWorkflow(server)
  const words = ['We', 'love', 'zebras'].map((word, index) => ({
    word,
    start: 10 + index,
    end: 10.9 + index,
  }))
  clipId = addClip(server, {
    workflowId,
    document: { title: 'About zebras', startTimestamp: 10, endTimestamp: 20 },
    words,
  })
})
afterAll(() => server.close())

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

/** The SDK's transports are typed without exactOptionalPropertyTypes. */
type AnyTransport = Parameters<Client['connect']>[0]

async function overHttp(token = own.token, header = 'x-service-delegation'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const value = header === 'authorization' ? `Bearer ${token}` : token
  const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
    requestInit: { headers: { [header]: value } },
  })
  await client.connect(transport)
  open.push(client)
  return client
}

async function overStdio(words: readonly string[]): Promise<{ client: Client; errors: () => string }> {
  const client = new Client({ name: 'test', version: '1' })
  const program = join(import.meta.dirname, '..', '..', 'server', 'cli', 'main.ts')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', '--home', server.services.home.root, ...words],
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  open.push(client)
  await client.connect(transport as AnyTransport).catch((error: unknown) => {
    throw new Error(`${String(error)}: ${errors}`)
  })
  return { client, errors: () => errors }
}

interface Reported {
  readonly data: Record<string, unknown>
  readonly error: { readonly code: string; readonly message: string }
  readonly meta: { readonly nextCursor: string | null }
  readonly etag: string
  readonly isError: boolean
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Reported> {
  const result = await client.callTool({ name, arguments: input })
  const [text] = result.content as { type: string; text: string }[]
  expect(JSON.parse(text?.text ?? '')).toEqual(result.structuredContent)
  return { ...(result.structuredContent as Reported), isError: result.isError === true }
}

const ZEBRAS = { id: expect.any(String) as string, type: 'clip', title: 'About zebras' }

describe.each(['http', 'stdio'] as const)('over %s', (way) => {
  const connect = async (): Promise<Client> =>
    way === 'http'
      ? overHttp()
      : (await overStdio(['--client', own.clientId, '--company', 'acme', '--subject', 'ada'])).client

  it('lets an agent find, read and edit a clip like any client', async () => {
    const client = await connect()
    expect(client.getInstructions()).toMatch(/decision is a person's/)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search', 'get_clip', 'decide_confirmation', 'publish_social_post']),
    )
    const context = await call(client, 'get_context')
    expect(context.data).toMatchObject({
      organization: { id: 'acme' },
      principal: { id: 'ada' },
      client: { id: own.clientId },
    })
    const found = await call(client, 'search', { query: 'zebras', types: ['clip'] })
    expect(found.data).toMatchObject([ZEBRAS])
    const clip = await call(client, 'get_clip', { clipId })
    expect(clip.etag).toMatch(/^"/)
    const transcript = await call(client, 'get_clip_transcript', { clipId, start: 11, limit: 1 })
    expect(JSON.stringify(transcript.data)).toContain('love')
    const bio = `About animals, by ${way}`
    const edited = await call(client, 'update_clip', { clipId, etag: clip.etag, bio })
    expect([edited.isError, edited.data['bio']]).toEqual([false, bio])
    const late = await call(client, 'update_clip', { clipId, etag: clip.etag, bio: 'Later' })
    expect([late.isError, late.error.code]).toEqual([true, 'PRECONDITION_FAILED'])
  })

  it('an agent drafts and prepares; only a person’s own words approve; then it is published once', async () => {
    const client = await connect()
    const draft = await call(client, 'create_social_post', {
      platform: 'bluesky',
      text: `Zebras, ${way}`,
      accountId: null,
    })
    expect(draft.isError).toBe(false)
    const postId = String(draft.data['id'])
    const prepared = await call(client, 'prepare_publish', { postId })
    const confirmationId = String(prepared.data['id'])
    expect(prepared.data).toMatchObject({ action: 'publish_post', state: 'pending' })
    const early = await call(client, 'publish_social_post', { postId, confirmationId })
    expect(early.error.code).toBe('CONFIRMATION_NOT_APPROVED')
    const silent = await call(client, 'decide_confirmation', { confirmationId, decision: 'approve' })
    expect([silent.error.code, silent.error.message]).toEqual([
      'VALIDATION_FAILED',
      '"consentText" is missing.',
    ])
    const posing = await call(client, 'decide_confirmation', {
      confirmationId,
      decision: 'approve',
      consentText: 'x',
      source: 'me',
    })
    expect(posing.error.code).toBe('VALIDATION_FAILED')
    const consentText = 'Yes, put it on Bluesky.'
    expect(
      (await call(client, 'decide_confirmation', { confirmationId, decision: 'approve', consentText })).data[
        'state'
      ],
    ).toBe('approved')
    const row = server.services.db.orm
      .select()
      .from(confirmations)
      .where(eq(confirmations.id, confirmationId))
      .get()
    expect(row).toMatchObject({ consentText, consentSource: 'mcp_written_consent', decidedBy: 'ada' })
    const idempotencyKey = `publish-${way}`
    const published = await call(client, 'publish_social_post', { postId, confirmationId, idempotencyKey })
    expect(published.isError).toBe(false)
    const again = await call(client, 'publish_social_post', { postId, confirmationId, idempotencyKey })
    expect(again.data['id']).toBe(published.data['id'])
    const other = await call(client, 'publish_social_post', { postId, confirmationId })
    // It is being published already, so the post's own state may be reported first.
    expect(['CONFIRMATION_CONSUMED', 'INVALID_STATE']).toContain(other.error.code)
  })

  it('reports that no appliance runs which would work on what is queued', async () => {
    const client = await connect()
    const result = await client.callTool({ name: 'queue_clip_render', arguments: { clipId } })
    const { note } = result.structuredContent as { note?: string }
    if (way === 'http') expect([result.isError, note]).toEqual([false, undefined])
    else expect(note).toMatch(/^No appliance is running on .+: this begins when one is started/)
  })

  it('refuses with messages that say what to do', async () => {
    const client = await connect()
    for (const [name, input, code] of [
      ['get_clip', { clipId: 'nothing' }, 'NOT_FOUND'],
      ['get_clip', {}, 'VALIDATION_FAILED'],
      ['get_clip', { clipId: 5 }, 'VALIDATION_FAILED'],
      ['search', { query: '' }, 'VALIDATION_FAILED'],
      ['search', { query: 'x', limit: 1000 }, 'VALIDATION_FAILED'],
      ['search', { query: 'x', companyId: 'rival' }, 'VALIDATION_FAILED'],
      ['create_social_post', { platform: 'myspace' }, 'VALIDATION_FAILED'],
      // These become headers, which do not hold everything that JSON does.
      ['queue_clip_render', { clipId, idempotencyKey: 'clé 🎬' }, 'VALIDATION_FAILED'],
      ['update_clip', { clipId, etag: '"a"\n', title: 'x' }, 'VALIDATION_FAILED'],
    ] as const) {
      const reported = await call(client, name, input)
      expect([name, reported.isError, reported.error.code]).toEqual([name, true, code])
    }
    await expect(client.callTool({ name: 'drop_everything', arguments: {} })).rejects.toThrow(/no tool/)
    await expect(client.callTool({ name: 'render_clip', arguments: { clipId } })).rejects.toThrow(/no tool/)
  })
})

describe('/mcp', () => {
  it('refuses inputs that are nested too deeply, wherever they are', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    for (const [name, input] of [
      ['update_clip', `{"clipId":"${clipId}","etag":"\\"a\\"","titleCardConfig":${deep}}`],
      ['list_clips', `{"query":${deep}}`],
    ] as const) {
      const answer = await server.call('/mcp', {
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`,
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'x-service-delegation': own.token,
        },
      })
      const received = answer.json<{ result: { structuredContent: Reported } }>().result.structuredContent
      expect([name, received.error.code, received.error.message]).toEqual([
        name,
        'VALIDATION_FAILED',
        'The inputs are nested in more than 64 levels; send plainer ones.',
      ])
    }
  })

  it('needs a delegation, in either header, and the feature mcp besides the domain API', async () => {
    const status = async (headers: Record<string, string>) => {
      const json = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const answer = await server.call('/mcp', {
        method: 'POST',
        json,
        key: null,
        headers: { accept: 'application/json, text/event-stream', ...headers },
      })
      return [answer.status, answer.json<{ error?: { code: string } }>().error?.code]
    }
    expect(await status({})).toEqual([401, 'UNAUTHENTICATED'])
    expect(await status({ authorization: `Bearer ${server.key}` })).toEqual([401, 'UNAUTHENTICATED'])
    expect(await status({ 'x-service-delegation': 'x' })).toEqual([401, 'UNAUTHENTICATED'])
    expect(await status({ 'x-service-delegation': own.token, origin: 'https://evil.test' })).toEqual([
      403,
      'FORBIDDEN_HOST',
    ])
    expect(await status({ authorization: `Bearer ${own.token}` })).toEqual([200, undefined])
    await overHttp(own.token, 'authorization')
    createCompany(server.services, { id: 'plain', name: 'Plain' })
    const plain = await domainClient(server, { companyId: 'plain' })
    server.services.db.orm
      .update(companies)
      .set({ features: ['domain_api'] })
      .where(eq(companies.id, 'plain'))
      .run()
    expect((await plain.call('GET', '/context')).status).toBe(200)
    expect(await status({ 'x-service-delegation': plain.token })).toEqual([403, 'FEATURE_DISABLED'])
    await expect(
      overStdio(['--client', plain.clientId, '--company', 'plain', '--subject', 'x']),
    ).rejects.toThrow(/feature/)
  })

  it('holds each call of a batch to the limits, not the request alone', async () => {
    const rateLimits = {
      ...server.services.config.rateLimits,
      mode: 'on' as const,
      perSecond: 0.001,
      burst: 4,
    }
    const limited = await startTestServer({ config: { rateLimits } })
    try {
      const { token } = await domainClient(limited)
      const json = Array.from({ length: 8 }, (_, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'list_clips', arguments: {} },
      }))
      const headers = { accept: 'application/json, text/event-stream', 'x-service-delegation': token }
      const answer = await limited.call('/mcp', { method: 'POST', json, key: null, headers })
      const reports = answer.json<{ result: { isError: boolean; structuredContent: Partial<Reported> } }[]>()
      const codes = reports.map(({ result }) => result.structuredContent.error?.code ?? 'done').sort()
      expect(codes).toEqual([...Array<string>(4).fill('RATE_LIMITED'), ...Array<string>(4).fill('done')])
    } finally {
      await limited.close()
    }
  })

  it('has no sessions: refuses to open a stream or to end a session', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await server.call('/mcp', {
        method,
        key: null,
        headers: { 'x-service-delegation': own.token },
      })
      expect([method, answer.status, answer.headers.allow]).toEqual([
        method,
        405,
        expect.stringContaining('POST'),
      ])
    }
  })

  it('shows nothing of another company', async () => {
    createCompany(server.services, { id: 'rival', name: 'Rival' })
    const rival = await domainClient(server, { companyId: 'rival' })
    const client = await overHttp(rival.token)
    expect((await call(client, 'get_clip', { clipId })).error.code).toBe('NOT_FOUND')
    expect((await call(client, 'search', { query: 'zebras' })).data).toEqual([])
    expect((await call(client, 'list_clips')).data).toEqual([])
  })
})

describe('editing by commands', () => {
  it('offers every command of the table, and saves their result as one edit of the revision that was read', async () => {
    const client = await overHttp()
    const runId = addRun(server, { workflowId })
    addFacts(server, runId)
    const words = ['We', 'love', 'zebras'].map((word, index) => ({
      word,
      start: 10 + index,
      end: 10.9 + index,
    }))
    const document = { title: 'Animals', startTimestamp: 10, endTimestamp: 20 }
    const edited = addClip(server, { workflowId, runId, document, words })
    const { tools } = await client.listTools()
    const schema = JSON.stringify(tools.find(({ name }) => name === 'edit_clip')?.inputSchema)
    for (const { name } of EDIT_COMMANDS) expect(schema).toContain(`"const":"${name}"`)
    expect(schema).not.toContain('"const":"undo"')
    const { etag } = await call(client, 'get_clip', { clipId: edited })
    const commands = [
      { name: 'caption_colour', arguments: { colour: 'yellow' } },
      { name: 'title_text', arguments: { text: 'Zebras' } },
      { name: 'cut_words', arguments: { phrase: 'giraffes' } },
    ]
    const done = await call(client, 'edit_clip', { clipId: edited, etag, commands })
    expect(done.data).toEqual({
      lines: [
        { kind: 'done', text: 'Captions are yellow.' },
        { kind: 'done', text: 'The title is “Zebras”.' },
        { kind: 'refused', text: '“giraffes” is not said in this clip.' },
      ],
    })
    const after = await call(client, 'get_clip', { clipId: edited })
    expect(after.data).toMatchObject({ title: 'Zebras', subtitleConfig: { fontColor: '#ffff00' } })
    expect(after.etag).toBe(done.etag)
    const late = await call(client, 'edit_clip', { clipId: edited, etag, commands })
    expect([late.isError, late.error.code]).toEqual([true, 'PRECONDITION_FAILED'])
    const wrong = [{ name: 'speed', arguments: { rate: 99 } }]
    const refused = await call(client, 'edit_clip', { clipId: edited, etag: done.etag, commands: wrong })
    expect([refused.isError, refused.error.code]).toEqual([true, 'VALIDATION_FAILED'])
  })
})

describe('tools', () => {
  const tools = routeTools(DOMAIN_ROUTES)
  it('are the tenant routes, each with a schema of its own inputs, and none of the services’', () => {
    const tenant = DOMAIN_ROUTES.filter(({ access }) => access === 'tenant').map(({ operationId }) =>
      toolName(operationId),
    )
    expect([...tools.keys()].sort()).toEqual(tenant.filter((name) => name !== 'render_clip').sort())
    for (const { tool, route } of tools.values()) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/)
      expect(tool.description).toMatch(/\S.*\.$/)
      for (const name of tool.inputSchema.required)
        expect(Object.keys(tool.inputSchema.properties)).toContain(name)
      expect(tool.annotations.readOnlyHint).toBe(route.method === 'GET')
      expect(JSON.parse(JSON.stringify(tool))).toEqual(tool)
    }
  })
  it('accept null for omitted query parameters', () => {
    const list = tools.get('list_clips')
    if (list === undefined) throw new Error('there is no such tool')
    const { query } = requestOf(list, { query: null, tags: null, status: null, limit: 5 }, () => 'k')
    expect(query).toBe('?limit=5')
  })
  it('require the person’s own words and set the source themselves', () => {
    const decide = tools.get('decide_confirmation')
    expect(decide?.tool.inputSchema.required).toEqual(
      expect.arrayContaining(['confirmationId', 'decision', 'consentText']),
    )
    expect(Object.keys(decide?.tool.inputSchema.properties ?? {})).not.toContain('source')
    expect(decide?.tool.description).toMatch(/Only a person decides/)
    if (decide === undefined) throw new Error('there is no such tool')
    const requested = requestOf(
      decide,
      { confirmationId: 'c', decision: 'approve', consentText: 'Yes' },
      () => 'k',
    )
    expect(requested).toEqual({
      method: 'POST',
      params: { confirmationId: 'c' },
      query: '',
      headers: { 'idempotency-key': 'k' },
      body: { decision: 'approve', consentText: 'Yes', source: 'mcp_written_consent' },
    })
  })
})
