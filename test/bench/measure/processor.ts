/** Processor time of a process and all that it started. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** Seconds of a process and all that it started, theirs included, running or ended. */
export function processorSeconds(root = process.pid): number {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
  const own = new Set([root])
  for (let grew = true; grew;) {
    const before = own.size
    for (const { id, parent } of all) if (own.has(parent)) own.add(id)
    grew = own.size > before
  }
  return all.reduce((sum, { id, ticks }) => sum + (own.has(id) ? ticks : 0), 0) / 100
}

function statOf(id: number): { id: number; parent: number; ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // After the name, which may hold spaces: the parent is the second field; user, system, and the same of ended children.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      id,
      parent: Number(fields[1]),
      ticks: fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0),
    }
  } catch {
    // It has ended since the list was made.
    return null
  }
}
