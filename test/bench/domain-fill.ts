/** A home with very many listed clips, as different from each other as those of years of work. */
import { openDatabase } from '../../server/db/client.ts'
import { rewriteList } from '../../server/db/listed-clips.ts'
import { companies } from '../../server/db/schema.ts'
import { createClient, grantAccess } from '../../server/domain/access/clients.ts'
import { issueDelegation } from '../../server/domain/access/delegations.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { openHome } from '../../server/home.ts'
import { newId, newMediaId } from '../../server/ids.ts'

export interface FilledList {
  readonly token: string
  /** A run, and an episode, of ten clips each. */
  readonly runId: string
  readonly episodeId: string
  readonly seconds: number
  /** Of that to fill the indexes, as an upgrade of a home without them does. */
  readonly indexSeconds: number
}

const SPOKEN_EVERY = 200_000
const PER_RUN = 10
const WORKFLOWS = 100
export const START = Date.UTC(2020, 0, 1)
const MINUTE = 60_000

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of `count`, the first ones most often: the n-th 1/n times as often as the first. */
const ranked = (random: () => number, count: number): number =>
  Math.min(count - 1, Math.floor(count ** random()) - 1)

/** Words w0 (the most frequent one) to w29999, people p0 to p4999, keywords k0 to k19999, tags t0 to t199. */
const SIZES = { w: 30_000, p: 5000, k: 20_000, t: 200 } as const

export async function fillList(
  root: string,
  clips: number,
  say: (line: string) => void,
): Promise<FilledList> {
  const started = performance.now()
  const home = openHome(root)
  const db = openDatabase(home.database)
  const random = numbers(11)
  const some = (kind: keyof typeof SIZES, count: number): string[] => [
    ...new Set(Array.from({ length: count }, () => `${kind}${ranked(random, SIZES[kind])}`)),
  ]
  const stored = { run: '', episode: '' }
  try {
    const services = { db, home, now: Date.now }
    const companyId = createCompany(services, { id: 'acme', name: 'Acme' }).id
    db.orm
      .update(companies)
      .set({ plan: 'business', features: ['domain_api'] })
      .run()
    createClient(services, { id: 'bench', companyId })
    grantAccess(services, { clientId: 'bench', companyId, expiresAt: Date.now() + 86_400_000 })
    const token = await issueDelegation(services, {
      clientId: 'bench',
      companyId,
      subject: 'bench',
      lifeSeconds: 3600,
    })
    for (const pragma of ['synchronous = OFF', 'cache_size = -200000']) db.sqlite.pragma(pragma)
    const workflows = Array.from({ length: WORKFLOWS }, newId)
    const media = Array.from({ length: 1000 }, newMediaId)
    const insertMedia = db.sqlite.prepare(
      `insert into media (id, company_id, path, name, media_type, bytes, etag, created_at)
       values (?, 'acme', ?, 'still.jpg', 'image/jpeg', 1, 'x', 0)`,
    )
    for (const id of media) insertMedia.run(id, `artefacts/${id}`)
    const insert = db.sqlite.prepare(
      `insert into listed_clips (clip_id, company_id, seq, workflow_id, run_id, title, bio, duration, virality_score,
         aspect_ratio, people, keywords, tags, source_id, source_input_id, thumbnail_media, rendered, edited,
         render_state, post_states, created_at, updated_at)
       values (?, 'acme', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    let run = ''
    let episode = ''
    const insertClip = (index: number): void => {
      if (index % PER_RUN === 0) {
        run = newId()
        episode = newId() + newId()
      }
      if (index === Math.floor(clips / 2)) {
        stored.run = run
        stored.episode = episode
      }
      const at = START + index * MINUTE
      insert.run(
        newId(),
        index + 1,
        workflows[ranked(random, WORKFLOWS)],
        run,
        some('w', 7).join(' '),
        some('w', 20).join(' '),
        Math.round(15_000 + random() * 165_000) / 1000,
        Math.round(random() * 1000) / 10,
        ['9:16', '9:16', '16:9', '1:1'][index % 4],
        ...[some('p', 2), some('k', 4), some('t', 2)].map((names) => JSON.stringify(names)),
        episode,
        run,
        media[index % media.length],
        Number(index % 10 < 7),
        Number(index % 5 === 0),
        index % 1000 === 9 ? 2 : 0,
        index % 3 === 0 ? 8 : 0,
        at,
        at + Math.floor(random() * 1000) * MINUTE,
      )
    }
    let listed = 0
    rewriteList(db.sqlite, () => {
      for (let index = 0; index < clips; index += 1) {
        insertClip(index)
        if (index % SPOKEN_EVERY === SPOKEN_EVERY - 1) say(`${index + 1} clips`)
      }
      listed = performance.now()
    })
    const indexSeconds = (performance.now() - listed) / 1000
    say(`indexed in ${indexSeconds.toFixed(1)} s`)
    db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    const seconds = (performance.now() - started) / 1000
    return { token, runId: stored.run, episodeId: stored.episode, seconds, indexSeconds }
  } finally {
    db.close()
  }
}
