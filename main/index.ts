/**
 * The desktop shell's entry, and (with the preload script) the only file that imports `electron`: under plain Node that import starts a
 * download. Everything that can be decided without Electron is in the files beside it, where tests reach it.
 */
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  Notification,
  powerSaveBlocker,
  session,
  shell,
  type MenuItemConstructorOptions,
} from 'electron'
import type { ElectronLike } from './electron-like.ts'
import { createLogFile, readSettings, writeSettings } from './settings.ts'
import { launchServer } from './server-process.ts'
import { startShell } from './shell.ts'
import { hasNetwork, readEvents, sendFile } from './talk.ts'
import { fetchJson } from './updates.ts'
import { messages } from './messages.ts'

/** In a package the appliance lies beside the archive, with a Node of its own; in a checkout it is the checkout. */
const appliance = app.isPackaged ? join(process.resourcesPath, 'appliance') : app.getAppPath()

function applianceNode(): string | null {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const own = join(appliance, 'bin', name)
  if (app.isPackaged) return existsSync(own) ? own : null
  try {
    const kind = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
    return join(dirname(createRequire(import.meta.url).resolve(`${kind}/package.json`)), 'bin', name)
  } catch {
    return null // no such package for this platform: Electron's own Node then
  }
}

const electron: ElectronLike = {
  app,
  createWindow: (options) => new BrowserWindow(options),
  setMenu: (menu) =>
    Menu.setApplicationMenu(Menu.buildFromTemplate(menu as unknown as MenuItemConstructorOptions[])),
  guardSession: (rules) => {
    const { defaultSession } = session
    defaultSession.setPermissionRequestHandler((contents, permission, answer) =>
      answer(rules.allowsPermission(permission, contents.getURL())),
    )
    defaultSession.setPermissionCheckHandler((_contents, permission, origin) =>
      rules.allowsPermission(permission, origin),
    )
    defaultSession.webRequest.onBeforeRequest(({ url }, answer) =>
      answer({ cancel: !rules.allowsRequest(url) }),
    )
  },
  cookies: async (url) =>
    (await session.defaultSession.cookies.get({ url }))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; '),
  openOutside: (url) => void shell.openExternal(url),
  openFolder: (path) => void shell.openPath(path),
  chooseFile: async (extensions) => {
    const filters = [{ name: messages.dialogs.mediaFiles, extensions: [...extensions] }]
    const { filePaths } = await dialog.showOpenDialog({ properties: ['openFile'], filters })
    return filePaths[0] ?? null
  },
  notify: (text, onClick) => {
    const notification = new Notification(text)
    notification.on('click', onClick)
    notification.show()
  },
  keepAwake: () => {
    const id = powerSaveBlocker.start('prevent-app-suspension')
    return () => void powerSaveBlocker.stop(id)
  },
  onMessage: (channel, listener) =>
    void ipcMain.on(channel, (event) => listener(event.senderFrame?.url ?? '')),
}

const log = createLogFile(app.getPath('logs'))
const settingsFile = join(app.getPath('userData'), 'shell.json')

void startShell(electron, {
  launch: () =>
    launchServer(join(appliance, 'server', 'cli', 'bin.mjs'), { node: applianceNode(), onLine: log }),
  preload: join(import.meta.dirname, '..', 'preload', 'preload.cjs'),
  icon: join(appliance, 'resources', 'icon', 'icon.png'),
  platform: process.platform,
  version: app.getVersion(),
  argv: process.argv,
  cwd: process.cwd(),
  logsFolder: app.getPath('logs'),
  now: () => performance.now(),
  later: (milliseconds, act) => {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
  isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  readSettings: () => readSettings(settingsFile),
  writeSettings: (settings) => writeSettings(settingsFile, settings),
  readEvents,
  sendFile,
  hasNetwork,
  fetchJson,
})
