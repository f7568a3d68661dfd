/** Which chains are one person: those that sound alike and are never heard at once. PURE. */
import type { Chain } from './chains.ts'
import { noCepstra, voiceDistance, type CepstraSum } from './voiceprint.ts'

/** A chain with how it sounds. */
export interface SoundingChain extends Chain {
  readonly print: CepstraSum
  readonly seconds: number
}

/**
 * Voices at least this far apart are two people. Measured on two synthetic voices and on one real one, in pieces of 4 s:
 * pieces of one voice come out at 0.13 to 0.56, mostly under 0.4; of two at 0.6 to 0.86.
 */
const APART = 0.5
/** Shorter chains say too little about how they sound to make a person of their own, seconds. */
const LEAST_SECONDS = 1.5
const FRAMES_FOR_PRINT = 20

interface Group {
  chains: number[]
  print: CepstraSum
}

/** The person (0, 1, …, in order of appearance) of each chain. `count`: how many there are; 0: as many as are heard. */
export function groupChains(chains: readonly SoundingChain[], count: number): number[] {
  const all = sumOf(chains.map(({ print }) => print))
  const telling = (chain: SoundingChain): boolean =>
    chain.seconds >= LEAST_SECONDS && chain.print.count >= FRAMES_FOR_PRINT
  const groups: Group[] = chains.flatMap((chain, at) =>
    telling(chain) ? [{ chains: [at], print: chain.print }] : [],
  )
  mergeNearest(groups, chains, all, count)
  if (groups.length === 0 && chains.length > 0)
    groups.push({ chains: [0], print: chains[0]?.print ?? noCepstra() })
  chains.forEach((chain, at) => {
    if (groups.some((group) => group.chains.includes(at))) return
    const best = nearestGroup(groups, chain, chains, all)
    best?.chains.push(at)
  })
  return inOrderOfAppearance(groups, chains.length)
}

/** Joins the two groups that sound most alike, again and again, until the rest are different people. */
function mergeNearest(
  groups: Group[],
  chains: readonly SoundingChain[],
  all: CepstraSum,
  count: number,
): void {
  for (;;) {
    let best: { a: Group; b: Group; distance: number } | null = null
    groups.forEach((a, at) => {
      for (const b of groups.slice(at + 1)) {
        if (heardAtOnce(a, b, chains)) continue
        const distance = voiceDistance(a.print, b.print, all)
        if (best === null || distance < best.distance) best = { a, b, distance }
      }
    })
    const found = best as { a: Group; b: Group; distance: number } | null
    if (found === null) return
    if (count === 0 ? found.distance >= APART : groups.length <= count) return
    found.a.chains.push(...found.b.chains)
    found.a.print = sumOf([found.a.print, found.b.print])
    groups.splice(groups.indexOf(found.b), 1)
  }
}

function nearestGroup(
  groups: readonly Group[],
  chain: SoundingChain,
  chains: readonly SoundingChain[],
  all: CepstraSum,
): Group | undefined {
  const own: Group = { chains: [chains.indexOf(chain)], print: chain.print }
  const distanceTo = (group: Group): number =>
    chain.print.count === 0 ? 1 : voiceDistance(group.print, chain.print, all)
  return groups
    .map((group) => ({ group, distance: distanceTo(group) + (heardAtOnce(group, own, chains) ? 10 : 0) }))
    .toSorted((a, b) => a.distance - b.distance)[0]?.group
}

/** Two voices of one window are two people. */
function heardAtOnce(a: Group, b: Group, chains: readonly Chain[]): boolean {
  const windows = new Set(a.chains.flatMap((at) => chains[at]?.parts.map(({ window }) => window) ?? []))
  return b.chains.some((at) => chains[at]?.parts.some(({ window }) => windows.has(window)) === true)
}

function sumOf(prints: readonly CepstraSum[]): CepstraSum {
  const total = noCepstra()
  for (const print of prints) {
    total.count += print.count
    print.sum.forEach((value, order) => {
      total.sum[order] = (total.sum[order] ?? 0) + value
      total.squares[order] = (total.squares[order] ?? 0) + (print.squares[order] ?? 0)
    })
  }
  return total
}

function inOrderOfAppearance(groups: readonly Group[], chains: number): number[] {
  const sorted = groups.toSorted((a, b) => Math.min(...a.chains) - Math.min(...b.chains))
  return Array.from({ length: chains }, (_, at) =>
    Math.max(
      0,
      sorted.findIndex((group) => group.chains.includes(at)),
    ),
  )
}
