/**
 * Uploads, each of which starts a run. They belong to the window, not to one page: they continue while another page is
 * open, and Notices then says how they ended.
 */
import { sentence } from '../ui/attempt.svelte.ts'
import type { Upload } from './api.ts'
import { uploads as messages } from '../messages/home.ts'

export interface Sending {
  readonly name: string
  /** 0 to 1. */
  readonly fraction: number
  /** The workflow that its run will use. */
  readonly workflowId: string
}

export interface UploadDeps {
  readonly upload: (file: File, onProgress: (fraction: number) => void) => Upload
  readonly begin: (run: { uploadId: string; workflowId: string }) => Promise<unknown>
}

/** The component that shows uploads. */
export interface Watcher {
  readonly begun: () => void
  readonly refused: (why: string) => void
}

const ONE_AT_A_TIME = messages.oneAtATime

const begunSentence = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : names.length === 1
      ? messages.begun(names[0] ?? '')
      : messages.begunMany(names.length)

function refusedSentence(name: string, error: unknown, left: number): string {
  return messages.refused(name, sentence(error), left)
}

export function createUploads({ upload, begin }: UploadDeps) {
  let current = $state.raw<Sending | null>(null)
  let begun = $state.raw<readonly string[]>([])
  let refused = $state.raw<string | null>(null)
  let handle: Upload | null = null
  let watcher: Watcher | null = null

  function reportRefused(why: string): void {
    if (watcher === null) refused = why
    else watcher.refused(why)
  }

  function reportStarted(name: string): void {
    if (watcher === null) begun = [...begun, name]
    else watcher.begun()
  }

  const change = (changed: Partial<Sending>): void => {
    if (current !== null) current = { ...current, ...changed }
  }

  /** Returns the workflow that was chosen when the upload ended. */
  async function sendOne(file: File, wanted: string): Promise<string> {
    current = { name: file.name, fraction: 0, workflowId: wanted }
    handle = upload(file, (fraction) => change({ fraction }))
    const uploadId = await handle.done
    const { workflowId } = current
    await begin({ uploadId, workflowId })
    reportStarted(file.name)
    return workflowId
  }

  return {
    /** Null: nothing is being uploaded. */
    get current() {
      return current
    },
    /** How uploads ended that no component was watching, in a sentence. */
    get begun() {
      return begunSentence(begun)
    },
    get refused() {
      return refused
    },
    /** Uploads the files in turn, until one is cancelled or refused. Never rejects. */
    async send(files: readonly File[], workflowId: string): Promise<void> {
      if (current !== null) return reportRefused(ONE_AT_A_TIME)
      let wanted = workflowId
      for (const [index, file] of files.entries()) {
        try {
          wanted = await sendOne(file, wanted)
        } catch (error) {
          reportRefused(refusedSentence(file.name, error, files.length - 1 - index))
          break
        }
      }
      current = null
      handle = null
    },
    /** Changes the workflow of the current upload. */
    choose: (workflowId: string) => change({ workflowId }),
    cancel: () => handle?.cancel(),
    /** Reports how uploads end from now on, and an earlier refusal at once. Returns what ends it. */
    watch(next: Watcher): () => void {
      watcher = next
      if (refused !== null) next.refused(refused)
      begun = []
      refused = null
      return () => {
        if (watcher === next) watcher = null
      }
    },
    putAway(this: void): void {
      begun = []
      refused = null
    },
  }
}
