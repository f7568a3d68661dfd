/** What damage does to one file: the random kinds of it, by a chance that can be had again. */
import { cp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'

export type Chance = () => number

const within = (chance: Chance, length: number): number => Math.floor(chance() * length)

export const pick = <T>(chance: Chance, of: readonly T[]): T => of[within(chance, of.length)] as T

async function write(file: string, at: number, bytes: Buffer): Promise<void> {
  await using handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
}

/** Where: often at the beginning, which is read first. */
const placeIn = (chance: Chance, size: number): number =>
  chance() < 0.3 ? within(chance, Math.min(size, 200)) : within(chance, size)

type Damage = (file: string, chance: Chance, older: string | null) => Promise<unknown>

/** By name. `older` puts what the file was at an earlier time in its place, or random bytes where there is nothing such. */
export const DAMAGES = {
  zero: async (file, chance) => {
    const { size } = await stat(file)
    const at = chance() < 0.3 ? 0 : within(chance, size)
    await write(file, at, Buffer.alloc(Math.min(size - at, chance() < 0.3 ? size : 4096)))
  },
  truncate: async (file, chance) =>
    truncate(file, chance() < 0.3 ? 0 : within(chance, (await stat(file)).size)),
  flip: async (file, chance) => {
    const at = placeIn(chance, (await stat(file)).size)
    const [byte = 0] = (await readFile(file)).subarray(at, at + 1)
    await write(file, at, Buffer.from([byte ^ (1 << within(chance, 8))]))
  },
  remove: (file) => rm(file),
  older: async (file, chance, older) => {
    if (older !== null) return cp(older, file)
    const { size } = await stat(file)
    return writeFile(file, Buffer.from(Array.from({ length: size }, () => within(chance, 256))))
  },
} as const satisfies Readonly<Record<string, Damage>>

export type DamageKind = keyof typeof DAMAGES
export const KINDS = Object.keys(DAMAGES) as DamageKind[]
