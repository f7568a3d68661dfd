/** Restricts the window to the studio: navigation, permissions and network. */
import type { SessionRules, WindowLike } from './electron-like.ts'
import { LOGS, RETRY } from './status-page.ts'

/** The studio's current origin, which changes with the port when the appliance restarts. Empty: none. */
export interface Studio {
  origin: string
}

export interface GuardActions {
  openOutside(url: string): void
  retry(): void
  showLogs(): void
  /** Whether the window shows the shell's own page: only there do its links mean something. */
  showsStatus(): boolean
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}

function isStudio(url: string, studio: Studio): boolean {
  return studio.origin !== '' && originOf(url) === studio.origin
}

/** What the studio's pages need of the machine; cameras, places, notifications of pages and the like are refused. */
const PERMISSIONS: readonly string[] = ['clipboard-sanitized-write', 'fullscreen']

export function sessionRules(studio: Studio): SessionRules {
  return {
    allowsPermission: (permission, pageUrl) => PERMISSIONS.includes(permission) && isStudio(pageUrl, studio),
    // Requests to anything but the appliance are blocked: no remote content.
    allowsRequest: (url) =>
      !/^(https?|wss?|ftp|file):/i.test(url) || isStudio(url.replace(/^ws/i, 'http'), studio),
  }
}

/** Keeps the window on the studio; other web addresses open in the person's browser. */
export function guardWindow(window: WindowLike, studio: Studio, actions: GuardActions): void {
  const openOutside = (url: string): void => {
    if (/^https?:/i.test(url)) actions.openOutside(url)
  }
  const { webContents } = window
  webContents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  // Electron shows no question where a page wants to stay open (it is uploading a file): the window would silently
  // refuse to close. The upload can be repeated, so that it is closed anyway.
  webContents.on('will-prevent-unload', (event) => event.preventDefault())
  webContents.on('will-navigate', (event, url) => {
    if (isStudio(url, studio)) return
    event.preventDefault()
    if (url === RETRY || url === LOGS) {
      if (!actions.showsStatus()) return
      if (url === RETRY) actions.retry()
      else actions.showLogs()
    } else openOutside(url)
  })
  webContents.on('will-redirect', (event, url) => {
    if (!isStudio(url, studio)) event.preventDefault()
  })
}
