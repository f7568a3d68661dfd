import { describe, expect, test } from 'vitest'
import type { ServerProcess } from './server-process.ts'
import { sentenceOf } from './server-process.ts'
import { startShell, type ElectronLike, type WindowLike } from './shell.ts'

type Listener = (...args: never[]) => void

function fakeElectron(firstInstance = true) {
  const listeners = new Map<string, Listener>()
  const seen = {
    quits: 0,
    loaded: [] as string[],
    outside: [] as string[],
    errors: [] as string[],
    windows: 0,
    focused: 0,
  }
  const navigation: ((event: { preventDefault(): void }, url: string) => void)[] = []
  const window: WindowLike = {
    loadURL: (url) => Promise.resolve(void seen.loaded.push(url)),
    isDestroyed: () => false,
    isMinimized: () => false,
    restore: () => undefined,
    focus: () => void (seen.focused += 1),
    webContents: {
      setWindowOpenHandler: (handler) => void handler({ url: 'https://example.com/help' }),
      on: (_event, listener) => navigation.push(listener),
    },
  }
  const electron: ElectronLike = {
    app: {
      requestSingleInstanceLock: () => firstInstance,
      whenReady: () => Promise.resolve(),
      quit: () => {
        seen.quits += 1
        emit('before-quit', { preventDefault: () => void (seen.quits -= 1) })
      },
      on: (event: string, listener: Listener) => listeners.set(event, listener),
    },
    createWindow: () => {
      seen.windows += 1
      return window
    },
    showError: (_title, text) => void seen.errors.push(text),
    openOutside: (url) => void seen.outside.push(url),
  }
  const emit = (event: string, ...args: unknown[]): void => listeners.get(event)?.(...(args as never[]))
  return { electron, seen, emit, navigation }
}

function fakeServers() {
  const launched: { die(why: string): void; stops: number }[] = []
  const launch = (): ServerProcess => {
    let end: (why: string) => void = () => undefined
    const ended = new Promise<string>((resolve) => (end = resolve))
    const entry = { die: (why: string) => end(why), stops: 0 }
    launched.push(entry)
    return {
      studioUrl: Promise.resolve(`http://127.0.0.1:${4000 + launched.length}/studio/sign-in?token=t`),
      ended,
      stop: () => {
        entry.stops += 1
        end('It ended with SIGTERM.')
        return Promise.resolve()
      },
    }
  }
  return { launched, deps: { launch, preload: '/preload.cjs', now: () => 1000 } }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('startShell', () => {
  test('a second instance quits and starts no appliance', async () => {
    const { electron, seen } = fakeElectron(false)
    const { launched, deps } = fakeServers()
    await startShell(electron, deps)
    expect(seen.quits).toBe(1)
    expect(launched).toHaveLength(0)
  })

  test('shows the signed-in studio, and a second start focuses the window', async () => {
    const { electron, seen, emit } = fakeElectron()
    await startShell(electron, fakeServers().deps)
    emit('second-instance')
    expect(seen.loaded).toEqual(['http://127.0.0.1:4001/studio/sign-in?token=t'])
    expect(seen.focused).toBe(1)
  })

  test('other origins open outside and never in the window', async () => {
    const { electron, seen, navigation } = fakeElectron()
    await startShell(electron, fakeServers().deps)
    let prevented = 0
    const event = { preventDefault: () => void (prevented += 1) }
    navigation[0]?.(event, 'http://127.0.0.1:4001/clips')
    expect(prevented).toBe(0)
    navigation[0]?.(event, 'https://elsewhere.example/')
    navigation[0]?.(event, 'file:///etc/passwd')
    expect(prevented).toBe(2)
    expect(seen.outside).toEqual(['https://example.com/help', 'https://elsewhere.example/'])
  })

  test('an appliance that dies is started again in the same window, four times in a minute is too often', async () => {
    const { electron, seen, navigation } = fakeElectron()
    const { launched, deps } = fakeServers()
    await startShell(electron, deps)
    for (let death = 0; death < 3; death += 1) {
      launched.at(-1)?.die('crashed')
      await settled()
    }
    expect(launched).toHaveLength(4)
    expect(seen).toMatchObject({ windows: 1, errors: [], quits: 0 })
    expect(seen.loaded).toHaveLength(4)
    expect(navigation).toHaveLength(1)
    navigation[0]?.(
      { preventDefault: () => expect.unreachable('the new port is the studio') },
      'http://127.0.0.1:4004/clips',
    )
    launched.at(-1)?.die('the disk is gone')
    await settled()
    expect(launched).toHaveLength(4)
    expect(seen).toMatchObject({ errors: ['the disk is gone'], quits: 1 })
  })

  test('quitting stops the appliance first, once', async () => {
    const { electron, seen, emit } = fakeElectron()
    const { launched, deps } = fakeServers()
    await startShell(electron, deps)
    emit('window-all-closed')
    await settled()
    expect(launched).toHaveLength(1)
    expect(launched[0]?.stops).toBe(1)
    expect(seen.quits).toBe(1)
  })
})

test.each([
  ['{"error":"The port is taken.","code":"INTERNAL"}', 'The port is taken.'],
  ['{"level":"error","message":"no"}', 'no'],
  ['Segmentation fault', 'Segmentation fault'],
  ['', null],
])('the sentence of %j', (line, sentence) => expect(sentenceOf(line)).toBe(sentence))
