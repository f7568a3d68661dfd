/** Counts terms along `clip_keys`: SQLite puts the ids of thousands of clips into one text, which is read here. */
import type Database from 'better-sqlite3'

/** How often each id occurs, by the id. */
export function newTally(sqlite: Database.Database): Uint32Array {
  const newest = sqlite.prepare<[], number | null>('select max(id) from clip_terms').pluck().get() ?? 0
  return new Uint32Array(newest + 1)
}

const SPACE = 32
const ZERO = 48

/** Adds the ids of a text of `clip_keys.terms`. */
export function addTerms(counts: Uint32Array, text: string): void {
  let id = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code !== SPACE) id = id * 10 + code - ZERO
    else if (id > 0) {
      counts[id] = (counts[id] ?? 0) + 1
      id = 0
    }
  }
}

/** So many clips at once: a megabyte or two of text. */
export const TALLY_ROWS = 20_000

/** Writes into `clip_terms` how many clips have each. */
export function countTerms(sqlite: Database.Database): void {
  const next = sqlite.prepare<[number, number], { terms: string | null; last: number | null }>(
    `select group_concat(terms, '') as terms, max(doc) as last
     from (select doc, terms from clip_keys where doc > ? order by doc limit ?)`,
  )
  const counts = newTally(sqlite)
  for (let after = 0; ;) {
    const part = next.get(after, TALLY_ROWS)
    if (part?.last == null) break
    addTerms(counts, part.terms ?? '')
    after = part.last
  }
  const write = sqlite.prepare('update clip_terms set clips = ? where id = ?')
  for (const [id, count] of counts.entries()) if (count > 0) write.run(count, id)
}
