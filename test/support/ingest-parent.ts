/** Ingests an address in a process of its own, to be killed in the middle: `node ingest-parent.ts ROOT URL`. */
import { runIngest } from '../../workers/stages/ingest/stage.ts'
import { runStageForTest } from './stage-harness.ts'

const [root = '', url = ''] = process.argv.slice(2)
await runStageForTest(
  runIngest,
  {
    source: { kind: 'url' as const, url },
    addresses: 'any' as const,
    known: null,
    maxBytes: 10 ** 9,
    minFreeBytes: 0,
    idleTimeoutSeconds: 30,
    totalTimeoutSeconds: 60,
  },
  { root },
)
