/** The studio's own language model and speech server: entered in the studio, or set where the appliance runs. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ModelServerFacts } from '../../server/contract/settings.ts'
import { checkSpeechServer } from '../../server/cli/doctor/engines.ts'
import { checkNetwork } from '../../server/cli/doctor/machine.ts'
import { configInForce } from '../../server/cli/model-servers.ts'
import { getSetting } from '../../server/db/settings.ts'
import {
  languageModelState,
  speechServerState,
  withModelServers,
} from '../../server/domain/settings/model-servers.ts'
import { signInAs, type SignedIn } from '../support/people.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let owner: SignedIn
beforeAll(async () => {
  server = await startTestServer()
  owner = signInAs(server, 'owner')
})
afterAll(() => server.close())

describe('servers of the studio’s own', () => {
  const put = (name: string, json: object) =>
    owner.call(`/studio/model-servers/${name}`, { method: 'PUT', json })
  const shownOf = async (name: string) =>
    (await owner.call(`/studio/model-servers/${name}`)).json<ModelServerFacts>()

  it('are entered by an owner, tried, used without a restart, and taken away', async () => {
    const heard: string[] = []
    const fake = createServer((request, response) => {
      heard.push(`${request.url ?? ''} ${request.headers.authorization ?? ''}`)
      response.end(JSON.stringify({ data: [{ id: 'small' }] }))
    })
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(fake.address() as AddressInfo).port}`
    try {
      expect(await shownOf('language-model')).toMatchObject({ setBy: null, address: null })
      expect(languageModelState(withModelServers(server.services)).state).toBe('off')
      const saved = await put('language-model', { url: `${url}/`, model: 'small', key: 'sk-typed' })
      expect(saved.json()).toMatchObject({ setBy: 'studio', address: url, model: 'small', hasKey: true })
      const tried = await owner.call('/studio/model-servers/language-model/try', { method: 'POST' })
      expect(tried.json()).toMatchObject({ works: true, said: 'It answers, and has small.' })
      expect(heard).toEqual(['/v1/models Bearer sk-typed'])
      expect(languageModelState(withModelServers(server.services))).toMatchObject({
        state: 'ready',
        access: { address: `${url}/v1`, key: 'sk-typed' },
      })
      const stored = getSetting(server.services.db, 'language-model') ?? ''
      expect(`${saved.text}${stored}${JSON.stringify(server.log)}`).not.toContain('sk-typed')
      // The key stays with its address, and goes to no other.
      expect((await put('language-model', { url, model: 'large' })).json()).toMatchObject({ hasKey: true })
      const elsewhere = await put('language-model', { url: 'http://127.0.0.1:9', model: 'large' })
      expect([elsewhere.status, elsewhere.text]).toEqual([400, expect.stringContaining('another address')])
      expect((await put('language-model', { url, model: 'large', key: '' })).json()).toMatchObject({
        hasKey: false,
      })
      await owner.call('/studio/model-servers/language-model', { method: 'DELETE' })
      expect(await shownOf('language-model')).toMatchObject({ setBy: null })
    } finally {
      fake.closeAllConnections()
      fake.close()
    }
  })

  it('transcribe in place of a model of this machine', async () => {
    await put('speech-server', { url: 'http://127.0.0.1:9', model: 'whisper' })
    expect(speechServerState(withModelServers(server.services))).toMatchObject({
      state: 'server',
      access: { address: 'http://127.0.0.1:9/v1', model: 'whisper' },
    })
    const tried = await owner.call('/studio/model-servers/speech-server/try', { method: 'POST' })
    expect(tried.json()).toMatchObject({
      works: false,
      said: expect.stringContaining('Check the address') as string,
    })
    await owner.call('/studio/model-servers/speech-server', { method: 'DELETE' })
  })

  it('are refused with a sentence, and are for owners', async () => {
    const wrong: [object, string][] = [
      [{ url: 'ftp://x', model: 'm' }, 'address'],
      [{ url: 'http://me:pass@127.0.0.1:9', model: 'm' }, 'Leave name and password out'],
      [{ url: 'http://127.0.0.1:9?key=x', model: 'm' }, 'address'],
      [{ url: 'http://127.0.0.1:9', model: ' ' }, 'Name the model'],
      [{ url: 'http://127.0.0.1:9' }, 'model'],
    ]
    for (const [json, sentence] of wrong) {
      const answer = await put('language-model', json)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(sentence)])
    }
    expect((await put('no-server', { url: 'http://127.0.0.1:9', model: 'm' })).status).toBe(400)
    const editor = signInAs(server, 'editor')
    const json = { url: 'http://127.0.0.1:9', model: 'm' }
    expect((await editor.call('/studio/model-servers/language-model', { method: 'PUT', json })).status).toBe(
      403,
    )
  })

  it('are seen by the doctor and by commands that have no database open', async () => {
    const { config } = server.services
    await put('language-model', { url: 'http://10.1.2.3:8000', model: 'small' })
    await put('speech-server', { url: 'http://127.0.0.1:9', model: 'whisper', key: 'sk-typed' })
    const inForce = await configInForce(config)
    expect([inForce.languageModel.url, inForce.speechServer.key]).toEqual([
      'http://10.1.2.3:8000',
      'sk-typed',
    ])
    const [speech] = await checkSpeechServer(inForce, config)
    expect(speech).toMatchObject({ state: 'failure', mend: expect.stringContaining('Settings') as string })
    expect(speech?.mend).not.toContain('CUTROOM')
    const network = checkNetwork({ ...inForce, network: 'on' }, config)
    expect(network.find(({ name }) => name === 'network language-model')?.found).toContain('10.1.2.3:8000')
    const off = checkNetwork({ ...inForce, network: 'off' }, config)
    expect(off.find(({ name }) => name === 'network CUTROOM_LLM_URL')?.mend).toContain(
      'under Settings, Language and speech',
    )
    for (const name of ['language-model', 'speech-server'])
      await owner.call(`/studio/model-servers/${name}`, { method: 'DELETE' })
    expect((await configInForce(config)).languageModel.url).toBe(config.languageModel.url)
  })

  it('of the environment win, and are changed there only', async () => {
    const languageModel = { url: 'http://127.0.0.1:9/v1', model: 'theirs', key: null, timeoutSeconds: 5 }
    const own = await startTestServer({ config: { languageModel } })
    try {
      const me = signInAs(own, 'owner')
      const json = { url: 'http://127.0.0.1:10', model: 'mine' }
      const answer = await me.call('/studio/model-servers/language-model', { method: 'PUT', json })
      expect([answer.status, answer.text]).toEqual([
        409,
        expect.stringContaining('whoever runs the appliance'),
      ])
      expect(languageModelState(withModelServers(own.services))).toMatchObject({
        access: { model: 'theirs' },
      })
    } finally {
      await own.close()
    }
  })
})
