/** A clip with footage that the clip editor can open, without a run that would have to be waited for. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadConfig } from '../../../server/config/config.ts'
import type { ClipDocument } from '../../../server/contract/clip.ts'
import type { TranscriptWord } from '../../../server/contract/transcript.ts'
import { openDatabase } from '../../../server/db/client.ts'
import { listWorkflows } from '../../../server/domain/workflows/workflows.ts'
import { openHome } from '../../../server/home.ts'
import { createLogger } from '../../../server/log.ts'
import { sourcePath } from '../../../workers/artefacts.ts'
import { addClip, addFacts, addMedia, addRun, fakeJobs, type TestServer } from '../../support/server.ts'

export interface FootageClip {
  readonly durationSeconds: number
  readonly document: Partial<ClipDocument>
  readonly words?: TranscriptWord[]
}

/**
 * Stores `content`, a video of 1280x720, as the source of a finished run, and a clip of all of it; its id. `root`: the home
 * of an appliance that has been started.
 */
export async function seedFootageClip(
  root: string,
  content: Buffer,
  { durationSeconds: end, document, words }: FootageClip,
): Promise<string> {
  const home = openHome(root)
  const db = openDatabase(home.database)
  const config = loadConfig({ home: root, port: '0' }, {})
  const log = createLogger('error', () => undefined)
  const services = { config, home, db, jobs: fakeJobs(), log, now: Date.now }
  const server = { services, companyId: 'local' } as unknown as TestServer
  const workflowId = listWorkflows(services, { companyId: 'local' })[0]?.id ?? ''
  const { id: extended } = await addMedia(server, 'extended.mp4', content)
  const sourceId = createHash('sha256').update(content).digest('hex')
  const stored = sourcePath(home.sources, sourceId)
  await mkdir(dirname(stored), { recursive: true })
  await writeFile(stored, content)
  const runId = addRun(server, { workflowId })
  addFacts(server, runId, end)
  const clipId = addClip(server, {
    workflowId,
    runId,
    document: {
      sourceId,
      duration: end,
      startTimestamp: 0,
      endTimestamp: end,
      timestampBoundary: { start: 0, end },
      extended: { start: 0, end, fileStart: 0 },
      media: { extended },
      ...document,
    },
    ...(words === undefined ? {} : { words }),
  })
  db.close()
  return clipId
}
