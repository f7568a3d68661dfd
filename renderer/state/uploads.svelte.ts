/**
 * Files on their way to the appliance, each of which becomes a run. They are of the page, not of the room that they were
 * dropped in: they go on while somebody is elsewhere, who is then told how they ended.
 */
import { sentence } from '../ui/sentence.ts'
import type { Upload } from './api.ts'
import { homeMessages } from '../messages/home.ts'

const messages = homeMessages.uploads

export interface Sending {
  readonly name: string
  /** 0 to 1. */
  readonly fraction: number
  /** What will be made of it. */
  readonly workflowId: string
}

export interface UploadDeps {
  readonly upload: (file: File, onProgress: (fraction: number) => void) => Upload
  readonly begin: (run: { uploadId: string; workflowId: string }) => Promise<unknown>
}

/** The place where uploads are looked at. */
export interface Watcher {
  readonly begun: () => void
  readonly refused: (why: string) => void
}

export interface Uploads {
  /** Null: nothing is on its way. */
  readonly current: Sending | null
  /** What ended while nobody watched, in a sentence. */
  readonly begun: string | null
  readonly refused: string | null
  /** Sends one after the other, until one is cancelled or refused. Never rejects. */
  send(files: readonly File[], workflowId: string): Promise<void>
  /** Another workflow, for what is on its way. */
  choose(workflowId: string): void
  readonly cancel: () => void
  /** Says how uploads end, from now on; why one was refused before, at once. Answers what ends it. */
  watch(watcher: Watcher): () => void
  readonly putAway: () => void
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

export function createUploads({ upload, begin }: UploadDeps): Uploads {
  let current = $state.raw<Sending | null>(null)
  let begun = $state.raw<readonly string[]>([])
  let refused = $state.raw<string | null>(null)
  let handle: Upload | null = null
  let watcher: Watcher | null = null

  function tellRefused(why: string): void {
    if (watcher === null) refused = why
    else watcher.refused(why)
  }

  function tellBegun(name: string): void {
    if (watcher === null) begun = [...begun, name]
    else watcher.begun()
  }

  const change = (changed: Partial<Sending>): void => {
    if (current !== null) current = { ...current, ...changed }
  }

  /** The workflow that was wanted when it was there. */
  async function sendOne(file: File, wanted: string): Promise<string> {
    current = { name: file.name, fraction: 0, workflowId: wanted }
    handle = upload(file, (fraction) => change({ fraction }))
    const uploadId = await handle.done
    const { workflowId } = current
    await begin({ uploadId, workflowId })
    tellBegun(file.name)
    return workflowId
  }

  return {
    get current() {
      return current
    },
    get begun() {
      return begunSentence(begun)
    },
    get refused() {
      return refused
    },
    async send(files, workflowId) {
      if (current !== null) return tellRefused(ONE_AT_A_TIME)
      let wanted = workflowId
      for (const [index, file] of files.entries()) {
        try {
          wanted = await sendOne(file, wanted)
        } catch (error) {
          tellRefused(refusedSentence(file.name, error, files.length - 1 - index))
          break
        }
      }
      current = null
      handle = null
    },
    choose: (workflowId) => change({ workflowId }),
    cancel: () => handle?.cancel(),
    watch(next) {
      watcher = next
      if (refused !== null) next.refused(refused)
      begun = []
      refused = null
      return () => {
        if (watcher === next) watcher = null
      }
    },
    putAway() {
      begun = []
      refused = null
    },
  }
}
