/**
 * A disk after a power cut. What was synced is there. Of everything later any part may be: each write is kept, lost, or torn
 * at the edges of its sectors, whatever came before or after it. Names (created, moved, removed) are on the disk once their
 * folder was synced; before that as the kind of disk has it.
 */
import { link, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Chance } from '../support/damages.ts'
import type { Event } from './trace.ts'

/**
 * `journal`: names outlive in the order of their changes, up to some moment, and whatever is synced takes all earlier ones
 * along (ext4, xfs). `strict`: every change of a name that its folder was not synced after may be lost, by itself.
 */
export type DiskKind = 'journal' | 'strict'

const SECTOR = 512

interface Inode {
  /** Number of the event that made it. */
  readonly born: number
  readonly isFolder: boolean
  readonly children: Map<string, Inode>
  readonly writes: {
    readonly event: number
    readonly at: number
    readonly bytes: number
    readonly data: Buffer | null
    readonly size?: number
  }[]
  /** Numbers of events that were on the disk when a sync of it ended. */
  readonly synced: number[]
  /** Where the next write without a place goes. */
  end: number
}

const newInode = (born: number, isFolder: boolean): Inode => ({
  born,
  isFolder,
  children: new Map(),
  writes: [],
  synced: [],
  end: 0,
})

interface NameChange {
  readonly event: number
  readonly folders: readonly Inode[]
  readonly apply: (also: (folder: Inode) => Map<string, Inode>) => void
}

interface Played {
  readonly root: Inode
  readonly changes: readonly NameChange[]
  /** Numbers of events that were on the disk with any sync at all. */
  readonly syncs: readonly { readonly event: number; readonly began: number }[]
}

/** What a process did below `root` up to event `until`, as it saw it. */
function play(events: readonly Event[], root: string, until: number): Played {
  const top = newInode(-1, true)
  const changes: NameChange[] = []
  const syncs: { event: number; began: number }[] = []
  const find = (path: string): Inode | undefined => {
    if (path === root) return top
    let at: Inode | undefined = top
    for (const name of path.slice(root.length + 1).split('/')) at = at?.children.get(name)
    return at
  }
  const place = (path: string): { folder: Inode; name: string } | null => {
    if (!path.startsWith(`${root}/`)) return null
    const folder = find(dirname(path))
    return folder === undefined ? null : { folder, name: path.slice(dirname(path).length + 1) }
  }
  const change = (event: number, folders: readonly Inode[], apply: NameChange['apply']): void => {
    apply((folder) => folder.children)
    changes.push({ event, folders, apply })
  }
  const add = (event: number, path: string, inode: Inode): void => {
    const to = place(path)
    if (to === null) return
    change(event, [to.folder], (children) => void children(to.folder).set(to.name, inode))
  }
  const remove = (event: number, path: string): void => {
    const from = place(path)
    if (from === null) return
    change(event, [from.folder], (children) => void children(from.folder).delete(from.name))
  }
  for (const [at, event] of events.slice(0, until).entries()) {
    switch (event.kind) {
      case 'folder':
        add(at, event.path, newInode(at, true))
        break
      case 'open': {
        const there = find(event.path)
        if (there === undefined) add(at, event.path, newInode(at, false))
        else if (event.empties) resize(there, at, 0)
        break
      }
      case 'write': {
        const inode = find(event.path)
        if (inode === undefined) break
        const from = event.at ?? inode.end
        inode.writes.push({ event: at, at: from, bytes: event.bytes, data: event.data })
        inode.end = from + event.bytes
        break
      }
      case 'resize': {
        const inode = find(event.path)
        if (inode !== undefined) resize(inode, at, event.size)
        break
      }
      case 'sync':
        syncs.push({ event: at, began: event.began })
        find(event.path)?.synced.push(event.began)
        break
      case 'remove':
        remove(at, event.path)
        break
      case 'link': {
        const inode = find(event.from)
        if (inode !== undefined) add(at, event.to, inode)
        break
      }
      case 'move':
        move(at, event.from, event.to)
        break
    }
  }
  return { root: top, changes, syncs }

  function move(at: number, fromPath: string, toPath: string): void {
    const inode = find(fromPath)
    const from = place(fromPath)
    const to = place(toPath)
    if (inode === undefined || from === null) return
    if (to === null) return remove(at, fromPath)
    change(at, [from.folder, to.folder], (children) => {
      children(from.folder).delete(from.name)
      children(to.folder).set(to.name, inode)
    })
  }
}

function resize(inode: Inode, event: number, size: number): void {
  inode.writes.push({ event, at: size, bytes: 0, data: null, size })
  inode.end = size
}

