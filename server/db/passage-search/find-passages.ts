/** Finds passages by their words and by their vectors, in a database that it only reads. */
import type Database from 'better-sqlite3'
import { comparePacked } from '../../contract/passages.ts'
import { WITH_TRANSCRIPT } from '../passages.ts'
import type { FoundPassage, PassageFindings, PassageSearch } from './types.ts'

/** Where a passage is: its run, and its place in it. */
interface Hit {
  readonly runId: string
  readonly place: number
  readonly cosine: number | null
}

interface RankedHit extends Hit {
  readonly cosine: number
  readonly nearness: number
}

interface PassageRow {
  readonly sourceDigest: string | null
  readonly chunk: number | null
  readonly start: number
  readonly end: number
  readonly text: string
}

interface ClipRow {
  readonly id: string
  readonly start: number
  readonly end: number
  readonly chunk: number | null
  readonly sourceMedia: string | null
}

/** A passage belongs to a clip that this share of it is in. */
const MOSTLY = 0.5

/** What the passages before and after one count, beside 1 for itself: what is spoken about goes on over several. */
const NEIGHBOURS = 0.35

/** The cosines of a run's passages, in their order, each with some of its neighbours'. */
export function withNeighbours(cosines: readonly number[]): number[] {
  return cosines.map((own, place) => {
    const around = (cosines[place - 1] ?? own) + (cosines[place + 1] ?? own)
    return (own + NEIGHBOURS * around) / (1 + 2 * NEIGHBOURS)
  })
}

/** Keeps the best so many hits, best first. */
function createBest(limit: number) {
  const best: RankedHit[] = []
  return {
    hits: best,
    offer: (hit: RankedHit): void => {
      if (best.length === limit && hit.nearness <= (best.at(-1)?.nearness ?? -1)) return
      let at = best.length
      while (at > 0 && (best[at - 1]?.nearness ?? 2) < hit.nearness) at -= 1
      best.splice(at, 0, hit)
      if (best.length > limit) best.pop()
    },
  }
}

/** Nothing is stored between two searches: what SQLite has read stays in the system's file cache. */
export function createPassageSearch(sqlite: Database.Database): (search: PassageSearch) => PassageFindings {
  const vectors = sqlite.prepare<[string, string, number], { runId: string; vectors: Buffer }>(
    `select run_id as runId, vectors from passage_indexes
      where company_id = ? and model = ? and size = ? and vectors is not null`,
  )
  const words = sqlite.prepare<[string, string, number], { runId: string; place: number }>(
    `select p.run_id as runId, p.place from passage_words f join passages p on p.id = f.rowid
      where passage_words match ? and p.company_id = ? order by f.rank limit ?`,
  )
  const passage = sqlite.prepare<[string, string, number], PassageRow>(
    `select r.source_digest as sourceDigest, p.chunk, p.start, p.end, p.text
       from passages p join runs r on r.id = p.run_id
      where p.company_id = ? and p.run_id = ? and p.place = ?`,
  )
  const clips = sqlite.prepare<[string, string], { id: string; facts: string }>(
    `select id, json_extract(document, '$.startTimestamp', '$.endTimestamp', '$.chunk.index', '$.media.source') as facts
       from clips where run_id = ? and company_id = ? and published`,
  )
  const counts = sqlite.prepare<[string, number, string], { runs: number; indexed: number }>(
    `select count(*) as runs, count(i.run_id) as indexed
       from runs r left join passage_indexes i
         on i.run_id = r.id and i.model = ? and i.version = ? and i.ended_at is r.finished_at
      where r.company_id = ? and ${WITH_TRANSCRIPT}`,
  )

  function nearest({ near, companyId, limit }: PassageSearch): readonly Hit[] {
    if (near === null) return []
    const { vector, model } = near
    const best = createBest(limit)
    for (const { runId, vectors: packed } of vectors.iterate(companyId, model, vector.length)) {
      const cosines: number[] = []
      comparePacked(packed, vector, (_place, cosine) => cosines.push(cosine))
      for (const [place, nearness] of withNeighbours(cosines).entries())
        best.offer({ runId, place, nearness, cosine: cosines[place] ?? 0 })
    }
    return best.hits
  }

  function clipsOf(runId: string, companyId: string): ClipRow[] {
    return clips.all(runId, companyId).map(({ id, facts }) => {
      const [start, end, chunk, sourceMedia] = JSON.parse(facts) as [number, number, number | null, string]
      return { id, start, end, chunk, sourceMedia }
    })
  }

  function describe(hits: readonly Hit[], companyId: string): FoundPassage[] {
    const known = new Map<string, ClipRow[]>()
    const found: FoundPassage[] = []
    for (const { runId, place, cosine } of hits) {
      const row = passage.get(companyId, runId, place)
      if (row === undefined) continue
      const all = known.get(runId) ?? clipsOf(runId, companyId)
      known.set(runId, all)
      const clipId = clipOf(all, row)?.id ?? null
      const sourceMedia = all.find(({ chunk }) => chunk === row.chunk)?.sourceMedia ?? null
      found.push({ ...row, runId, cosine, clipId, sourceMedia })
    }
    return withoutRepeats(found)
  }

  const answer = (search: PassageSearch): PassageFindings => {
    const { companyId, match, model, version, limit } = search
    const byWords =
      match === null ? [] : words.all(match, companyId, limit).map((row) => ({ ...row, cosine: null }))
    return {
      words: describe(byWords, companyId),
      meaning: describe(nearest(search), companyId),
      ...(counts.get(model, version, companyId) ?? { runs: 0, indexed: 0 }),
    }
  }
  // In one read transaction: an index that is replaced meanwhile is seen as it was, or as it is.
  return sqlite.transaction(answer)
}

/** The clip with the largest share of a passage. */
function clipOf(clips: readonly ClipRow[], { chunk, start, end }: PassageRow): ClipRow | null {
  let best: ClipRow | null = null
  let most = MOSTLY * (end - start)
  for (const clip of clips) {
    const shared = Math.min(end, clip.end) - Math.max(start, clip.start)
    if (clip.chunk !== chunk || shared < most || shared <= 0) continue
    if (best !== null && shared === most) continue
    best = clip
    most = shared
  }
  return best
}

/** The same passage of the same source once, whichever runs have it: of the run that has a clip of it, if one has. */
function withoutRepeats(found: readonly FoundPassage[]): FoundPassage[] {
  const byPlace = new Map<string, FoundPassage>()
  for (const one of found) {
    const key = JSON.stringify([one.sourceDigest ?? one.runId, one.chunk, one.start, one.text])
    const known = byPlace.get(key)
    if (known === undefined || (known.clipId === null && one.clipId !== null)) byPlace.set(key, one)
  }
  return [...byPlace.values()]
}
