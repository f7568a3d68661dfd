/** From a transcript to clips and to their transcript files, by the real stage handlers on real files. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import { STAGES } from '../../workers/stages/catalog.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { runTranscriptFile } from '../../workers/stages/transcript-file/stage.ts'
import { runStageForTest } from '../support/stage-harness.ts'

let root: string
let transcript: string
const settings: FindClipsSettings = {
  minLength: 4,
  maxLength: 20,
  prompt: '',
  promptAdjustment: '',
  keywords: [],
  pinned: [],
  pinnedOnly: false,
  pinnedMode: 'ranges',
  maxClips: 2,
  wholeSource: false,
}
const TEXT =
  'Why do small shops close? Because nobody counts. We counted for a week. Nine bikes out of ten were fine. That is why we are still open.'
const words = TEXT.split(' ').map((word, index) => ({
  word,
  start: 1 + index * 0.6,
  end: 1.4 + index * 0.6,
  speaker: index < 5 ? 0 : 1,
}))

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-clips-'))
  transcript = join(root, 'transcript')
  await mkdir(transcript)
  const value = {
    origin: 'sidecar-captions',
    language: 'en',
    detail: 'test',
    speakers: ['Maya', 'Ruben'],
    words,
  }
  await writeFile(join(transcript, 'transcript.json'), JSON.stringify(value))
  await writeFile(
    join(transcript, 'result.json'),
    JSON.stringify({ output: { transcriptFile: 'transcript.json' } }),
  )
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe('find-clips stage', () => {
  it('gives candidates in the declared shape, with a reason for each', async () => {
    const run = await runStageForTest(
      runFindClips,
      { settings, durationSeconds: 20 },
      { root: join(root, 'a'), inputs: { transcript } },
    )
    expect([...Value.Errors(STAGES['find-clips'].output, run.output)]).toEqual([])
    expect(run.output.candidates.length).toBeGreaterThan(0)
    expect(run.output.candidates[0]?.whyPicked).toMatch(/\w.*[.!?]$/)
    expect(run.output.candidates[0]?.people).toContain('Ruben')
  })

  it('distinguishes a video that is too short from one without speech', async () => {
    const options = { root: join(root, 'b'), inputs: { transcript } }
    await expect(
      runStageForTest(runFindClips, { settings, durationSeconds: 3 }, options),
    ).rejects.toMatchObject({ code: 'VIDEO_TOO_SHORT' })
    await expect(
      runStageForTest(runFindClips, { settings, durationSeconds: 30 }, { root: join(root, 'c') }),
    ).rejects.toMatchObject({ code: 'NO_SPEECH' })
    const whole = { ...settings, wholeSource: true }
    const run = await runStageForTest(
      runFindClips,
      { settings: whole, durationSeconds: 3 },
      { root: join(root, 'd') },
    )
    expect(run.output.candidates).toHaveLength(1)
  })
})

describe('transcript-file stage', () => {
  it('writes the clip’s words with the padding, timed from the extended start, and a digest of them', async () => {
    const params = { extendedStart: 3.5, extendedEnd: 12, played: [{ start: 5, end: 10 }] }
    const inputs = { transcript }
    const run = await runStageForTest(runTranscriptFile, params, { root: join(root, 'e'), inputs })
    expect([...Value.Errors(STAGES['transcript-file'].output, run.output)]).toEqual([])
    const file = JSON.parse(await readFile(join(run.folder, run.output.jsonFile), 'utf8')) as {
      language: string
      words: { word: string; start: number; end: number; visible: boolean }[]
    }
    expect(file.language).toBe('en')
    expect(file.words[0]).toEqual({ word: 'close?', start: 0, end: 0.3, speaker: 0, visible: false })
    expect(file.words.filter((word) => word.visible).length).toBeGreaterThan(5)
    expect(file.words.at(-1)?.end).toBeLessThanOrEqual(8.5)
    expect(await readFile(join(run.folder, run.output.vttFile), 'utf8')).toMatch(
      /^WEBVTT\nLanguage: en\n\n1\n00:00:00.000 --> .*\n<v Maya>close\?/,
    )
    expect(await readFile(join(run.folder, run.output.srtFile), 'utf8')).toContain('Because nobody counts.')
    const again = await runStageForTest(runTranscriptFile, params, { root: join(root, 'f'), inputs })
    expect(again.output.digest).toBe(run.output.digest)
    const other = await runStageForTest(
      runTranscriptFile,
      { ...params, played: [{ start: 5, end: 9 }] },
      { root: join(root, 'g'), inputs },
    )
    expect(other.output.digest).not.toBe(run.output.digest)
  })
})
