import { describe, expect, test } from 'vitest'
import { pretendSpeechServer, SERVER_KEY } from '../../../test/support/speech-server.ts'
import { loadConfig } from '../../config/config.ts'
import { checkInference, checkModels, checkSpeechServer } from './engines.ts'

describe('checkInference', () => {
  test('opens a model and names what it runs on', async () => {
    const check = await checkInference({ inference: 'cpu' })
    expect(check).toMatchObject({
      name: 'onnx',
      state: 'ok',
      found: expect.stringMatching(/^models run on the processor \(the runtime has cpu/) as string,
    })
  })

  test('warns of a card that does not work, with a way out', async () => {
    const source = {
      platform: 'win32',
      failures: new Map(),
      backends: () => [
        { name: 'cpu', complete: true },
        { name: 'dml', complete: true },
      ],
    }
    if (process.platform === 'win32') return
    const check = await checkInference({ inference: 'auto' }, source)
    expect(check).toMatchObject({
      state: 'warning',
      mend: expect.stringContaining('CUTROOM_INFERENCE') as string,
    })
    expect(check.found).toContain('DirectML does not work here, so models run on the processor')
  })
})

describe('the speech server', () => {
  const config = loadConfig({ home: '/nonexistent/cutroom' }, {})
  const name = 'speech server'

  test('is named where it is configured, in place of the installed model, with what is wrong and never its key', async () => {
    expect(await checkSpeechServer(config)).toEqual([])
    const server = await pretendSpeechServer(() => ({}))
    const check = async (change: object) => {
      const speechServer = {
        url: server.url,
        model: 'large-v3',
        key: SERVER_KEY,
        timeoutSeconds: 5,
        ...change,
      }
      const configured = { ...config, speechServer }
      expect((await checkModels(configured)).map((row) => row.name)).not.toContain('model for speech')
      const [row] = await checkSpeechServer(configured)
      expect(JSON.stringify(row)).not.toContain(SERVER_KEY)
      return row
    }
    const said = (text: string): unknown => expect.stringContaining(text)
    expect(await check({})).toMatchObject({ name, state: 'ok', found: said('has large-v3') })
    expect(await check({ key: 'wrong' })).toMatchObject({ state: 'failure', found: said('CUTROOM_ASR_KEY') })
    expect(await check({ model: 'other' })).toMatchObject({
      state: 'failure',
      found: said('CUTROOM_ASR_MODEL'),
    })
    expect(await check({ model: null })).toMatchObject({ state: 'failure', found: said('CUTROOM_ASR_MODEL') })
    expect(await check({ url: 'http://127.0.0.1:9' })).toMatchObject({ found: said('CUTROOM_ASR_URL') })
    const far = { ...config.speechServer, url: 'http://192.0.2.7', model: 'large-v3' }
    expect(await checkSpeechServer({ network: 'off', speechServer: far })).toEqual([])
    await server.stop()
  })
})
