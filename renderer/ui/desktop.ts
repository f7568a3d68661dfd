/** The interface of the desktop app's preload script (main/preload.ts); missing in browsers. */

/** A file that was opened with the desktop app: being uploaded, uploaded, or failed. */
export type OpenedSource =
  | { readonly state: 'sending'; readonly name: string; readonly fraction: number }
  | { readonly state: 'ready'; readonly name: string; readonly uploadId: string }
  | { readonly state: 'failed'; readonly name: string; readonly why: string }

export interface DesktopBridge {
  /** Calls `listener` at once when there is one, and at each change. */
  onSource(listener: (source: OpenedSource) => void): void
  /** Forgets the file. */
  sourceTaken(): void
}

/** The bridge; null in a browser. */
export function desktop(): DesktopBridge | null {
  return (globalThis as { cutroom?: DesktopBridge }).cutroom ?? null
}
