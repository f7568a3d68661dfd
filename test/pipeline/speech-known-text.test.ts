/** The speech stage with a model that knows the text of the development recordings, in every precision that the manifest offers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { modelFolders } from '../bench/media.ts'
import { scoreWords } from '../bench/measure/words.ts'
import { installKnownText, offeredPrecisions, whyNoKnownText } from '../speech-model/installed.ts'
import { makeSource, makeSpeechless, type KnownSource } from '../speech-model/known-sources.ts'
import { PLANS } from '../speech-model/plans.ts'
import { prepareSound, transcribeKnown, type Prepared } from '../speech-model/transcribe-known.ts'

const missing = whyNoKnownText()
if (missing !== null) console.log(`tests of known text skipped: ${missing}`)
/** Some of the pieces of a source: about a minute. */
const SHARE = 0.4
/**
 * With speeds, pitches and cuts as in the training, for which the weights make the word error that is asked: a fault in
 * features, decoding or timing costs far more. Held-out changes are measured by the bench, in docs/quality.md.
 */
const MOST = { wordError: 0.05, startMedian: 0.03 }

describe.skipIf(missing !== null)('the speech stage with known text', () => {
  let root: string
  let folders: string[]
  let source: KnownSource
  let prepared: Prepared

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'cutroom-known-text-'))
    folders = [join(root, 'models'), ...modelFolders()]
    for (const model of offeredPrecisions()) await installKnownText(join(root, 'models'), model)
    const plan = PLANS.find(({ cuts }) => cuts === 'trained')
    if (plan === undefined) throw new Error('no plan is like the training')
    source = await makeSource({ ...plan, share: SHARE })
    prepared = await prepareSound(source.samples, join(root, 'source'), folders)
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it.each(offeredPrecisions().map((model) => [Object.values(model.dtype ?? {}).join(' and '), model.name]))(
    'writes what was spoken when it was spoken, alone and in batches, with weights of %s',
    async (precision, model) => {
      const alone = await transcribeKnown(prepared, { root: join(root, `${model}-1`), model, together: 1 })
      const { wordError, startMedian } = scoreWords(source.words, alone.transcript.words)
      expect(wordError, precision).toBeLessThanOrEqual(MOST.wordError)
      expect(startMedian, precision).toBeLessThanOrEqual(MOST.startMedian)
      expect(alone.transcript.language).toBe('en')
      expect(alone.warnings).toEqual([])
      const batch = await transcribeKnown(prepared, { root: join(root, `${model}-3`), model, together: 3 })
      expect(batch.transcript.words).toEqual(alone.transcript.words)
    },
  )

  it('writes nothing of silence, noise and music', async () => {
    const empty = await prepareSound(makeSpeechless(31), join(root, 'speechless'), folders)
    const model = offeredPrecisions()[0]?.name ?? ''
    const run = transcribeKnown(empty, { root: join(root, 'speechless-run'), model, together: 1 })
    await expect(run).rejects.toMatchObject({ code: 'NO_SPEECH' })
  })
})
