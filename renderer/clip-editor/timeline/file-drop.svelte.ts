/** Files that are dropped on the timeline: each is added to the library, and to the clip at the place of the drop. */
import type { LibraryItem } from '../../../server/contract/library.ts'
import { call, json, uploadFile, type Upload } from '../../state/api.ts'
import { sentence } from '../../ui/attempt.svelte.ts'
import { library as libraryMessages, timeline as messages } from '../../messages/timeline.ts'
import { addBroll, addMedia, openItems } from './edits.ts'
import type { ItemLaneName } from './items.ts'
import type { Timeline } from './timeline.svelte.ts'

/** Of the music that a dropped sound becomes. */
const MUSIC_VOLUME = 0.3

export function createFileDrop(timeline: Timeline) {
  let name = $state<string | null>(null)
  let done = $state(0)
  let problem = $state<string | null>(null)
  let upload: Upload | null = null
  let stopped = false

  /** False: there is no space for it. */
  function place(
    { address: url, kind, name, id }: LibraryItem,
    lane: string | undefined,
    at: number,
  ): boolean {
    if (kind === 'audio') {
      const { backgroundMusicOption } = timeline.clip.view.edit
      const volume = backgroundMusicOption['volume'] ?? MUSIC_VOLUME
      timeline.clip.change({ backgroundMusicOption: { url, id, name, volume } })
      return true
    }
    if (kind === 'font') throw new Error(libraryMessages.noFont)
    const overlays: ItemLaneName = 'overlays'
    const picked = { url, kind, name }
    const added = lane === overlays ? addMedia(timeline, picked, at) : addBroll(timeline, picked, at)
    if (added) openItems()
    return added
  }

  async function add(file: File, lane: string | undefined, at: number): Promise<void> {
    name = file.name
    done = 0
    upload = uploadFile(file, (fraction) => (done = fraction))
    const uploadId = await upload.done
    const { item } = await call<{ item: LibraryItem }>('/studio/library', json('POST', { uploadId }))
    if (!place(item, lane, at)) problem = messages.noSpace
  }

  return {
    get view() {
      return { name, done, problem }
    },
    /** `lane`: the name of the lane under the pointer; `at`: second of the source. */
    async drop(files: readonly File[], lane: string | undefined, at: number): Promise<void> {
      problem = null
      stopped = false
      try {
        for (const file of files) if (!stopped) await add(file, lane, at)
      } catch (error) {
        if (!stopped) problem = sentence(error)
      } finally {
        name = null
        upload = null
      }
    },
    stop(): void {
      stopped = true
      upload?.cancel()
    },
  }
}
