/** Values that no clip could be made with are refused where they are sent, with the field, by every way to send them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import {
  addClip,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let client: DomainClient
let editor: SignedIn
let workflowId: string
let clipId: string
beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  editor = signInAs(server, 'editor')
  workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  clipId = addClip(server, { workflowId, runId })
})
afterAll(() => server.close())

const WRONG = [
  [{ subtitleConfig: { fontColor: 'notacolour' } }, 'subtitleConfig.fontColor'],
  [{ subtitleConfig: { fontSize: '1e9' } }, 'subtitleConfig.fontSize'],
  [{ subtitleConfig: { subtitleX: 1e308 } }, 'subtitleConfig.subtitleX'],
  [{ endCardOption: { url: '/etc/passwd' } }, 'endCardOption.url'],
  [{ backgroundMusicOption: { url: 'concat:/etc/passwd|x.mp3' } }, 'backgroundMusicOption.url'],
] as const

const fieldOf = (path: string): string => path.split('.')[0] ?? ''

describe('values that can be judged at once', () => {
  it.each(WRONG)('POST /update-clip %j: 400 at %s', async (updates, path) => {
    const json = { companyId: server.companyId, clipId, updates }
    const answer = await server.call('/update-clip', { json })
    expect([answer.status, answer.json()['code']]).toEqual([400, 'INVALID_CLIP_UPDATE'])
    expect(answer.json()['details']).toMatchObject({ field: fieldOf(path), path })
  })

  it.each(WRONG)('PATCH /clips/{clipId} %j: 400 at %s', async (json, path) => {
    const { etag } = await client.call('GET', `/clips/${clipId}`)
    const { status, error } = await client.call('PATCH', `/clips/${clipId}`, {
      json,
      match: etag,
      once: path,
    })
    expect([status, error.code, error.details?.['path']]).toEqual([400, 'VALIDATION_FAILED', path])
  })

  it.each(WRONG)('an edit of the studio %j: 400 at %s', async (updates, path) => {
    const opened = (await editor.call(`/studio/clips/${clipId}/editor`)).json<{ etag: string }>()
    const json = { etag: opened.etag, updates }
    const answer = await editor.call(`/studio/clips/${clipId}`, { method: 'PATCH', json })
    expect([answer.status, answer.json()['details']]).toMatchObject([400, { path }])
  })

  it.each([
    ['add_subtitles', { subtitle_config: { fontColor: 'notacolour' } }, 'subtitle_config.fontColor'],
    ['add_subtitles', { subtitle_config: { fontSize: '1e9' } }, 'subtitle_config.fontSize'],
    ['add_subtitles', { subtitle_config: { subtitleX: 1e308 } }, 'subtitle_config.subtitleX'],
    ['add_subtitles', { subtitle_config: { speakerStyles: [[null]] } }, 'subtitle_config.speakerStyles.0'],
    [
      'add_subtitles',
      { subtitle_config: { speakerStyles: [null, 'red'] } },
      'subtitle_config.speakerStyles.1',
    ],
  ])('nodeConfigs of %s %j: 400 at %s, and no run', async (type, config, path) => {
    const json = {
      companyId: server.companyId,
      workflowId,
      url: 'https://videos.example/talk.mp4',
      nodeConfigs: { [type]: config },
    }
    const answer = await server.call('/trigger-template', { json })
    expect([answer.status, answer.json()['code'], answer.json()['details']]).toMatchObject([
      400,
      'INVALID_NODE_CONFIG',
      { nodeType: type, path },
    ])
  })

  it('a flat subtitleConfig with a style that is none: 400', async () => {
    for (const styles of [[[null, null]], ['red'], [{}, 7]]) {
      const json = {
        companyId: server.companyId,
        workflowId,
        url: 'https://videos.example/talk.mp4',
        subtitleConfig: { fontColor: '#ffffff', speakerStyles: styles },
      }
      const answer = await server.call('/trigger-template', { json })
      expect([answer.status, answer.json()['code']], JSON.stringify(styles)).toEqual([
        400,
        'INVALID_NODE_CONFIG',
      ])
    }
  })

  it('what the documents show is taken', async () => {
    const updates = {
      subtitleConfig: { fontColor: '#FFCC00', fontSize: '76', fontWeight: 'bold', subtitleX: 50 },
      endCardOption: { url: 'https://cdn.example/card.png', duration: 3 },
    }
    const answer = await server.call('/update-clip', {
      json: { companyId: server.companyId, clipId, updates },
    })
    expect([answer.status, answer.json()['updates']]).toMatchObject([200, updates])
  })
})