/** Names as the disk has them: folders by the children that they have there. */
function survivingNames(
  { changes, syncs }: Played,
  kind: DiskKind,
  chance: Chance,
): Map<Inode, Map<string, Inode>> {
  const onDisk = new Map<Inode, Map<string, Inode>>()
  const childrenOf = (folder: Inode): Map<string, Inode> => {
    const there = onDisk.get(folder) ?? new Map<string, Inode>()
    onDisk.set(folder, there)
    return there
  }
  const certain = syncs.reduce((most, { began }) => Math.max(most, began), 0)
  const last = (changes.at(-1)?.event ?? 0) + 1
  const reached = kind === 'journal' ? certain + Math.floor(chance() * (last - certain + 1)) : certain
  const likelihood = chance()
  for (const { event, folders, apply } of changes) {
    const isSynced = folders.some(({ synced }) => synced.some((began) => began > event))
    const stays = kind === 'journal' ? event < reached : isSynced || chance() < likelihood
    if (stays) apply(childrenOf)
  }
  return onDisk
}

/** What the disk has of a file; `final`: its content at the end of the recording, for what the trace has not. */
function survivingContent(inode: Inode, chance: Chance, final: Buffer | null): Buffer {
  const covered = Math.max(0, ...inode.synced)
  const content = Buffer.alloc(Math.max(0, ...inode.writes.map(({ at, bytes }) => at + bytes)))
  let length = 0
  const put = (at: number, bytes: Buffer): void => {
    bytes.copy(content, at)
    length = Math.max(length, at + bytes.length)
  }
  const likelihood = chance()
  for (const { event, at, bytes, data, size } of inode.writes) {
    const stays = event < covered || chance() < likelihood
    if (size !== undefined) {
      if (!stays) continue
      content.fill(0, size)
      length = size
      continue
    }
    const written = data ?? final?.subarray(at, at + bytes) ?? Buffer.alloc(bytes, 0x5a)
    if (stays) put(at, written)
    else if (chance() < 0.5) tear(at, written, chance, put)
  }
  return content.subarray(0, length)
}

/** Some of its sectors. */
function tear(at: number, bytes: Buffer, chance: Chance, put: (at: number, bytes: Buffer) => void): void {
  for (let from = 0; from < bytes.length;) {
    const length = Math.min(SECTOR - ((at + from) % SECTOR), bytes.length - from)
    if (chance() < 0.5) put(at + from, bytes.subarray(from, from + length))
    from += length
  }
}

/** Its content at the end is what was synced: it can be had from there, whole. */
const isAsAtTheEnd = (now: Inode, end: Inode): boolean =>
  now.writes.length === end.writes.length &&
  now.writes.every(({ event }) => event < Math.max(0, ...now.synced))

/** Files of these never change once they have their name, so that copies of a home may share them. */
const UNCHANGING = /\/(artefacts|sources|pieces)\//
/** Memory of processes that have ended with the power. */
const MEMORY = /-shm$/

interface Found {
  readonly inode: Inode
  readonly path: string
}

function filesBelow(folder: Inode, path: string): Found[] {
  return [...folder.children].flatMap(([name, inode]) => {
    const here = join(path, name)
    return inode.isFolder ? filesBelow(inode, here) : [{ inode, path: here }]
  })
}

export interface Recording {
  readonly events: readonly Event[]
  /** The folder that was recorded, as it was at the end. */
  readonly root: string
  /** By the event that made it, what is there at the end. */
  readonly atTheEnd: ReadonlyMap<number, Found>
}

/** `root`: empty when the events began. */
export function asRecording(events: readonly Event[], root: string): Recording {
  const files = filesBelow(play(events, root, events.length).root, root)
  return { events, root, atTheEnd: new Map(files.map((found) => [found.inode.born, found])) }
}

/** Writes what a power cut before event `until` leaves to `into`. */
export async function cutPower(
  { events, root, atTheEnd }: Recording,
  {
    until,
    kind,
    chance,
    into,
  }: { readonly until: number; readonly kind: DiskKind; readonly chance: Chance; readonly into: string },
): Promise<void> {
  const now = play(events, root, until)
  const names = survivingNames(now, kind, chance)
  const write = async (folder: Inode, path: string): Promise<void> => {
    await mkdir(path, { recursive: true, mode: 0o700 })
    for (const [name, inode] of names.get(folder) ?? []) {
      const target = join(path, name)
      if (inode.isFolder) await write(inode, target)
      else if (!MEMORY.test(name)) await writeSurviving(inode, target)
    }
  }
  const writeSurviving = async (inode: Inode, target: string): Promise<void> => {
    const end = atTheEnd.get(inode.born)
    const isWhole = end !== undefined && isAsAtTheEnd(inode, end.inode)
    if (isWhole && UNCHANGING.test(target)) return link(end.path, target)
    const final = end === undefined ? null : await readFile(end.path)
    const content = isWhole && final !== null ? final : survivingContent(inode, chance, final)
    await writeFile(target, content, { mode: 0o600 })
  }
  await write(now.root, into)
}
