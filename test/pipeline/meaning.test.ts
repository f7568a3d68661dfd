/** Prompts followed by what is meant: a real ONNX model (a tiny one made here) in the real stage. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { listInstalledModels } from '../../models/installed.ts'
import { verifyInstalled } from '../../models/verify.ts'
import { loadTextEmbedder } from '../../workers/inference/text-embedder.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'
import { makeTinyEmbedder } from '../support/tiny-embedder.ts'
import { PLAIN_SETTINGS } from '../support/topics.ts'

let root: string
let models: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-meaning-'))
  models = await makeTinyEmbedder(join(root, 'models'), [
    ['astronomy', 'comets', 'telescope', 'orbit'],
    ['cheese', 'rind', 'cellar', 'curd'],
  ])
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Four-second sentences of nine words; the subjects at their places, everything else about a bench. */
const SUBJECTS: Readonly<Record<number, string>> = {
  5: 'The comets crossed the telescope in a wide orbit.',
  6: 'Every orbit bends when two comets meet near dawn.',
  14: 'Old cellar shelves gave the rind a deep colour.',
  15: 'The curd slept below until its rind turned grey.',
}
const words: TranscriptWord[] = Array.from({ length: 20 }, (_, place) =>
  (SUBJECTS[place] ?? 'The garden has a bench near the old wall.').split(' ').map((word, index) => {
    const start = 1 + place * 4 + index * 0.3
    return { word, start, end: start + 0.28 }
  }),
).flat()

async function find(change: Partial<FindClipsSettings>, modelFolders: readonly string[]) {
  const folder = join(root, 'transcript')
  await mkdir(folder, { recursive: true })
  const transcript = { origin: 'sidecar-captions', language: 'en', detail: '', words }
  await writeFile(join(folder, 't.json'), JSON.stringify(transcript))
  return runStageForTest(
    runFindClips,
    { settings: { ...PLAIN_SETTINGS, minLength: 6, maxLength: 14, ...change }, durationSeconds: 82 },
    {
      root: await mkdtemp(join(root, 'run-')),
      modelFolders,
      inputs: { transcript: folder },
      results: { transcript: { transcriptFile: 't.json' } },
    },
  )
}

describe('a model of meaning', () => {
  it('is found in a manually installed folder, and verified', async () => {
    const [model] = await listInstalledModels([models])
    expect(model).toMatchObject({ name: 'tiny-test', task: 'text-embedding', dtype: { model: 'fp32' } })
    if (model !== undefined) expect(await verifyInstalled(model)).toEqual({ ok: true, problem: null })
  })

  it('gives each text its vector of length 1, whatever the batch that it was in', async () => {
    const [model] = await listInstalledModels([models])
    if (model === undefined) throw new Error('no model')
    const embedder = await loadTextEmbedder(model, { warn: () => undefined })
    const texts = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? 'comets' : `cheese and ${'rind '.repeat(index)}`,
    )
    const done: number[] = []
    const vectors = await embedder.embed(texts, new AbortController().signal, (count) => done.push(count))
    expect(done.at(-1)).toBe(40)
    vectors.forEach((vector, index) => {
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
      const [sky = 0, cheese = 0] = vector
      expect(sky > 0.9).toBe(index % 2 === 0)
      expect(cheese > 0.3).toBe(index % 2 === 1)
    })
    const cancelled = AbortSignal.abort('cancel')
    await expect(embedder.embed(texts, cancelled)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('steers the choice to meanings that are never spoken literally, and reports it', async () => {
    for (const [prompt, said] of [
      ['Find the moments about astronomy.', /comets/],
      ['Find the moments about cheese.', /rind/],
    ] as const) {
      const { output, warnings } = await find({ prompt }, [models])
      expect(output.candidates[0]?.text).toMatch(said)
      expect(output.candidates[0]?.whyPicked).toMatch(/^Comes close to "(astronomy|cheese)\.?" as asked/)
      expect(output.model).toBe('tiny-test')
      expect(warnings.join()).not.toContain('Nothing that is said matches')
      // Without the model the words are not found, and the run reports what would help.
      const blind = await find({ prompt }, [])
      expect(blind.output.model).toBeUndefined()
      expect(blind.warnings.join()).toMatch(
        /Nothing that is said matches .*cutroom models install multilingual-minilm/,
      )
    }
  })

  it('avoids what is not wanted, and without a prompt reads only where topics change', async () => {
    const wanted = { promptAdjustment: 'about astronomy, but avoid cheese', maxClips: 6 }
    const { output } = await find(wanted, [models])
    expect(output.candidates[0]?.text).toMatch(/comets/)
    expect(output.candidates.at(-1)?.text ?? '').not.toMatch(/rind/)
    const plain = await find({ maxClips: 3 }, [models])
    const blind = await find({ maxClips: 3 }, [])
    expect(plain.output.candidates).toHaveLength(blind.output.candidates.length)
    expect([...plain.warnings, ...blind.warnings]).toEqual([])
    expect([plain.output.model, blind.output.model]).toEqual(['tiny-test', undefined])
  })

  it('that does not load is named, and the words are followed alone', async () => {
    const broken = join(root, 'broken')
    await makeTinyEmbedder(broken, [['astronomy']], 'torn')
    await writeFile(join(broken, 'embedding', 'torn', 'onnx', 'model.onnx'), Buffer.from([8, 8, 0, 1, 2]))
    const { output, warnings } = await find({ prompt: 'comets' }, [broken])
    expect(output.candidates[0]?.text).toMatch(/comets/)
    expect(output.model).toBeUndefined()
    expect(warnings.join()).toMatch(/chosen by words alone: the model torn.*cutroom models verify torn/)
  })
})
