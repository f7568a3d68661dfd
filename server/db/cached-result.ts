/** One query of storage.ts for one result: asked again before each is removed. */
import type { Db } from './client.ts'
import { oncePerConnection } from './prepared.ts'

const query = oncePerConnection(({ sqlite }) =>
  sqlite.prepare<[{ stage: string; key: string; from: string; to: string }], { kept: number }>(
    `select exists(select 1 from run_stages where stage = @stage and key = @key)
         or exists(select 1 from media where path >= @from and path < @to) as kept`,
  ),
)

/** Whether the result of a stage is part of a run now, or an address leads into it. */
export function isCachedResult(db: Db, stage: string, key: string): boolean {
  const folder = `artefacts/${stage}/${key.slice(0, 2)}/${key}`
  // What begins with the folder and a slash: the character after a slash is a nought.
  return query(db).get({ stage, key, from: `${folder}/`, to: `${folder}0` })?.kept !== 0
}
