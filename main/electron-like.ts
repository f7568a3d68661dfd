/** What the shell uses of Electron, as plain types: `index.ts` gives it the real one, tests a fake. */

export interface PreventableEvent {
  preventDefault(): void
}

export interface AppLike {
  requestSingleInstanceLock(): boolean
  whenReady(): Promise<unknown>
  quit(): void
  on(event: 'second-instance', listener: (event: unknown, argv: string[], cwd: string) => void): unknown
  on(event: 'open-file', listener: (event: PreventableEvent, path: string) => void): unknown
  on(event: 'window-all-closed' | 'activate', listener: () => void): unknown
  on(event: 'before-quit', listener: (event: PreventableEvent) => void): unknown
}

export interface WebContentsLike {
  setWindowOpenHandler(handler: (details: { url: string }) => { action: 'deny' }): void
  send(channel: string, message: unknown): void
  on(
    event: 'will-navigate' | 'will-redirect',
    listener: (event: PreventableEvent, url: string) => void,
  ): unknown
  on(
    event: 'will-attach-webview' | 'will-prevent-unload',
    listener: (event: PreventableEvent) => void,
  ): unknown
  on(event: 'did-finish-load', listener: () => void): unknown
}

export interface WindowLike {
  loadURL(url: string): Promise<void>
  isDestroyed(): boolean
  isMinimized(): boolean
  isFocused(): boolean
  restore(): void
  show(): void
  focus(): void
  /** 0 to 1; above 1: working for an unknown time; below 0: none. */
  setProgressBar(fraction: number): void
  on(event: 'closed', listener: () => void): unknown
  readonly webContents: WebContentsLike
}

export interface WindowOptions {
  readonly width: number
  readonly height: number
  readonly minWidth: number
  readonly minHeight: number
  readonly title: string
  /** Path of its picture, for systems that do not take the program's. */
  readonly icon: string
  readonly backgroundColor: string
  readonly webPreferences: {
    readonly preload: string
    readonly contextIsolation: true
    readonly sandbox: true
    readonly nodeIntegration: false
    readonly webviewTag: false
    /** Chromium would download dictionaries for it. */
    readonly spellcheck: false
  }
}

/** What pages may use of the machine and of the network; checked at each request. */
export interface SessionRules {
  allowsPermission(permission: string, pageUrl: string): boolean
  allowsRequest(url: string): boolean
}

/** One entry of a menu, as Electron's templates have it. */
export interface MenuItem {
  readonly label?: string
  readonly role?: string
  readonly type?: 'separator' | 'checkbox'
  readonly accelerator?: string
  readonly enabled?: boolean
  readonly checked?: boolean
  readonly submenu?: readonly MenuItem[]
  readonly click?: () => void
}

export interface ElectronLike {
  readonly app: AppLike
  createWindow(options: WindowOptions): WindowLike
  setMenu(menu: readonly MenuItem[]): void
  guardSession(rules: SessionRules): void
  /** The value of a Cookie header for an address: what the window's session would send. */
  cookies(url: string): Promise<string>
  readonly openOutside: (url: string) => void
  openFolder(path: string): void
  chooseFile(extensions: readonly string[]): Promise<string | null>
  notify(text: { readonly title: string; readonly body: string }, onClick: () => void): void
  /** Keeps the machine from sleeping until the returned function is called. */
  keepAwake(): () => void
  /** Messages that a page sends by the preload script; `pageUrl`: the page that sent it. */
  onMessage(channel: string, listener: (pageUrl: string) => void): void
}
