/**
 * The desktop shell: one instance, one window on the studio, a supervised appliance, and notifications. It is plain Node
 * and gets Electron as a parameter from `index.ts`, so that tests can pass a fake.
 */
import { createDesktopNotifications } from './desktop-notifications.ts'
import type { ElectronLike } from './electron-like.ts'
import { sessionRules, type Studio, statusPage, createStudioWindow } from './studio-window.ts'
import { createOpenInRunning, OPENED_EXTENSIONS, openedFiles, sayNotOpened } from './open-in-running.ts'
import { menuTemplate, type MenuActions } from './menu.ts'
import { type ServerProcess, createSupervisor, type ServerState } from './server-process.ts'
import type { ShellSettings } from './settings.ts'
import type { Caller, hasNetwork, readEvents, sendFile } from './talk.ts'
import { findNewVersion } from './updates.ts'
import { messages } from './messages.ts'

export interface ShellDeps {
  readonly launch: () => ServerProcess
  /** Path of the built preload script. */
  readonly preload: string
  /** Path of the window's icon. */
  readonly icon: string
  readonly platform: NodeJS.Platform
  readonly version: string
  /** The words that this program was started with, itself first, and where. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly logsFolder: string
  readonly now: () => number
  /** Calls `act` after so many milliseconds; the returned function cancels it. */
  readonly later: (milliseconds: number, act: () => void) => () => void
  readonly isFile: (path: string) => boolean
  readonly readSettings: () => ShellSettings
  readonly writeSettings: (settings: ShellSettings) => void
  readonly readEvents: typeof readEvents
  readonly sendFile: typeof sendFile
  readonly hasNetwork: typeof hasNetwork
  readonly fetchJson: (url: string) => Promise<unknown>
}

/** Resolves when the window is there, or when this is a second instance, which quits. */
export async function startShell(electron: ElectronLike, deps: ShellDeps): Promise<void> {
  const { app } = electron
  if (!app.requestSingleInstanceLock()) return app.quit()
  const shell = createShell(electron, deps)
  app.on('second-instance', (_event, argv, cwd) => {
    shell.show()
    shell.openFiles(openedFiles(argv, cwd, deps.isFile))
  })
  // Files that were dropped on the dock, or opened from a folder, on macOS; possibly before anything is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    if (deps.isFile(path)) shell.openFiles([path])
  })
  app.on('activate', () => shell.show())
  app.on('window-all-closed', () => {
    if (deps.platform !== 'darwin') app.quit()
  })
  app.on('before-quit', (event) => {
    // Quits once the appliance has stopped its work.
    if (shell.mustWait(() => app.quit())) event.preventDefault()
  })
  await app.whenReady()
  shell.start()
  shell.openFiles(openedFiles(deps.argv, deps.cwd, deps.isFile))
}

/** What the parts of the shell have in common. */
interface Common {
  readonly electron: ElectronLike
  readonly deps: ShellDeps
  readonly studio: Studio
  /** Origin and cookies for the window's own requests. */
  readonly caller: () => Promise<Caller>
}

function createShell(electron: ElectronLike, deps: ShellDeps) {
  const studio: Studio = { origin: '' }
  const caller = async (): Promise<Caller> => ({
    origin: studio.origin,
    cookie: await electron.cookies(studio.origin),
  })
  const common: Common = { electron, deps, studio, caller }
  let phase: 'before' | 'on' | 'stopping' | 'stopped' = 'before'
  const appliance = createAppliance(common)
  const { openFiles, show, go } = appliance
  const settings = createSettings(common, (change) => ({
    go,
    openFile: () =>
      void electron.chooseFile(OPENED_EXTENSIONS).then((path) => openFiles(path === null ? [] : [path])),
    openInBrowser: () => {
      if (studio.origin !== '') electron.openOutside(studio.origin)
    },
    showLogs: () => electron.openFolder(deps.logsFolder),
    retry: appliance.retry,
    lookForUpdates: () => void lookForUpdates(common, settings.current, true),
    change,
  }))
  return {
    start: (): void => {
      phase = 'on'
      electron.guardSession(sessionRules(studio))
      settings.setMenu()
      appliance.start(() => settings.current())
      void lookForUpdates(common, settings.current, false)
    },
    /** Brings the window to the front, or opens one. */
    show: (): void => {
      if (phase === 'on') show()
    },
    openFiles,
    /** True when quitting has to wait: `then` is called when it need not any more. */
    mustWait: (then: () => void): boolean => {
      if (phase === 'stopped' || phase === 'before') return false
      if (phase === 'on') {
        phase = 'stopping'
        void appliance.stop().then(() => {
          phase = 'stopped'
          then()
        })
      }
      return true
    },
  }
}

