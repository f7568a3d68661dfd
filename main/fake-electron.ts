/** Fakes for the shell's tests: Electron, appliances and a clock. */
import type { ElectronLike, MenuItem, SessionRules, WindowLike } from './electron-like.ts'
import type { ServerProcess } from './server-process.ts'
import { DEFAULT_SETTINGS, type ShellSettings } from './settings.ts'
import type { ShellDeps } from './shell.ts'

type Listener = (...args: never[]) => void

/** Lets the callbacks of settled promises run. */
export const settled = (): Promise<void> =>
  new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

export function fakeElectron({ firstInstance = true, focused = false } = {}) {
  const listeners = new Map<string, Listener[]>()
  const windows: { listeners: Map<string, Listener[]>; closed: boolean }[] = []
  const seen = {
    quits: 0,
    loaded: [] as string[],
    outside: [] as string[],
    folders: [] as string[],
    notices: [] as { title: string; body: string; click: () => void }[],
    messages: [] as unknown[],
    progress: [] as number[],
    fronts: 0,
    awake: 0,
    menu: [] as readonly MenuItem[],
    rules: null as SessionRules | null,
    opened: null as ((details: { url: string }) => { action: 'deny' }) | null,
    chosen: null as string | null,
  }
  const add = (to: Map<string, Listener[]>, event: string, listener: Listener): void =>
    void to.set(event, [...(to.get(event) ?? []), listener])
  const send = (to: Map<string, Listener[]>, event: string, args: unknown[]): void => {
    for (const listener of to.get(event) ?? []) listener(...(args as never[]))
  }
  const createWindow = (): WindowLike => {
    const own = { listeners: new Map<string, Listener[]>(), closed: false }
    windows.push(own)
    return {
      loadURL: (url) => Promise.resolve(void seen.loaded.push(url)),
      isDestroyed: () => own.closed,
      isMinimized: () => false,
      isFocused: () => focused,
      restore: () => undefined,
      show: () => undefined,
      focus: () => void (seen.fronts += 1),
      setProgressBar: (fraction) => void seen.progress.push(fraction),
      on: (event: string, listener: Listener) => add(own.listeners, event, listener),
      webContents: {
        setWindowOpenHandler: (handler) => void (seen.opened = handler),
        send: (channel, message) => void seen.messages.push([channel, message]),
        on: (event: string, listener: Listener) => add(own.listeners, event, listener),
      },
    }
  }
  const electron: ElectronLike = {
    app: {
      requestSingleInstanceLock: () => firstInstance,
      whenReady: () => Promise.resolve(),
      quit: () => {
        seen.quits += 1
        emit('before-quit', { preventDefault: () => void (seen.quits -= 1) })
      },
      on: (event: string, listener: Listener) => add(listeners, event, listener),
    },
    createWindow,
    setMenu: (menu) => void (seen.menu = menu),
    guardSession: (rules) => void (seen.rules = rules),
    cookies: (url) => Promise.resolve(`session-of=${new URL(url).port}`),
    openOutside: (url) => void seen.outside.push(url),
    openFolder: (path) => void seen.folders.push(path),
    chooseFile: () => Promise.resolve(seen.chosen),
    notify: ({ title, body }, click) => void seen.notices.push({ title, body, click }),
    keepAwake: () => {
      seen.awake += 1
      return () => void (seen.awake -= 1)
    },
    onMessage: (channel, listener) => add(listeners, channel, listener),
  }
  const emit = (event: string, ...args: unknown[]): void => send(listeners, event, args)
  /** An event of the newest window or its contents; returns whether its default was prevented. */
  const emitWindow = (event: string, url = ''): boolean => {
    let prevented = false
    const own = windows.at(-1)
    if (own === undefined) throw new Error('there is no window')
    if (event === 'closed') own.closed = true
    send(own.listeners, event, [{ preventDefault: () => (prevented = true) }, url])
    return prevented
  }
  return { electron, seen, emit, emitWindow, windows }
}

export function fakeDeps(changes: Partial<ShellDeps> = {}) {
  const launched: { come(): void; die(why: string): void; stops: number }[] = []
  const timers: { milliseconds: number; act: () => void; off: boolean }[] = []
  const streams: { send: (event: object) => void; end: () => void; cookie: string; lastId: string | null }[] =
    []
  const sent: {
    path: string
    cookie: string
    progress: (fraction: number) => void
    done: () => void
    aborted: () => boolean
  }[] = []
  const clock = { now: 0 }
  let settings: ShellSettings = DEFAULT_SETTINGS
  const launch = (): ServerProcess => {
    let end: (why: string) => void = () => undefined
    let come: () => void = () => undefined
    const ended = new Promise<string>((resolve) => (end = resolve))
    const port = 4001 + launched.length
    const studioUrl = new Promise<string>(
      (resolve) => (come = () => resolve(`http://127.0.0.1:${port}/studio/sign-in?token=t`)),
    )
    const entry = { come, die: (why: string) => end(why), stops: 0 }
    launched.push(entry)
    return {
      studioUrl,
      ended,
      stop: () => {
        entry.stops += 1
        end('It ended with SIGTERM.')
        return Promise.resolve()
      },
    }
  }
  const deps: ShellDeps = {
    launch,
    preload: '/preload.cjs',
    icon: '/icon.png',
    platform: 'linux',
    version: '1.2.3',
    argv: ['/cutroom'],
    cwd: '/videos',
    logsFolder: '/logs',
    now: () => clock.now,
    later: (milliseconds, act) => {
      const timer = { milliseconds, act, off: false }
      timers.push(timer)
      return () => void (timer.off = true)
    },
    isFile: () => true,
    readSettings: () => settings,
    writeSettings: (written) => void (settings = written),
    readEvents: ({ cookie }, { lastId, signal, onEvents }) =>
      new Promise((resolve) => {
        const end = (): void => resolve('7')
        streams.push({ send: (event) => onEvents(event as never), end, cookie, lastId })
        signal.addEventListener('abort', end)
      }),
    sendFile: ({ cookie }, path, { signal, onProgress }) =>
      new Promise((resolve) => {
        const done = (): void => resolve(`upload-of-${path}`)
        sent.push({ path, cookie, progress: onProgress, done, aborted: () => signal.aborted })
      }),
    hasNetwork: () => Promise.resolve(true),
    fetchJson: () => Promise.reject(new Error('nobody may be asked')),
    ...changes,
  }
  /** Runs the newest timer that was not cancelled; returns its delay. */
  const pass = (): number => {
    const timer = timers.pop()
    if (timer === undefined) throw new Error('nothing waits')
    if (timer.off) return pass()
    timer.act()
    return timer.milliseconds
  }
  return { deps, launched, timers, streams, sent, clock, pass, settings: () => settings }
}

/** Every item of a menu and its submenus. */
export function allItems(menu: readonly MenuItem[]): MenuItem[] {
  return menu.flatMap((item) => [item, ...allItems(item.submenu ?? [])])
}
