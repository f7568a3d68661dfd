/** The one window: opened, brought to the front, shown the studio or the shell's own page. */
import type { ElectronLike, WindowLike } from './electron-like.ts'
import { guardWindow, type GuardActions, type Studio } from './guards.ts'
import { messages } from './messages.ts'

export interface StudioWindow {
  /** The window there is; null when it was closed. */
  readonly live: () => WindowLike | null
  /** Opens it, unless it is there. True when it had to be opened. */
  open(): boolean
  toFront(): void
  /** Shows an address, then calls `then`, unless something else was shown meanwhile. */
  load(url: string, then?: () => void): void
}

export function createStudioWindow(
  electron: Pick<ElectronLike, 'createWindow'>,
  preload: string,
  studio: Studio,
  actions: GuardActions & { readonly loaded: () => void },
): StudioWindow {
  let window: WindowLike | null = null
  const live = (): WindowLike | null => (window === null || window.isDestroyed() ? null : window)
  return {
    live,
    open: () => {
      if (live() !== null) return false
      const mine = electron.createWindow({
        width: 1440,
        height: 900,
        minWidth: 720,
        minHeight: 480,
        title: messages.product,
        backgroundColor: '#16181d',
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
    toFront: () => {
      const there = live()
      if (there === null) return
      if (there.isMinimized()) there.restore()
      there.show()
      there.focus()
    },
    load: (url, then = () => undefined) => {
      // A page that is left before it is there rejects; what comes after it is what counts.
      live()
        ?.loadURL(url)
        .then(then, () => undefined)
    },
  }
}
