/**
 * Reads queries by the model of meaning, in an engine of their own: one thread, where the model stays loaded, and no run
 * before it in a queue. It ends when nobody has searched for a while, which frees its memory.
 */
import { randomUUID } from 'node:crypto'
import { modelFingerprint } from '../domain/models/models.ts'
import type { Services } from '../domain/services.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { StageTask } from '../../workers/protocol.ts'
import { createEngineClient, entryPoints, type EngineAnswer } from './engine-client.ts'
import type { QueryReading } from './jobs.ts'

const IDLE_MS = 600_000
/** A model of 90 MB is loaded in about a second; whoever searches is answered by words after this time. */
const PATIENCE_MS = 2500
/** Looking which model is installed reads some folders; an installed or removed one is noticed after this time. */
const MODEL_KNOWN_MS = 5000

export function createQueryReader(
  { config, home, log, now }: Pick<Services, 'config' | 'home' | 'log' | 'now'>,
  { patienceMs = PATIENCE_MS } = {},
) {
  const engine = createEngineClient({
    entryPoints: entryPoints(),
    threads: 1,
    urgent: true,
    network: config.network,
    log,
    idleMs: IDLE_MS,
  })
  const stopped = new AbortController()
  let known: { readonly model: string; readonly until: number } | null = null
  let loaded: string | null = null

  async function currentModel(): Promise<string> {
    if (known !== null && now() < known.until) return known.model
    const model = await modelFingerprint(config, 'text-embedding')
    known = { model, until: now() + MODEL_KNOWN_MS }
    return model
  }

  const taskFor = (text: string): StageTask => ({
    taskId: randomUUID(),
    stage: 'embed-query',
    key: '',
    params: { text },
    inputs: {},
    folders: { sources: home.sources, artefacts: home.artefacts, temporary: home.temporary },
    tools: { ffmpeg: '', ffprobe: '' },
    inference: config.inference,
    modelFolders: config.modelFolders,
    resources: config.resources,
  })

  return {
    read: async (text: string): Promise<QueryReading> => {
      const model = await currentModel()
      if (model === 'none') return { kind: 'no-model' }
      // The files may be others in the same folder, and the engine would go on with those that it has loaded.
      if (loaded !== null && loaded !== model) await engine.stop()
      loaded = model
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), patienceMs)
      })
      try {
        const answer = await Promise.race([engine.run(taskFor(text), { signal: stopped.signal }), patience])
        return answer === 'late' ? { kind: 'not-ready', model } : readingOf(model, answer)
      } finally {
        clearTimeout(timer)
      }
    },
    stop: async (): Promise<void> => {
      stopped.abort()
      await engine.stop()
    },
  }
}

function readingOf(model: string, answer: EngineAnswer): QueryReading {
  if (answer.kind === 'engine-died')
    return { kind: 'failed', model, message: 'the process that runs the model has ended' }
  const { outcome } = answer
  if (!outcome.ok) return { kind: 'failed', model, message: outcome.failure.message }
  const { vector } = outcome.output as OutputOf<Stages['embed-query']>
  return { kind: 'read', model, vector: Float32Array.from(vector) }
}
