/** The menus, as data. Items with a role do what they do everywhere on the platform, in its own words. */
import type { MenuItem } from './electron-like.ts'
import type { ShellSettings } from './settings.ts'

export interface MenuActions {
  /** `#/clips` */
  go(place: string): void
  openFile(): void
  openInBrowser(): void
  showLogs(): void
  retry(): void
  lookForUpdates(): void
  change(settings: Partial<ShellSettings>): void
}

const LINE: MenuItem = { type: 'separator' }
const role = (name: string): MenuItem => ({ role: name })

export function menuTemplate(
  platform: NodeJS.Platform,
  settings: ShellSettings,
  actions: MenuActions,
): readonly MenuItem[] {
  const mac = platform === 'darwin'
  const { preferences, notifications, updates } = ownItems(mac, settings, actions)
  const own = ['services', 'hide', 'hideOthers', 'unhide'].map(role)
  const application: MenuItem = {
    label: 'Cutroom',
    submenu: [role('about'), updates, LINE, preferences, notifications, LINE, ...own, LINE, role('quit')],
  }
  const file: MenuItem = {
    label: 'File',
    submenu: [
      { label: 'New Run', accelerator: 'CmdOrCtrl+N', click: () => actions.go('#/') },
      { label: 'Open Video…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFile() },
      LINE,
      { label: 'Open in Browser', accelerator: 'CmdOrCtrl+Shift+O', click: () => actions.openInBrowser() },
      ...(mac ? [LINE, role('close')] : [LINE, preferences, notifications, LINE, role('quit')]),
    ],
  }
  const view = ['reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'].map(role)
  const help: MenuItem = {
    label: 'Help',
    role: 'help',
    submenu: [
      { label: 'Show Logs', click: () => actions.showLogs() },
      { label: 'Start the Appliance Again', click: () => actions.retry() },
      ...(mac ? [] : [updates, LINE, role('about')]),
    ],
  }
  return [
    ...(mac ? [application] : []),
    file,
    role('editMenu'),
    { label: 'View', submenu: view },
    pagesMenu(actions),
    role('windowMenu'),
    help,
  ]
}

function ownItems(
  mac: boolean,
  settings: ShellSettings,
  actions: MenuActions,
): Readonly<Record<'preferences' | 'notifications' | 'updates', MenuItem>> {
  return {
    preferences: {
      label: mac ? 'Settings…' : 'Preferences',
      accelerator: 'CmdOrCtrl+,',
      click: () => actions.go('#/settings'),
    },
    notifications: {
      label: 'Tell when Runs and Renders End',
      type: 'checkbox',
      checked: settings.notifications,
      click: () => actions.change({ notifications: !settings.notifications }),
    },
    updates: {
      label: settings.updateAddress === null ? 'Updates Are Not Looked For' : 'Look for Updates',
      enabled: settings.updateAddress !== null,
      click: () => actions.lookForUpdates(),
    },
  }
}

const ROOMS = [
  ['Home', '#/'],
  ['Clips', '#/clips'],
  ['Workflows', '#/workflows'],
  ['Publish', '#/publish'],
  ['Analytics', '#/analytics'],
] as const

function pagesMenu(actions: MenuActions): MenuItem {
  const submenu = ROOMS.map(([label, place], index) => ({
    label,
    accelerator: `CmdOrCtrl+${index + 1}`,
    click: () => actions.go(place),
  }))
  return { label: 'Go', submenu }
}
