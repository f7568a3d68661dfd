import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../config/config.ts'
import { checkNetwork } from '../../cli/doctor/machine.ts'
import { networkPage, LOCAL_ONLY, OUTBOUND } from './outbound.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Code that turns to another machine, or could; types and servers that only listen are no such code. */
const CONNECTING = [
  /^import \{(?![^}]*\btype\b[^,}]*\})[^}]*\} from 'undici'/m,
  /import\('undici'\)/,
  /(?<![.\w])fetch\(|\bnet\.fetch\(/,
  /\bcustomFetch\b/,
  /^import \{[^}]*(?<!type )\b(?:connect|createConnection|Socket as|request)\b[^}]*\} from 'node:(?:net|tls|http|https|http2)'/m,
  /^import (?:\* as )?\w+ from 'node:(?:net|tls|http|https|http2|dns|dgram)'/m,
  /from 'node:(?:dns|dns\/promises|dgram)'/,
  /import\('(?:ioredis|bullmq)'\)|new WebSocket\(|new EventSource\(|\bguardedAgent\(|\bstartGuardProxy\(|\bwithYtDlp\(/,
]

function sources(): string[] {
  return ['main', 'server', 'workers', 'models'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !/\.test\.ts$|\.d\.ts$/.test(name))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const connects = (file: string): boolean => CONNECTING.some((pattern) => pattern.test(textOf(file)))

describe('the registry of what may leave', () => {
  const registered = new Set([...OUTBOUND.flatMap(({ modules }) => modules), ...Object.keys(LOCAL_ONLY)])

  test('has every module that connects to anything', () => {
    const found = sources().filter(connects)
    expect(found.length).toBeGreaterThan(15)
    expect(found.filter((file) => !registered.has(file))).toEqual([])
  })

  test('names no module that is gone', () => {
    const all = new Set(sources())
    const named = OUTBOUND.flatMap(({ modules }) => modules)
    expect(named.filter((file) => !all.has(file))).toEqual([])
  })

  test('has nothing of Chromium: a window of the desktop app downloads no dictionaries', () => {
    const windows = sources().filter((file) => /webPreferences: \{/.test(textOf(file)))
    expect(windows.length).toBeGreaterThan(0)
    expect(windows.filter((file) => !/spellcheck: false/.test(textOf(file)))).toEqual([])
  })

  test('is what docs/network.md says', () => {
    expect(textOf('docs/network.md'), 'renew it: node test/support/network-page.ts').toBe(networkPage())
  })

  test('only one place makes a policy of the settings', () => {
    const own = ['server/reachable.ts', 'server/domain/network/outbound.ts', 'server/config/config.ts']
    const reading = sources().filter(
      (file) =>
        !own.includes(file) &&
        /\bconfig\.sources\b|\{[^}\n]*\bsources\b[^}\n]*\} = config/.test(textOf(file)),
    )
    expect(reading).toEqual([])
  })
})

describe('the doctor', () => {
  const config = loadConfig({ home: '/nonexistent/cutroom' }, {})

  test('names each purpose that may contact somebody', () => {
    const names = checkNetwork(config).map(({ name }) => name)
    expect(names).toContain('network sources')
    expect(names).not.toContain('network language-model')
    const asked = {
      ...config,
      languageModel: { ...config.languageModel, url: 'http://10.0.0.7:11434/v1' },
      speechServer: { ...config.speechServer, url: 'http://10.0.0.8:8000' },
    }
    expect(checkNetwork(asked).find(({ name }) => name === 'network speech-server')?.found).toContain(
      '10.0.0.8:8000',
    )
    expect(checkNetwork(asked).find(({ name }) => name === 'network language-model')?.found).toContain(
      '10.0.0.7:11434',
    )
  })

  test('says that nobody is contacted with the network off, and which setting names somebody all the same', () => {
    const off = { ...config, network: 'off' as const }
    expect(checkNetwork(off)).toEqual([
      { name: 'network', state: 'ok', found: 'off: nothing but this machine is contacted' },
    ])
    const asked = {
      ...off,
      languageModel: { ...off.languageModel, url: 'http://10.0.0.7:11434/v1' },
      speechServer: { ...off.speechServer, url: 'http://10.0.0.8:8000' },
    }
    expect(checkNetwork(asked).map(({ name, state }) => [name, state])).toEqual([
      ['network', 'ok'],
      ['network CUTROOM_LLM_URL', 'warning'],
      ['network CUTROOM_ASR_URL', 'warning'],
    ])
  })
})
