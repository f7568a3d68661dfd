/** The menus, as data. Items with a role do what they do everywhere on the platform, in its own words. */
import type { MenuItem } from './electron-like.ts'
import type { ShellSettings } from './settings.ts'
import { messages } from './messages.ts'

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
  const { preferences, notifications, updates } = ownItems(settings, actions)
  const own = ['services', 'hide', 'hideOthers', 'unhide'].map(role)
  const application: MenuItem = {
    label: messages.product,
    submenu: [role('about'), updates, LINE, preferences, notifications, LINE, ...own, LINE, role('quit')],
  }
  const file: MenuItem = {
    label: messages.menu.file,
    submenu: [
      { label: messages.menu.newRun, accelerator: 'CmdOrCtrl+N', click: () => actions.go('#/') },
      { label: messages.menu.openVideo, accelerator: 'CmdOrCtrl+O', click: () => actions.openFile() },
      LINE,
      {
        label: messages.menu.openInBrowser,
        accelerator: 'CmdOrCtrl+Shift+O',
        click: () => actions.openInBrowser(),
      },
      ...(mac ? [LINE, role('close')] : [LINE, preferences, notifications, LINE, role('quit')]),
    ],
  }
  const view = ['reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'].map(role)
  const help: MenuItem = {
    label: messages.menu.help,
    role: 'help',
    submenu: [
      { label: messages.menu.showLogs, click: () => actions.showLogs() },
      { label: messages.menu.restart, click: () => actions.retry() },
      ...(mac ? [] : [updates, LINE, role('about')]),
    ],
  }
  return [
    ...(mac ? [application] : []),
    file,
    role('editMenu'),
    { label: messages.menu.view, submenu: view },
    pagesMenu(actions),
    role('windowMenu'),
    help,
  ]
}

function ownItems(
  settings: ShellSettings,
  actions: MenuActions,
): Readonly<Record<'preferences' | 'notifications' | 'updates', MenuItem>> {
  return {
    preferences: {
      label: messages.menu.settings,
      accelerator: 'CmdOrCtrl+,',
      click: () => actions.go('#/settings'),
    },
    notifications: {
      label: messages.menu.notifications,
      type: 'checkbox',
      checked: settings.notifications,
      click: () => actions.change({ notifications: !settings.notifications }),
    },
    updates: {
      label: settings.updateAddress === null ? messages.menu.updatesOff : messages.menu.checkForUpdates,
      enabled: settings.updateAddress !== null,
      click: () => actions.lookForUpdates(),
    },
  }
}

const PAGES = [
  [messages.menu.pages.home, '#/'],
  [messages.menu.pages.clips, '#/clips'],
  [messages.menu.pages.workflows, '#/workflows'],
  [messages.menu.pages.publish, '#/publish'],
  [messages.menu.pages.analytics, '#/analytics'],
] as const

function pagesMenu(actions: MenuActions): MenuItem {
  const submenu = PAGES.map(([label, place], index) => ({
    label,
    accelerator: `CmdOrCtrl+${index + 1}`,
    click: () => actions.go(place),
  }))
  return { label: messages.menu.go, submenu }
}
