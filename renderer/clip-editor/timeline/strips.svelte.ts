/** The filmstrip's pictures, loaded file by file for the visible part only. */
import { sentence } from '../../ui/attempt.svelte.ts'
import { STRIP_SPACINGS, STRIP_TILES, type StudioStrip } from '../../../server/contract/studio-footage.ts'
import { call } from '../../state/api.ts'
import { throughOutages } from '../../state/outage.ts'
import { timeline as messages } from '../../messages/timeline.ts'

/** Files loaded at the same time; browsers allow few connections to one origin. */
const AT_ONCE = 2
/** Files whose pictures are cached: some 100 MB at most. */
const MAX_CACHED = 60
const AGAIN_MS = 250

/** A file of the filmstrip: which spacing, which one of it. */
interface Sheet {
  readonly level: number
  readonly sheet: number
}

const nameOf = ({ level, sheet }: Sheet): string => `${level}:${sheet}`

/** The level of the filmstrip where a picture covers so many seconds of the source. */
export function levelFor(seconds: number): number {
  return Math.max(
    0,
    STRIP_SPACINGS.findLastIndex((spacing) => spacing <= seconds),
  )
}

/** Where the picture of a source second is: its file, and which of its pictures. */
export function tileAt(level: number, second: number): Sheet & { readonly tile: number } {
  const index = Math.max(0, Math.floor(second / (STRIP_SPACINGS[level] ?? 1)))
  return { level, sheet: Math.floor(index / STRIP_TILES), tile: index % STRIP_TILES }
}

/** The result of loading a file; null when it was cancelled. */
async function requestStrip(owner: string, { level, sheet }: Sheet, isWanted: () => boolean) {
  const path = `${owner}/filmstrip?level=${level}&sheet=${sheet}`
  while (isWanted()) {
    const strip = await call<StudioStrip>(path)
    if (strip.state !== 'making') return strip
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
  return null
}

/** `owner`: the path of the clip, or of the run, whose source it is. */
export function openStrips(owner: string) {
  const cached = new Map<string, ImageBitmap>()
  const none = new Set<string>()
  const loading = new Set<string>()
  let wanted: readonly Sheet[] = []
  let making = $state(0)
  let version = $state(0)
  let problem = $state<string | null>(null)
  let closed = false

  const isWanted = (name: string): boolean => !closed && wanted.some((one) => nameOf(one) === name)

  async function load(sheet: Sheet): Promise<void> {
    const name = nameOf(sheet)
    const strip = await requestStrip(owner, sheet, () => isWanted(name))
    if (strip === null) return
    if (strip.state !== 'ready') {
      none.add(name)
      if (strip.state === 'failed') problem = strip.message
      return
    }
    const answer = await fetch(strip.url)
    if (!answer.ok) throw new Error(messages.filmstripFailed(answer.status))
    cached.set(name, await createImageBitmap(await answer.blob()))
    dropOldest()
    version += 1
  }

  function dropOldest(): void {
    for (const name of cached.keys()) {
      if (cached.size <= MAX_CACHED) return
      if (isWanted(name)) continue
      cached.get(name)?.close()
      cached.delete(name)
    }
  }

  function next(): void {
    for (const sheet of wanted) {
      const name = nameOf(sheet)
      if (closed || loading.size >= AT_ONCE) return
      if (loading.has(name) || cached.has(name) || none.has(name)) continue
      loading.add(name)
      making = loading.size
      throughOutages(() => load(sheet), { isWanted: () => isWanted(name) })
        .catch((error: unknown) => {
          if (!isWanted(name)) return
          none.add(name)
          problem = sentence(error)
        })
        .finally(() => {
          loading.delete(name)
          making = loading.size
          next()
        })
    }
  }

  return {
    /** Loads these files in order, and cancels all others. */
    want(sheets: readonly Sheet[]): void {
      wanted = sheets
      next()
    },
    /** The picture of a file; null while it is not there. */
    picture: (sheet: Sheet): ImageBitmap | null => cached.get(nameOf(sheet)) ?? null,
    /** How many are being made. */
    get making() {
      return making
    },
    /** Grows when a picture has come. */
    get version() {
      return version
    },
    get problem() {
      return problem
    },
    close() {
      closed = true
      for (const picture of cached.values()) picture.close()
      cached.clear()
    },
  }
}
