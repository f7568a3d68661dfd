/** The one window: opened, brought to the front, shown the studio or the shell's own page. */
import type { ElectronLike, WindowLike, SessionRules } from './electron-like.ts'
import { messages } from './messages.ts'
import { createHash } from 'node:crypto'
import type { ServerState } from './server-process.ts'

/** The studio's ground in the dark, until its page is there. */
const GROUND = '#16171a'

export function createStudioWindow(
  electron: Pick<ElectronLike, 'createWindow'>,
  { preload, icon }: { readonly preload: string; readonly icon: string },
  studio: Studio,
  actions: GuardActions & { readonly loaded: () => void },
) {
  let window: WindowLike | null = null
  const live = (): WindowLike | null => (window === null || window.isDestroyed() ? null : window)
  return {
    /** The window there is; null when it was closed. */
    live,
    /** Opens it, unless it is there. True when it had to be opened. */
    open: (): boolean => {
      if (live() !== null) return false
      const mine = electron.createWindow({
        width: 1440,
        height: 900,
        minWidth: 720,
        minHeight: 480,
        title: messages.product,
        icon,
        backgroundColor: GROUND,
        webPreferences: {
          preload,
          contextIsolation: true,
          sandbox: true,
          nodeIntegration: false,
          webviewTag: false,
          spellcheck: false,
        },
      })
      window = mine
      mine.on('closed', () => {
        if (window === mine) window = null
      })
      guardWindow(mine, studio, actions)
      mine.webContents.on('did-finish-load', () => actions.loaded())
      return true
    },
    toFront: (): void => {
      const there = live()
      if (there === null) return
      if (there.isMinimized()) there.restore()
      there.show()
      there.focus()
    },
    /** Shows an address, then calls `then`, unless something else was shown meanwhile. */
    load: (url: string, then: () => void = () => undefined): void => {
      // A page that is left before it is there rejects; what comes after it is what counts.
      live()
        ?.loadURL(url)
        .then(then, () => undefined)
    },
  }
}

/** The studio's current origin, which changes with the port when the appliance restarts. Empty: none. */
export interface Studio {
  origin: string
}

interface GuardActions {
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
function guardWindow(window: WindowLike, studio: Studio, actions: GuardActions): void {
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

/** Links of the page; the window's guard acts on them, nothing is loaded. */
export const RETRY = 'cutroom-shell:retry'
export const LOGS = 'cutroom-shell:logs'

/** As renderer/tokens.css has them. */
const STYLE = `
:root { color-scheme: light dark; --ground: #f7f6f3; --text: #1c1d20; --muted: #5d5f66; --accent: #b3400f; }
@media (prefers-color-scheme: dark) { :root { --ground: ${GROUND}; --text: #eceae5; --muted: #a4a7b0; --accent: #ff9457; } }
html { background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 36rem; margin: 22vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
p { color: var(--muted); margin: 0 0 1rem; overflow-wrap: anywhere; }
a { color: var(--accent); margin-right: 1.25rem; }
`

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`)

/** A `data:` address of the page for a state. */
export function statusPage(state: ServerState): string {
  const { title } = messages.status[state.kind]
  const text =
    state.kind === 'waiting'
      ? messages.status.waiting.text(state.why, state.inSeconds)
      : messages.status[state.kind].text
  const style = createHash('sha256').update(STYLE).digest('base64')
  const links =
    state.kind === 'waiting'
      ? `<a href="${RETRY}">${messages.status.startNow}</a><a href="${LOGS}">${messages.status.showLogs}</a>`
      : ''
  const page = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${style}'">`,
    `<title>Cutroom</title><style>${STYLE}</style>`,
    `<main role="status"><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${links}</main></html>`,
  ].join('')
  return `data:text/html;charset=utf-8,${encodeURIComponent(page)}`
}
