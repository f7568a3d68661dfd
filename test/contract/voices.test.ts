/** Named voices: off until an owner turns them on, sealed, deletable, the company's own, and who may do what. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NamedVoice, NamedVoices } from '../../server/contract/voices.ts'
import { saveStageFinished, saveStageStarted } from '../../server/db/runs.ts'
import { companies, namedVoices } from '../../server/db/schema.ts'
import { readAudit } from '../../server/domain/people/audit.ts'
import { recogniseVoices } from '../../server/domain/voices/recognise.ts'
import { listVoices, setVoiceRecognition } from '../../server/domain/voices/voices.ts'
import { evidenceIn } from '../../server/key-evidence.ts'
import { artefactFolder, digestOf } from '../../workers/artefacts.ts'
import type { SpeakerVoice } from '../../workers/stages/speakers/pure/voices.ts'
import { domainClient, type DomainClient } from '../support/domain.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import {
  addClip,
  addCompany,
  addRun,
  addWorkflow,
  startTestServer,
  type TestServer,
} from '../support/server.ts'

const MODEL = 'dvector-bilstm'
/** Voices as far apart as they can be; the first numbers of one are looked for in the database. */
const embedding = (axis: number): number[] =>
  Array.from({ length: 8 }, (_, at) => (at === axis ? 0.98765 : 0.05555))
const voice = (speaker: number, axis: number, seconds = 30, model = MODEL): SpeakerVoice => ({
  speaker,
  model,
  seconds,
  embedding: embedding(axis),
})

let server: TestServer
let client: DomainClient
let owner: SignedIn
let editor: SignedIn
let clipId = ''
let runId = ''
let keys = 0

/** A run whose speakers have these voices, with a clip. */
function addVoices(voices: readonly SpeakerVoice[] | null): void {
  const workflowId = addWorkflow(server)
  runId = addRun(server, { workflowId })
  clipId = addClip(server, { workflowId, runId })
  const { db, home } = server.services
  const key = digestOf(runId)
  const folder = artefactFolder(home.artefacts, 'speakers', key)
  mkdirSync(folder, { recursive: true })
  if (voices !== null) writeFileSync(join(folder, 'voices.json'), JSON.stringify(voices))
  const place = { runId, slot: 'speakers', now: 1 }
  saveStageStarted(db, { ...place, stage: 'speakers', key })
  const output = voices === null ? {} : { voicesFile: 'voices.json' }
  saveStageFinished(db, { ...place, output, reused: false, milliseconds: 1, warnings: [] })
}

beforeAll(async () => {
  server = await startTestServer()
  client = await domainClient(server)
  owner = signInAs(server, 'owner')
  editor = signInAs(server, 'editor')
})
afterAll(() => server.close())
beforeEach(() => {
  const { db } = server.services
  setVoiceRecognition({ db }, server.companyId, false)
  addVoices([voice(0, 0), voice(1, 1), voice(2, 2, 3)])
})

const at = (): string => `/studio/voices?companyId=${server.companyId}`
const turn = async (recognise: boolean): Promise<NamedVoices> =>
  (await owner.call(at(), { method: 'PUT', json: { recognise } })).json<NamedVoices>()
const name = (speaker: number, called: string, source: object = { clipId }, once = `v${(keys += 1)}`) =>
  client.call<NamedVoice>('POST', '/voices', { json: { ...source, speaker, name: called }, once })
const recognise = (...voices: SpeakerVoice[]) => recogniseVoices(server.services, server.companyId, voices)

