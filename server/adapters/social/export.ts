/**
 * Writes a post as a package to HOME/exports for manual upload: video, texts, thumbnail, and everything in
 * machine-readable form. It is written under a temporary name and renamed, so that a package is complete or absent.
 */
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { Home } from '../../home.ts'
import { toDiskFull } from '../../../workers/media/disk.ts'
import type { Cover, SocialPostContent } from './adapter.ts'
import { syncFile, syncFolder } from '../../../workers/sync-folder.ts'

export interface PackageContent {
  readonly post: SocialPostContent & { readonly platform: string }
  /** Epoch milliseconds; null: at once. */
  readonly scheduledAt: number | null
  readonly clip: { readonly id: string; readonly title: string; readonly duration: number } | null
  /** Files of the home. */
  readonly video: string | null
  readonly thumbnail: string | null
  /** Null: the thumbnail is. */
  readonly cover: Cover | null
  readonly writtenAt: number
  readonly signal: AbortSignal
}

/** `exports/post-ID`: our own id, so that nothing of the input gets into a path. Throws for anything else. */
function folderOf(postId: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(postId)) throw new Error('not an id of a post')
  return join('exports', `post-${postId}`)
}

const PICTURES: ReadonlySet<string> = new Set(['.jpg', '.jpeg', '.png', '.webp'])

/** Writes the package and answers its folder, relative to the home. One that is there is replaced. Throws DISK_FULL. */
export async function writePackage(home: Pick<Home, 'root'>, content: PackageContent): Promise<string> {
  const folder = folderOf(content.post.id)
  const target = join(home.root, folder)
  const made = `${target}.part`
  try {
    await rm(made, { recursive: true, force: true })
    await mkdir(made, { recursive: true, mode: 0o700 })
    await fill(made, content)
    content.signal.throwIfAborted()
    if (existsSync(target)) await rm(target, { recursive: true, force: true })
    for (const name of await readdir(made)) await syncFile(join(made, name))
    await syncFolder(made)
    await rename(made, target)
    await syncFolder(dirname(target))
    return folder.replaceAll('\\', '/')
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    throw toDiskFull(error)
  }
}

async function fill(folder: string, content: PackageContent): Promise<void> {
  const { post, video, thumbnail, cover, clip } = content
  const files: Record<string, string> = {}
  const copy = async (kind: string, name: string, from: string): Promise<void> => {
    // Shares the blocks where the file system can.
    await copyFile(from, join(folder, name), constants.COPYFILE_FICLONE)
    files[kind] = name
  }
  if (video !== null) await copy('video', 'video.mp4', video)
  if (cover !== null) {
    await writeFile(join(folder, 'thumbnail.jpg'), await cover.picture(), { mode: 0o600 })
    files['thumbnail'] = 'thumbnail.jpg'
  } else if (thumbnail !== null) {
    const kind = extname(thumbnail).toLowerCase()
    await copy('thumbnail', `thumbnail${PICTURES.has(kind) ? kind : '.jpg'}`, thumbnail)
  }
  const write = async (kind: string, name: string, text: string): Promise<void> => {
    await writeFile(join(folder, name), text.endsWith('\n') ? text : `${text}\n`, { mode: 0o600 })
    files[kind] = name
  }
  await write('caption', 'caption.txt', post.text)
  if (post.title !== null) await write('title', 'title.txt', post.title)
  if (post.firstComment !== null) await write('firstComment', 'first-comment.txt', post.firstComment)
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  const { text, title, visibility, firstComment, platform, id } = post
  const described = {
    postId: id,
    platform,
    text,
    title,
    visibility,
    firstComment,
    coverSeconds: cover?.seconds ?? null,
    scheduledAt: iso(content.scheduledAt),
    clip,
    files,
    writtenAt: iso(content.writtenAt),
  }
  await writeFile(join(folder, 'post.json'), `${JSON.stringify(described, null, 2)}\n`, { mode: 0o600 })
}

/** Deletes a package; one that does not exist is no error. */
export async function removePackage(home: Pick<Home, 'root'>, postId: string): Promise<void> {
  await rm(join(home.root, folderOf(postId)), { recursive: true, force: true })
}
