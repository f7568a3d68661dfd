/** Looks through a watched folder: every video in it with its facts, without reading any. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { sidecarLanguage } from '../../../workers/stages/ingest/source-url.ts'

/** A video as it lies in the folder. */
export interface SeenVideo {
  /** Below the folder, with forward slashes. */
  readonly path: string
  readonly bytes: number
  readonly modifiedAt: number
  readonly fileId: string
  /** Names, sizes and times of the subtitles beside it; empty: none. */
  readonly sidecars: string
}

const VIDEO = /\.(mp4|m4v|mov|mkv|webm|avi|flv|ts|m2ts|mts|mpg|mpeg|vob|mxf|wmv|3gp|ogv)$/i
const AUDIO = /\.(mp3|m4a|wav|aac|flac|ogg|opus)$/i
const SUBTITLES = /\.(srt|vtt|ass|ssa)$/i
/**
 * What programs name a file that they write: hidden ones (rsync, Syncthing, NFS), `~file`, `file~`. Their endings
 * (`.part`, `.crdownload`, `.tmp`) are no endings of videos.
 */
const BEING_WRITTEN = /^[.~]|~$/
/** A file of this name beside a video says that it is being downloaded: Firefox, aria2, WinSCP, Chrome, torrents. */
const MARKERS = [
  '.part',
  '.partial',
  '.aria2',
  '.filepart',
  '.crdownload',
  '.download',
  '.tmp',
  '.!ut',
  '.!qB',
]
/** Folders inside of each other. */
const MAX_DEPTH = 8
/** More is not watched: each look would take too long. */
export const MAX_FILES = 50_000

export interface Look {
  readonly videos: readonly SeenVideo[]
  /** There is more than is looked at. */
  readonly isTruncated: boolean
}

/**
 * Every video below the folder; links are not followed, hidden folders and `skip` (a real path) are left out. Throws the
 * error of the file system where the folder itself cannot be read. One request at a time, so that a share that hangs
 * holds one thread of the pool.
 */
export async function findVideos(
  folder: string,
  { skip, signal }: { readonly skip: string | null; readonly signal: AbortSignal },
): Promise<Look> {
  const videos: SeenVideo[] = []
  const open: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 0 }]
  let entries = 0
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const at = join(folder, next.path)
    if (at === skip) continue
    const listed = await listFolder(at, next.path === '', signal)
    entries += listed.files.length
    const below = (name: string): string => (next.path === '' ? name : `${next.path}/${name}`)
    videos.push(...(await videosOf(at, listed.files, below, signal)))
    if (entries > MAX_FILES) return { videos, isTruncated: true }
    if (next.depth < MAX_DEPTH)
      open.push(...listed.folders.map((name) => ({ path: below(name), depth: next.depth + 1 })))
  }
  return { videos, isTruncated: false }
}

interface Listed {
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

async function listFolder(path: string, isRoot: boolean, signal: AbortSignal): Promise<Listed> {
  const files: string[] = []
  const folders: string[] = []
  try {
    // Read in parts, between which other work goes on.
    for await (const entry of await opendir(path, { bufferSize: 128 })) {
      signal.throwIfAborted()
      if (BEING_WRITTEN.test(entry.name)) continue
      if (entry.isDirectory()) folders.push(entry.name)
      else if (entry.isFile()) files.push(entry.name)
    }
  } catch (error) {
    if (isRoot || signal.aborted) throw error
    // A folder inside of it that was moved meanwhile, or that we may not read.
  }
  return { files: files.toSorted(), folders: folders.toSorted() }
}

const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '')

async function videosOf(
  at: string,
  names: readonly string[],
  below: (name: string) => string,
  signal: AbortSignal,
): Promise<SeenVideo[]> {
  const there = new Set(names)
  const withPicture = new Set(names.filter((name) => VIDEO.test(name)).map(stemOf))
  const subtitles = groupSubtitles(names)
  const seen: SeenVideo[] = []
  for (const name of names) {
    // Sound beside a video of the same name is its second recording.
    if (!VIDEO.test(name) && !(AUDIO.test(name) && !withPicture.has(stemOf(name)))) continue
    if (MARKERS.some((marker) => there.has(name + marker))) continue
    signal.throwIfAborted()
    const facts = await factsOf(join(at, name))
    if (facts === null || facts.bytes === 0) continue
    seen.push({ path: below(name), ...facts, sidecars: await describeSidecars(at, name, subtitles) })
  }
  return seen
}

/** Subtitles by the first part of their names, which is where their video's name can begin. */
function groupSubtitles(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    if (!SUBTITLES.test(name)) continue
    const first = name.split('.')[0] ?? ''
    groups.set(first, [...(groups.get(first) ?? []), name])
  }
  return groups
}

async function describeSidecars(
  at: string,
  video: string,
  subtitles: ReadonlyMap<string, readonly string[]>,
): Promise<string> {
  const beside = (subtitles.get(video.split('.')[0] ?? '') ?? []).filter(
    (name) => sidecarLanguage(video, name) !== null,
  )
  const described: string[] = []
  for (const name of beside) {
    const facts = await factsOf(join(at, name))
    if (facts !== null) described.push(`${name} ${facts.bytes} ${facts.modifiedAt}`)
  }
  return described.join('\n')
}

/** Null: it is no plain file, or it is gone. */
export async function factsOf(
  path: string,
): Promise<Pick<SeenVideo, 'bytes' | 'modifiedAt' | 'fileId'> | null> {
  const facts = await lstat(path).catch(() => null)
  if (facts?.isFile() !== true) return null
  return { bytes: facts.size, modifiedAt: Math.floor(facts.mtimeMs), fileId: `${facts.dev}:${facts.ino}` }
}