describe('recognising voices by name', () => {
  it('is off until an owner turns it on, and off deletes every voice', async () => {
    expect((await owner.call(at())).json()).toEqual({ recognise: false, voices: [] })
    expect((await name(0, 'Anna')).error.code).toBe('INVALID_STATE')
    expect((await turn(true)).recognise).toBe(true)
    expect((await name(0, 'Anna')).status).toBe(201)
    expect(await turn(false)).toEqual({ recognise: false, voices: [] })
    expect(server.services.db.orm.select().from(namedVoices).all()).toEqual([])
    expect((await turn(true)).voices).toEqual([])
  })

  it('finds a named voice in later sources, of a clip or a run', async () => {
    await turn(true)
    await name(0, 'Anna')
    await name(1, 'Ben', { runId })
    expect([...recognise(voice(4, 1), voice(5, 0), voice(6, 7)).names]).toEqual([
      [4, 'Ben'],
      [5, 'Anna'],
    ])
    await turn(false)
    expect(recognise(voice(4, 1)).names.size).toBe(0)
  })

  it('says it where voices were named with another model', async () => {
    await turn(true)
    await name(0, 'Anna')
    const { names, warnings } = recognise(voice(0, 0, 30, 'wespeaker-resnet34-lm'))
    expect([names.size, warnings]).toEqual([
      0,
      [
        '1 named voice was not looked for: voices are measured with wespeaker-resnet34-lm now, and those were named with dvector-bilstm. Name them again.',
      ],
    ])
  })

  it('is for owners: an editor neither sees nor names any; each change is audited without a name', async () => {
    await turn(true)
    const refused = [
      await editor.call(at()),
      await editor.call(at(), { json: { clipId, speaker: 0, name: 'Anna' } }),
      await editor.call('/voices'),
      await editor.call(at(), { method: 'PUT', json: { recognise: false } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect((await owner.call(at(), { json: { clipId, speaker: 0, name: 'Anna' } })).status).toBe(200)
    const rows = readAudit(server.services, { limit: 50 }).rows
    expect(rows.map(({ method, route }) => `${method} ${route}`)).toContain('POST /studio/voices')
    expect(JSON.stringify(rows)).not.toContain('Anna')
  })
})

describe('a named voice', () => {
  beforeEach(() => turn(true))

  it('is sealed: the database has neither it nor its name, and a copy needs the key', async () => {
    await name(0, 'Annabella')
    const { db, home } = server.services
    const [row] = db.orm.select().from(namedVoices).all()
    expect(JSON.stringify(row)).not.toMatch(/Annabella|0\.98765/)
    db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    expect(readFileSync(home.database, 'latin1')).not.toContain('0.98765')
    expect(evidenceIn(home.database).sealed.map(({ purpose }) => purpose)).toContain(`named-voice:${row?.id}`)
  })

  it('is answered again for the same key, replaced under the same name, and has one name', async () => {
    const first = await name(0, 'Anna', { clipId }, 'same')
    expect((await name(0, 'Anna', { clipId }, 'same')).data).toEqual(first.data)
    expect((await name(1, ' Anna ')).data.id).toBe(first.data.id)
    expect([...recognise(voice(0, 0), voice(1, 1)).names]).toEqual([[1, 'Anna']])
    const again = await name(1, 'Berta')
    expect([again.error.code, again.error.details]).toEqual(['INVALID_STATE', { voiceId: first.data.id }])
  })

  it('is renamed and forgotten', async () => {
    const { id } = (await name(0, 'Anna')).data
    await name(1, 'Ben')
    const rename = (to: string) =>
      client.call('PATCH', `/voices/${id}`, { json: { name: to }, once: `r-${to}` })
    expect((await rename('Ben')).error.code).toBe('INVALID_STATE')
    expect((await rename('Anna Weber')).data).toMatchObject({ id, name: 'Anna Weber' })
    expect([...recognise(voice(0, 0)).names]).toEqual([[0, 'Anna Weber']])
    expect((await client.call('DELETE', `/voices/${id}`)).data).toEqual({ id, deleted: true })
    expect((await client.call('DELETE', `/voices/${id}`)).error.code).toBe('NOT_FOUND')
    const { data, meta } = await client.call<NamedVoice[]>('GET', '/voices')
    expect([data.map((one) => one.name), meta]).toEqual([['Ben'], { nextCursor: null, recognise: true }])
  })

  it('needs a measured voice and enough of it', async () => {
    expect((await name(2, 'Cy')).error.message).toContain('speaks alone for 3.0 s')
    expect((await name(9, 'Cy')).error.code).toBe('VALIDATION_FAILED')
    expect((await name(0, 'Cy', {})).error.code).toBe('VALIDATION_FAILED')
    addVoices(null)
    expect((await name(0, 'Cy')).error.message).toContain('No voices were measured')
  })

  it('belongs to its company, and goes with it', async () => {
    const { id } = (await name(0, 'Anna')).data
    const { companyId } = addCompany(server, 'other')
    setVoiceRecognition(server.services, companyId, true)
    const other = await domainClient(server, { companyId })
    expect((await other.call('DELETE', `/voices/${id}`)).error.code).toBe('NOT_FOUND')
    const json = { clipId, speaker: 0, name: 'Anna' }
    expect((await other.call('POST', '/voices', { json, once: 'o' })).error.code).toBe('NOT_FOUND')
    expect(recogniseVoices(server.services, companyId, [voice(0, 0)]).names.size).toBe(0)
    const { db } = server.services
    db.orm
      .insert(companies)
      .values({ id: 'gone', name: 'G', plan: 'starter', features: [], createdAt: 1 })
      .run()
    const row = { id: 'v', companyId: 'gone', model: MODEL, sealedVoice: 'v1.x', createdAt: 1, updatedAt: 1 }
    db.orm.insert(namedVoices).values(row).run()
    expect(listVoices(server.services, 'gone')).toMatchObject([{ name: null }])
    db.sqlite.prepare("delete from companies where id = 'gone'").run()
    expect(db.orm.select().from(namedVoices).all()).toHaveLength(1)
  })
})
