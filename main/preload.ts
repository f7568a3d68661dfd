/**
 * Runs before the studio page, apart from its scripts: says that the page is in a desktop window, and hands over files that
 * were opened from outside. Exposes that and nothing else.
 */
import { contextBridge, ipcRenderer } from 'electron'

addEventListener('DOMContentLoaded', () => {
  document.documentElement.dataset['shell'] = 'desktop'
})

let latest: unknown = null
let listener: ((source: unknown) => void) | null = null
ipcRenderer.on('cutroom:source', (_event, source: unknown) => {
  latest = source
  listener?.(source)
})

contextBridge.exposeInMainWorld('cutroom', {
  /** `hear` is told of the opened file (hand-over.ts: OpenedSource) now, if there is one, and whenever that changes. */
  onSource: (notify: (source: unknown) => void): void => {
    listener = notify
    if (latest !== null) notify(latest)
  },
  /** A run was made of it, or it was put away: it is not told again. */
  sourceTaken: (): void => {
    latest = null
    ipcRenderer.send('cutroom:source-taken')
  },
})
