/** The examples of docs/guide-api.md, run as written against a real appliance: an incorrect one fails a test. */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveFiles, type FileServer } from '../../server/cli/serve-files.ts'
import { loadConfig } from '../../server/config/config.ts'
import { signWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { startAppliance, type Appliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'
import {
  guideExamples,
  missingTools,
  runGuidePython,
  runGuideShell,
  runGuideTypeScript,
  type GuidePlace,
} from '../support/guide.ts'
import { ask } from '../support/make-media.ts'
import { whyNoPython } from '../support/python.ts'
import { makeTinyTalk } from '../support/tiny-talk.ts'

const SECRET = 'whsec_guide'
const BODY = JSON.stringify({ type: 'run.completed', subjectId: 'run-of-the-guide', data: {} })

let folder: string
let host: FileServer
let appliance: Appliance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-guide-'))
  const { video, captions } = await makeTinyTalk(folder)
  host = await serveFiles(
    new Map([
      ['talk.mp4', video],
      ['talk.srt', captions],
    ]),
  )
  const config = loadConfig({ home: join(folder, 'home'), port: '0' }, { CUTROOM_MIN_FREE_BYTES: '0' })
  appliance = await startAppliance(config, createLogger('error'))
})
afterAll(async () => {
  await appliance.stop()
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

/** Where the examples run. The webhook that they read at the end is dated ahead: what comes before takes its time. */
const place = (): GuidePlace => ({
  folder,
  home: join(folder, 'home'),
  settings: {
    URL: appliance.url,
    KEY: appliance.firstKey ?? '',
    VIDEO: `${host.url}/talk.mp4`,
    POLL_SECONDS: '0.3',
    SECRET,
    BODY,
    SIGNATURE: signWebhook(SECRET, Math.floor(Date.now() / 1000) + 240, BODY),
  },
})

/** Seconds of a film that an example has fetched. */
const secondsOf = async (name: string): Promise<number> =>
  Number(/duration=([\d.]+)/.exec(await ask(join(folder, name), 'format=duration'))?.[1])

test('the commands', async ({ skip }) => {
  const missing = missingTools(['bash', 'curl', 'jq', 'openssl'])
  if (missing.length > 0) return skip(`the guide's commands need ${missing.join(', ')}`)
  await runGuideShell((await guideExamples()).shell, place())
  expect(await secondsOf('clip.mp4')).toBeCloseTo(2, 0)
}, 600_000)

test('the TypeScript', async () => {
  const written = await runGuideTypeScript((await guideExamples()).typescript, place())
  expect(written).toMatch(/, 3\.2 s\n/)
  expect(Number(/(\d+) bytes of film/.exec(written)?.[1])).toBeGreaterThan(10_000)
  expect(written).toContain('run.completed run-of-the-guide')
}, 600_000)

test('the Python', async ({ skip }) => {
  const missing = whyNoPython()
  if (missing !== null) return skip(`the guide's Python is not run: ${missing}`)
  const written = await runGuidePython((await guideExamples()).python, place())
  expect(written).toMatch(/, 3\.2 s\n/)
  expect(written).toContain('run.completed run-of-the-guide')
  expect((await stat(join(folder, 'clip-python.mp4'))).size).toBeGreaterThan(10_000)
  expect(await secondsOf('clip-python.mp4')).toBeCloseTo(2, 0)
}, 600_000)
