import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadConfig, unknownSettings } from './config.ts'
import { languageModelState } from '../domain/settings/model-servers.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cutroom-config-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const write = (value: unknown) => writeFileSync(join(home, 'config.json'), JSON.stringify(value))

describe('loadConfig', () => {
  test('defaults', () => {
    expect(loadConfig({ home }, {})).toMatchObject({
      home,
      port: 4810,
      host: '127.0.0.1',
      publicUrl: null,
      modelFolders: [join(home, 'models')],
      sources: 'any',
      log: 'info',
      allowModelDownloads: false,
    })
  })

  test('an option beats the environment, which beats config.json', () => {
    write({ port: 1, host: '10.0.0.1', sources: 'public', allowedHosts: ['a', 'b'] })
    const environment = { CUTROOM_HOME: home, CUTROOM_PORT: '2', CUTROOM_HOST: '', CUTROOM_MODELS: home }
    const config = loadConfig({ port: '3' }, environment)
    expect(config).toMatchObject({ port: 3, host: '10.0.0.1', sources: 'public', allowedHosts: ['a', 'b'] })
    expect(config.modelFolders).toEqual([home, join(home, 'models')])
    expect(loadConfig({}, environment).port).toBe(2)
    expect(Object.isFrozen(config)).toBe(true)
  })

  test.each([
    [{ CUTROOM_PORT: '65536' }, 'CUTROOM_PORT is "65536"; expected a port number, 0 to 65535.'],
    [{ CUTROOM_PORT: '1e3' }, 'CUTROOM_PORT'],
    [{ CUTROOM_PUBLIC_URL: 'ftp://a' }, 'CUTROOM_PUBLIC_URL'],
    [{ CUTROOM_PUBLIC_URL: 'https://a/?b' }, 'CUTROOM_PUBLIC_URL'],
    [{ CUTROOM_PUBLIC_URL: 'https://a/?' }, 'CUTROOM_PUBLIC_URL'],
    [{ CUTROOM_PUBLIC_URL: 'https://a:b@c' }, 'CUTROOM_PUBLIC_URL'],
    [{ CUTROOM_ALLOWED_HOSTS: 'rack.lan,https://rack.lan' }, 'CUTROOM_ALLOWED_HOSTS is'],
    [{ CUTROOM_ALLOWED_HOSTS: '*' }, 'expected host names with commas between'],
    [{ CUTROOM_METRICS_TOKEN: 'two words' }, 'CUTROOM_METRICS_TOKEN'],
    [{ CUTROOM_MODELS: '/no/such/folder' }, 'CUTROOM_MODELS'],
    [{ CUTROOM_MODELS: import.meta.filename }, 'expected a folder that exists'],
    [{ CUTROOM_FFMPEG: '/no/such/file' }, 'CUTROOM_FFMPEG'],
    [{ CUTROOM_FFMPEG: tmpdir() }, 'expected a file that exists, or "bundled"'],
    [{ CUTROOM_YT_DLP: `${import.meta.filename}/key` }, 'CUTROOM_YT_DLP'],
    [{ CUTROOM_SOURCES: 'ANY' }, 'CUTROOM_SOURCES'],
    [{ CUTROOM_LOG: 'loud' }, 'CUTROOM_LOG is "loud"; expected debug, info, warn, error.'],
    [{ CUTROOM_MAX_SOURCE_BYTES: '0' }, 'CUTROOM_MAX_SOURCE_BYTES'],
  ])('%j stops with a sentence that names it', (environment, sentence) => {
    expect(() => loadConfig({ home }, environment)).toThrow(sentence)
  })

  test('files and folders may be links', () => {
    const models = join(home, 'models-link')
    const ffmpeg = join(home, 'ffmpeg-link')
    symlinkSync(home, models)
    symlinkSync(process.execPath, ffmpeg)
    const config = loadConfig({ home }, { CUTROOM_MODELS: models, CUTROOM_FFMPEG: ffmpeg })
    expect([config.modelFolders[0], config.ffmpeg]).toEqual([models, ffmpeg])
  })

  test('settings that are none are named, and no others', () => {
    write({ port: 1, prot: 2, youtubeClientSecret: 's' })
    const environment = { CUTROOM_HOME: home, CUTROOM_CACHE: '/c', CUTROOM_SNAPCHAT_CLIENT_ID: 'i', PATH: '' }
    expect(unknownSettings({}, environment)).toEqual(['"prot" in config.json'])
    const byOthers = { ...environment, CUTROOM_ASKED_BY: 'alice', CUTROOM_IGNORES_HANGUP: '0' }
    expect(unknownSettings({}, byOthers)).toEqual(['"prot" in config.json'])
    const wrong = { ...environment, CUTROOM_NETWROK: 'off', CUTROOM_KEEP_SOURCE_DAYS: '3' }
    expect(unknownSettings({}, wrong)).toEqual([
      '"prot" in config.json',
      'CUTROOM_KEEP_SOURCE_DAYS',
      'CUTROOM_NETWROK',
    ])
  })

  test('hosts are named as a Host header names them', () => {
    const allowed = 'rack.lan, rack.lan:8080,10.0.0.5,[fd00::1]:4810,fd00::1,MY_rack'
    expect(loadConfig({ home }, { CUTROOM_ALLOWED_HOSTS: allowed }).allowedHosts).toHaveLength(6)
  })

  test('a key is not repeated in the sentence about it', () => {
    write({ gettySecret: ['hush'] })
    const read = () => loadConfig({ home }, {})
    expect(read).toThrow('"gettySecret" in')
    expect(read).not.toThrow('hush')
  })

  test('a language model is asked only where an address is given', () => {
    expect(loadConfig({ home }, {}).languageModel).toEqual({
      url: null,
      model: null,
      key: null,
      timeoutSeconds: 180,
    })
    const environment = { CUTROOM_LLM_URL: 'http://127.0.0.1:11434/', CUTROOM_LLM_MODEL: 'qwen3:4b' }
    const config = loadConfig({ home }, { ...environment, CUTROOM_LLM_KEY: 'hush', CUTROOM_NETWORK: 'off' })
    expect(languageModelState(config)).toEqual({
      state: 'ready',
      access: {
        address: 'http://127.0.0.1:11434/v1',
        model: 'qwen3:4b',
        key: 'hush',
        addresses: 'loopback',
        timeoutSeconds: 180,
      },
    })
    expect(
      languageModelState(loadConfig({ home }, { CUTROOM_LLM_URL: 'http://gpu:8080/api/v1' })),
    ).toMatchObject({
      state: 'refused',
      why: expect.stringContaining('CUTROOM_LLM_MODEL') as string,
    })
    for (const url of ['gpu:8080', 'http://ada:hush@gpu:8080', 'http://gpu:8080/v1?key=hush']) {
      const read = () => loadConfig({ home }, { CUTROOM_LLM_URL: url })
      expect(read).toThrow('CUTROOM_LLM_URL is not an http or https address')
      expect(read).not.toThrow('hush')
    }
  })

  test('a speech server is used only where an address is given, which is not repeated', () => {
    const none = { url: null, model: null, key: null, timeoutSeconds: 300 }
    expect(loadConfig({ home }, {}).speechServer).toEqual(none)
    write({ asrUrl: 'http://gpu:8000/', asrModel: 'large', asrKey: 'hush' })
    const config = loadConfig({ home }, { CUTROOM_ASR_TIMEOUT: '60' })
    expect(config.speechServer).toEqual({
      url: 'http://gpu:8000',
      model: 'large',
      key: 'hush',
      timeoutSeconds: 60,
    })
    for (const url of ['gpu:8000', 'http://ada:hush@gpu:8000', 'http://gpu:8000/v1?key=hush']) {
      const read = () => loadConfig({ home }, { CUTROOM_ASR_URL: url })
      expect(read).toThrow('CUTROOM_ASR_URL is not an http or https address')
      expect(read).not.toThrow('hush')
    }
  })

  test('a bad value in config.json is named with its file, and so is a bad file', () => {
    write({ port: 'many' })
    expect(() => loadConfig({ home }, {})).toThrow(`"port" in ${join(home, 'config.json')} is "many"`)
    writeFileSync(join(home, 'config.json'), '[1')
    expect(() => loadConfig({ home }, {})).toThrow(`${join(home, 'config.json')} is not readable`)
  })
})
