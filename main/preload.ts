/**
 * Runs before the studio page, isolated from its scripts: marks the page as running in the desktop app, and passes files
 * that were opened with the app. Exposes nothing else.
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
  /** Calls `notify` with the opened file (open-in-running.ts) now, if there is one, and at each change. */
  onSource: (notify: (source: unknown) => void): void => {
    listener = notify
    if (latest !== null) notify(latest)
  },
  /** A run was started of it, or it was dismissed: forgets the file. */
  sourceTaken: (): void => {
    latest = null
    ipcRenderer.send('cutroom:source-taken')
  },
})
