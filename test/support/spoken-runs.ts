/** Runs with a transcript in the home, and what indexes and reads them: for tests of search by meaning. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { runStages } from '../../server/db/schema.ts'
import { newId } from '../../server/ids.ts'
import { runInBackground } from '../../server/jobs/background-stages.ts'
import { createStages } from '../../server/jobs/orchestrator.ts'
import { createQueryReader } from '../../server/jobs/query-reader.ts'
import { artefactFolder, digestOf } from '../../workers/artefacts.ts'
import { addRun, type TestServer } from './server.ts'

/** Sentences one after the other, three words a second. */
export const spokenWords = (sentences: readonly string[], from = 0): TranscriptWord[] =>
  sentences
    .join(' ')
    .split(' ')
    .map((word, index) => ({ word, start: from + index / 3, end: from + index / 3 + 0.3 }))

/** A Completed run whose speech stage has left these words. `chunk`: of a livestream. */
export async function addSpokenRun(
  server: TestServer,
  run: Parameters<typeof addRun>[1] & {
    readonly words: readonly TranscriptWord[]
    readonly chunk?: number
    readonly key?: string
  },
): Promise<string> {
  const { words, chunk, key = digestOf({ transcript: newId() }), ...row } = run
  const runId = addRun(server, { finishedAt: server.services.now(), ...row })
  const folder = artefactFolder(server.services.home.artefacts, 'speech', key)
  await mkdir(folder, { recursive: true })
  const output = { transcriptFile: 'transcript.json', wordCount: words.length }
  const transcript = { origin: 'speech-model', language: 'en', detail: '', words }
  await writeFile(join(folder, 'transcript.json'), JSON.stringify(transcript))
  await writeFile(
    join(folder, 'result.json'),
    JSON.stringify({ stage: 'speech', version: 1, key, output, warnings: [], milliseconds: 1 }),
  )
  const slot = chunk === undefined ? 'speech' : `chunk:${chunk}:speech`
  server.services.db.orm
    .insert(runStages)
    .values({ runId, slot, stage: 'speech', key, state: 'finished', output, startedAt: 0 })
    .run()
  return runId
}

/** Gives a test's server an engine of its own. `stop`: before the server is closed. */
export function withEngine(server: TestServer): { stop: () => Promise<void> } {
  const { engine, stages } = createStages(server.services, null)
  const queries = createQueryReader(server.services, { patienceMs: 60_000 })
  Object.assign(server.jobs, {
    runInBackground: (work: Parameters<typeof runInBackground>[1]) => runInBackground(stages, work),
    readQuery: (text: string) => queries.read(text),
  })
  return { stop: async () => void (await Promise.all([engine.stop(), queries.stop()])) }
}