function createSettings(
  { electron, deps }: Common,
  actionsWith: (change: MenuActions['change']) => MenuActions,
): { readonly current: () => ShellSettings; setMenu(): void } {
  let settings = deps.readSettings()
  const change = (changed: Partial<ShellSettings>): void => {
    settings = { ...settings, ...changed }
    deps.writeSettings(settings)
    setMenu()
  }
  const setMenu = (): void => electron.setMenu(menuTemplate(deps.platform, settings, actionsWith(change)))
  return { current: () => settings, setMenu }
}

/** The appliance and the window on it: each state of the one is what the other shows. */
function createAppliance({ electron, deps, studio, caller }: Common) {
  let state: ServerState = { kind: 'starting' }
  let settings = deps.readSettings
  let started = false

  const supervisor = createSupervisor({ ...deps, onState: (next) => onState(next) })
  const window = createStudioWindow(electron, deps, studio, {
    openOutside: electron.openOutside,
    retry: supervisor.retry,
    showLogs: () => electron.openFolder(deps.logsFolder),
    showsStatus: () => state.kind !== 'running',
    loaded: () => {
      if (state.kind === 'running') openInRunning.repeatSource()
    },
  })
  const openInRunning = createOpenInRunning({
    send: (message) => window.live()?.webContents.send('cutroom:source', message),
    sendFile: async (path, how) => deps.sendFile(await caller(), path, how),
  })
  const notifications = createDesktopNotifications({
    later: deps.later,
    read: async (how) => deps.readEvents(await caller(), how),
    setProgress: (fraction) => window.live()?.setProgressBar(fraction),
    keepAwake: () => electron.keepAwake(),
    notify: (notice) => {
      if (!settings().notifications || window.live()?.isFocused() === true) return
      electron.notify(notice, () => go(notice.place))
    },
  })

  function onState(next: ServerState): void {
    state = next
    if (next.kind !== 'running') {
      studio.origin = ''
      notifications.stop()
      openInRunning.pause()
      return window.load(statusPage(next))
    }
    studio.origin = new URL(next.studioUrl).origin
    // The link signs in; only then are there cookies for further requests.
    window.load(next.studioUrl, () => {
      if (state !== next) return
      notifications.follow()
      openInRunning.resume()
    })
  }

  function show(): void {
    if (!started) return
    if (window.open()) {
      // The first window is shown what onState says; a later one is signed in already.
      window.load(state.kind === 'running' ? `${studio.origin}/` : statusPage(state))
      notifications.repeatProgress()
    }
    window.toFront()
  }

  function go(place: string): void {
    show()
    if (state.kind === 'running') window.load(`${studio.origin}/${place}`)
  }

  return {
    start: (current: () => ShellSettings): void => {
      settings = current
      started = true
      electron.onMessage('cutroom:source-taken', (pageUrl) => {
        if (URL.canParse(pageUrl) && new URL(pageUrl).origin === studio.origin) openInRunning.forget()
      })
      show()
      supervisor.start()
    },
    retry: supervisor.retry,
    stop: () => supervisor.stop(),
    show,
    /** Shows a place of the studio (`#/clips`); while there is no studio, whatever there is. */
    go,
    openFiles: ([path, ...others]: readonly string[]): void => {
      if (path === undefined) return
      const notOpened = sayNotOpened(path, others, openInRunning.take(path))
      if (notOpened !== null)
        electron.notify({ title: messages.openedFiles.oneAtATime, body: notOpened }, show)
      if (!started) return
      go('#/')
      if (state.kind === 'running') openInRunning.resume()
    },
  }
}

const DAY_MS = 24 * 3600 * 1000
/** How long to wait before a starting appliance is asked again whether it has a network. */
const SOON_MS = 60_000

interface UpdateNotice {
  readonly title: string
  readonly body: string
  /** Where a newer version can be had. */
  readonly page?: string
}

async function checkForUpdate({ version, fetchJson }: ShellDeps, address: string): Promise<UpdateNotice> {
  try {
    const found = await findNewVersion(address, version, fetchJson)
    return found === null
      ? { title: messages.updates.upToDate, body: version }
      : {
          title: messages.updates.available(found.version),
          body: messages.updates.clickToOpen,
          page: found.page,
        }
  } catch (error) {
    return { title: messages.updates.failed, body: (error as Error).message }
  }
}

/**
 * Makes no request unless an address is set and the appliance has a network. `requested`: by a person, who also gets
 * a message when there is nothing new, and when the check failed.
 */
async function lookForUpdates(
  common: Common,
  settings: () => ShellSettings,
  requested: boolean,
): Promise<void> {
  const { electron, deps } = common
  const { updateAddress } = settings()
  if (updateAddress === null) return
  const network = common.studio.origin === '' ? null : await deps.hasNetwork(await common.caller())
  const { page, ...notice } =
    network === true
      ? await checkForUpdate(deps, updateAddress)
      : { title: messages.updates.off, body: messages.updates.noNetwork, page: undefined }
  if (requested || page !== undefined)
    electron.notify(notice, () => (page === undefined ? undefined : electron.openOutside(page)))
  if (!requested)
    deps.later(network === null ? SOON_MS : DAY_MS, () => void lookForUpdates(common, settings, false))
}
