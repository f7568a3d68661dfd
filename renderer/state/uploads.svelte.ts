/**
 * Batches of new runs, whose files are uploaded in turn. They belong to the window, not to one page: they continue while
 * another page is open, and Notices then says how they ended.
 */
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import type { NewRun, Upload } from './api.ts'
import { shownCompany } from './company.ts'
import type { NewSource } from './new-sources.ts'
import { uploads as messages } from '../messages/home.ts'

/** What the runs of one batch share. */
export type RunSettings = Pick<NewRun, 'workflowId' | 'nodeConfigs' | 'language'>

interface Sending {
  readonly name: string
  /** 0 to 1. */
  readonly fraction: number
  /** Files after it, of all batches. */
  readonly left: number
}

interface UploadDeps {
  readonly upload: (file: File, onProgress: (fraction: number) => void, companyId: string | null) => Upload
  readonly begin: (run: NewRun, companyId: string | null) => Promise<{ readonly triggerId: string }>
}

/** The component that shows uploads. */
interface Watcher {
  /** `isOnly`: the only one of its batch. */
  readonly begun: (runId: string, isOnly: boolean) => void
  readonly refused: (why: string) => void
}

const begunSentence = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : names.length === 1
      ? messages.begun(names[0] ?? '')
      : messages.begunMany(names.length)

/** `company`: the one shown when it was given. Its runs belong there, and the page of another one does not open them. */
interface Batch {
  readonly sources: readonly NewSource[]
  readonly settings: RunSettings
  readonly company: string | null
}

export function createUploads({ upload, begin }: UploadDeps) {
  let current = $state.raw<Sending | null>(null)
  let begun = $state.raw<readonly string[]>([])
  let refused = $state.raw<string | null>(null)
  let handle: Upload | null = null
  let watcher: Watcher | null = null
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  const isWatched = ({ company }: Batch): boolean => watcher !== null && company === shownCompany()

  async function sendFile(file: File, { company }: Batch): Promise<string> {
    current = { name: file.name, fraction: 0, left: waiting }
    const report = (fraction: number): void => {
      if (current !== null) current = { ...current, fraction, left: waiting }
    }
    handle = upload(file, report, company)
    return handle.done
  }

  /** The subtitles come first, so that no run starts without them. */
  async function sendOne(source: NewSource, batch: Batch): Promise<void> {
    const { file, url, captions } = source
    const captionsUploadId = captions === null ? undefined : await sendFile(captions, batch)
    const uploadId = file === undefined ? source.uploadId : await sendFile(file, batch)
    const run = { ...batch.settings, ...omitUndefined({ url, uploadId, captionsUploadId }) }
    const { triggerId } = await begin(run, batch.company)
    if (isWatched(batch)) watcher?.begun(triggerId, batch.sources.length === 1)
    else begun = [...begun, source.name]
  }

  async function sendBatch(batch: Batch): Promise<void> {
    for (const [index, source] of batch.sources.entries()) {
      waiting -= 1
      try {
        await sendOne(source, batch)
      } catch (error) {
        const left = batch.sources.length - 1 - index
        waiting -= left
        const why = messages.refused(source.name, sentence(error), left)
        if (isWatched(batch)) watcher?.refused(why)
        else refused = why
        break
      }
    }
    current = null
    handle = null
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
    /**
     * Uploads the sources in turn, after those of earlier batches, and starts a run of each; one that is cancelled or
     * refused ends its batch. Resolves when the batch has ended; never rejects.
     */
    send(sources: readonly NewSource[], settings: RunSettings): Promise<void> {
      waiting += sources.length
      const company = shownCompany()
      last = last.then(() => sendBatch({ sources, settings, company }))
      return last
    },
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
