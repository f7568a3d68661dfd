/** GET /studio/clips/{clipId}/export/{format}, and the command that writes the same. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { exportCommand } from '../../server/cli/commands/export.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { planRender } from '../../server/domain/rendering/render-clip.ts'
import { EXPORT_FORMATS } from '../../server/interchange/index.ts'
import { sourcePath } from '../../workers/artefacts.ts'
import {
  addClip,
  addCompany,
  addFacts,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

let server: TestServer
let clipId = ''
const reported = (word: string, start: number, end: number): TranscriptWord => ({ word, start, end })
const WORDS = [
  reported('Outside', 8, 8.5),
  reported('We', 10.5, 11),
  reported('um,', 11.2, 11.8),
  reported('fix', 12, 13),
  reported('fucking', 13.1, 13.6),
  reported('bikes.', 13.7, 14),
]

beforeAll(async () => {
  server = await startTestServer()
  const workflowId = addWorkflow(server)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId)
  const nodes = ['filler_words', 'remove_curse_words', 'add_subtitles'].map((type) => ({
    id: type,
    type,
    enabled: true,
    config: type === 'remove_curse_words' ? { mode: 'beep' } : {},
  }))
  const document = { nodes, language: 'en', title: "Don't stop: «Fahrräder»" }
  clipId = addClip(server, { workflowId, runId, words: WORDS, document })
})
afterAll(() => server.close())

const path = (format: string, id = clipId): string => `/studio/clips/${id}/export/${format}`

describe('the studio’s route', () => {
  it.each([
    ['otio', 'application/json', '"OTIO_SCHEMA": "Timeline.1"'],
    ['fcpxml', 'application/xml', '<fcpxml version="1.10">'],
    ['fcp7', 'application/xml', '<xmeml version="5">'],
    ['edl', 'text/plain', 'FCM: NON-DROP FRAME'],
    ['srt', 'application/x-subrip', '00:00:00,'],
    ['vtt', 'text/vtt', 'WEBVTT'],
    ['txt', 'text/plain', 'We fix'],
    ['json', 'application/json', '"durationFrames"'],
  ])('sends %s as a file', async (format, mediaType, text) => {
    const answer = await server.call(path(format))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, `${mediaType}; charset=utf-8`])
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="clip\.\w+"; filename\*=UTF-8''dont-stop-fahrr%C3%A4der\.\w+$/,
    )
    expect(answer.text).toContain(text)
    // Paths of this machine must not be visible to clients on the network.
    expect(answer.text).not.toContain(server.services.home.root)
  })

  it('has the words as they sound: cut ones removed, masked ones masked, at their new times', async () => {
    const { words, durationFrames } = (await server.call(path('json'))).json<{
      durationFrames: number
      words: { word: string; start: number; startFrame: number }[]
    }>()
    expect(words.map(({ word }) => word)).toEqual(['We', 'fix', 'f******', 'bikes.'])
    expect(durationFrames).toBe(planRender(server.services, clipId).composition.durationFrames)
    expect(words[0]?.startFrame).toBe(15)
    // The word 'fix' is 2 s into the cut; the part of the filler that was cut out is subtracted.
    expect(words[1]?.start).toBeLessThan(1.9)
    const txt = (await server.call(path('txt'))).text
    expect(txt).not.toMatch(/fucking|um,|Outside/)
  })

  it('refuses an unknown format, an unknown clip, another company’s', async () => {
    const unknown = await server.call(path('avi'))
    expect([unknown.status, unknown.json()['code']]).toEqual([400, 'INVALID_REQUEST'])
    expect(unknown.json()['error']).toContain(EXPORT_FORMATS.join(', '))
    expect((await server.call(path('srt', 'nothing'))).status).toBe(404)
    const { key } = addCompany(server, 'other')
    expect((await server.call(path('srt'), { key })).status).toBe(404)
    expect((await server.call(path('srt'), { key: null })).status).toBe(401)
  })
})

describe('cutroom export', () => {
  async function run(format: string, more: { output?: string; json?: boolean } = {}) {
    const out: string[] = []
    const notes: string[] = []
    const terminal: Terminal = {
      out: (line) => void out.push(line),
      note: (line) => void notes.push(line),
      status: () => undefined,
      interactive: false,
      columns: 80,
    }
    const { output, json = false } = more
    const options = { home: server.services.config.home, json, format, output }
    const code = await exportCommand.run({ options: options as never, positionals: [clipId], terminal })
    return { code, out: out.join('\n'), notes }
  }

  it('names the stored source by its path, and reports on stderr what is dropped', async () => {
    const { code, out, notes } = await run('edl')
    const file = sourcePath(server.services.home.sources, 'a'.repeat(64))
    expect([code, out.includes(pathToFileURL(file).href)]).toEqual([0, true])
    expect(notes).toContain('Captions are dropped; take them as SRT or VTT.')
  })

  it('writes a file, and reports it as JSON', async () => {
    const output = join(server.services.home.temporary, 'clip.otio')
    const { out } = await run('otio', { output, json: true })
    expect(JSON.parse(out)).toMatchObject({ format: 'otio', label: 'OpenTimelineIO', file: output })
    expect(JSON.parse(await readFile(output, 'utf8'))).toMatchObject({ name: "Don't stop: «Fahrräder»" })
  })

  it('refuses what does not exist', async () => {
    await expect(run('mov')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
