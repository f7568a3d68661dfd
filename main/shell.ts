/**
 * The desktop shell without Electron: one instance, one window on the studio's address, a supervised appliance. Plain
 * Node, driven by whatever looks like Electron; `index.ts` gives it the real one.
 */
import type { ServerProcess } from './server-process.ts'

interface PreventableEvent {
  preventDefault(): void
}

export interface AppLike {
  requestSingleInstanceLock(): boolean
  whenReady(): Promise<unknown>
  quit(): void
  on(event: 'second-instance' | 'window-all-closed', listener: () => void): unknown
  on(event: 'before-quit', listener: (event: PreventableEvent) => void): unknown
}

export interface WindowLike {
  loadURL(url: string): Promise<void>
  isDestroyed(): boolean
  isMinimized(): boolean
  restore(): void
  focus(): void
  readonly webContents: {
    setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void
    on(event: 'will-navigate', listener: (event: PreventableEvent, url: string) => void): unknown
  }
}

export interface WindowOptions {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly webPreferences: {
    readonly preload: string
    readonly contextIsolation: true
    readonly sandbox: true
    readonly nodeIntegration: false
    /** Chromium would download dictionaries for it. */
    readonly spellcheck: false
  }
}

export interface ElectronLike {
  readonly app: AppLike
  createWindow(options: WindowOptions): WindowLike
  showError(title: string, text: string): void
  openOutside(url: string): void
}

export interface ShellDeps {
  launch(): ServerProcess
  /** Path of the built preload script. */
  readonly preload: string
  readonly now: () => number
}

/** Where the studio answers now: an appliance that was started again may have another port. */
interface Studio {
  origin: string
}

/** An appliance that dies is started again, but not more often than this in a minute. */
const RESTARTS_PER_MINUTE = 3

/** Resolves when the window shows the studio, or the shell gave up and is quitting. */
export async function startShell(electron: ElectronLike, deps: ShellDeps): Promise<void> {
  const { app } = electron
  if (!app.requestSingleInstanceLock()) return app.quit()
  let window: WindowLike | null = null
  let server: ServerProcess | null = null
  let quitting = false
  const restarts: number[] = []
  const studio: Studio = { origin: '' }

  app.on('second-instance', () => {
    if (window === null || window.isDestroyed()) return
    if (window.isMinimized()) window.restore()
    window.focus()
  })
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (server === null || quitting) return
    // Quit for real once the appliance has let go of its work.
    event.preventDefault()
    quitting = true
    void server.stop().then(() => app.quit())
  })

  async function show(): Promise<void> {
    const current = deps.launch()
    server = current
    void current.ended.then((why) => recover(current, why))
    try {
      const studioUrl = await current.studioUrl
      studio.origin = new URL(studioUrl).origin
      window ??= openWindow(electron, deps.preload, studio)
      await window.loadURL(studioUrl)
    } catch {
      // `ended` has the reason, and `recover` acts on it.
    }
  }

  async function recover(died: ServerProcess, why: string): Promise<void> {
    if (quitting || server !== died) return
    server = null
    restarts.push(deps.now())
    const recent = restarts.filter((time) => time > deps.now() - 60_000)
    if (recent.length <= RESTARTS_PER_MINUTE) return await show()
    electron.showError('Cutroom cannot run', why)
    app.quit()
  }

  await app.whenReady()
  await show()
}

function openWindow(electron: ElectronLike, preload: string, studio: Studio): WindowLike {
  const window = electron.createWindow({
    width: 1440,
    height: 900,
    title: 'Cutroom',
    webPreferences: {
      ...{ preload, contextIsolation: true, sandbox: true, nodeIntegration: false, spellcheck: false },
    },
  })
  keepInside(electron, window, studio)
  return window
}

/** The window shows the studio and nothing else; other addresses open in the person's browser. */
function keepInside(electron: ElectronLike, window: WindowLike, studio: Studio): void {
  const openOutside = (url: string): void => {
    if (/^https?:/.test(url)) electron.openOutside(url)
  }
  window.webContents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  window.webContents.on('will-navigate', (event, url) => {
    if (new URL(url).origin === studio.origin) return
    event.preventDefault()
    openOutside(url)
  })
}
