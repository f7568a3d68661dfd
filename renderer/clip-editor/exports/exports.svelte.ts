/** What the open clip can be exported as, and the files that were made of it. */
import type { ClipExport, ExportProfile, StudioExports } from '../../../server/contract/studio-exports.ts'
import { call, callFile, clipPath, json, stopOperation } from '../../state/api.ts'
import { downloadFile } from '../../ui/copy-text.ts'

const POLL_MS = 1000

export function createExports(clipId: string) {
  let profiles = $state.raw<readonly ExportProfile[]>([])
  let chosen: string | null = null
  let made = $state.raw<readonly ClipExport[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const isOpen = ({ state }: ClipExport): boolean => state === 'waiting' || state === 'going'

  /** Throws where the appliance does not answer; looks again while something is being made. */
  async function load(): Promise<void> {
    clearTimeout(timer)
    const found = await call<StudioExports>(`${clipPath(clipId)}/exports`)
    ;({ profiles, chosen, exports: made } = found)
    if (!closed && made.some(isOpen)) timer = setTimeout(lookAgain, POLL_MS)
  }

  /** Without an answer nothing changes; the appliance goes on by itself when it is back. */
  function lookAgain(): void {
    load().catch(() => {
      if (!closed) timer = setTimeout(lookAgain, POLL_MS)
    })
  }

  return {
    get profiles() {
      return profiles
    },
    /** The profile that the clip asks for; null: none. */
    get chosen() {
      return chosen
    },
    get made() {
      return made
    },
    load,
    /** Queues the file. Throws RequestRefused, with the reason why it cannot be made here. */
    async start(profile: string): Promise<void> {
      await call(`${clipPath(clipId)}/exports`, json('POST', { profile }))
      await load()
    },
    async stop(operationId: string): Promise<void> {
      await stopOperation(operationId)
      await load()
    },
    /** Downloads a format of words or timelines, which is there at once. Throws RequestRefused. */
    async download(format: string): Promise<void> {
      const { blob, name } = await callFile(`${clipPath(clipId)}/export/${encodeURIComponent(format)}`)
      const href = URL.createObjectURL(blob)
      downloadFile(href, name)
      // The browser has begun to read it by then.
      setTimeout(() => URL.revokeObjectURL(href), 10_000)
    },
    close(): void {
      closed = true
      clearTimeout(timer)
    },
  }
}
