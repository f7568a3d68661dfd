/** What the desktop app's preload script (main/preload.ts) offers to the studio; browsers have none of it. */

/** A file that was opened from outside: on its way, on the appliance, or not to be had. */
export type OpenedSource =
  | { readonly state: 'sending'; readonly name: string; readonly fraction: number }
  | { readonly state: 'ready'; readonly name: string; readonly uploadId: string }
  | { readonly state: 'failed'; readonly name: string; readonly why: string }

export interface DesktopBridge {
  /** Told at once when there is one, and whenever it changes. */
  onSource(hear: (source: OpenedSource) => void): void
  /** It is not told of again. */
  sourceTaken(): void
}

/** The bridge; null in a browser. */
export function desktop(): DesktopBridge | null {
  return (globalThis as { cutroom?: DesktopBridge }).cutroom ?? null
}
