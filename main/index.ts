/**
 * The desktop shell's entry, and the only file that imports `electron` (under plain Node that import starts a download).
 * Everything that can be decided without Electron is in shell.ts, where tests reach it.
 */
import { join } from 'node:path'
import { app, BrowserWindow, dialog, shell } from 'electron'
import { launchServer } from './server-process.ts'
import { startShell } from './shell.ts'

void startShell(
  {
    app,
    createWindow: (options) => new BrowserWindow(options),
    showError: (title, text) => dialog.showErrorBox(title, text),
    openOutside: (url) => void shell.openExternal(url),
  },
  {
    launch: () => launchServer(join(app.getAppPath(), 'server', 'cli', 'bin.mjs')),
    preload: join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
    now: Date.now,
  },
)
