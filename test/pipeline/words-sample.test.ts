/** The bundled talk: its captions timed by its sound, and the three moments that its script was written for. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Transcript } from '../../server/contract/transcript.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { runFindClips } from '../../workers/stages/find-clips/stage.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'

const SAMPLE = join(import.meta.dirname, '..', '..', 'resources', 'sample')
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-sample-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

interface SaidWord {
  readonly word: string
  readonly start: number
}

describe('the sample talk', () => {
  it('gets its word times from the sound, and its three written moments whole in its three best clips', async () => {
    const inputs = { ingest: join(root, 'in'), audio: join(root, 'in') }
    await mkdir(inputs.audio)
    await copyFile(join(SAMPLE, 'sample.srt'), join(inputs.ingest, 'en.srt'))
    const wav = join(inputs.audio, 'speech.wav')
    const decode = [
      '-v',
      'error',
      '-i',
      join(SAMPLE, 'sample.mp4'),
      '-ac',
      '1',
      '-ar',
      '16000',
      '-c:a',
      'pcm_s16le',
      wav,
    ]
    execFileSync(bundledTools().ffmpeg, decode)
    const track = { kind: 'sidecar' as const, file: 'en.srt', format: 'srt' as const, language: 'en' }
    const captions = await runStageForTest(
      runCaptions,
      { track, durationSeconds: 244.8 },
      {
        root: join(root, 'captions'),
        inputs,
        results: { audio: { speechFile: 'speech.wav', silent: false } },
      },
    )
    const transcript = JSON.parse(
      await readFile(join(captions.folder, 'transcript.json'), 'utf8'),
    ) as Transcript
    const said = JSON.parse(await readFile(join(SAMPLE, 'words.json'), 'utf8')) as SaidWord[]
    expect(transcript.words.map((word) => word.word)).toEqual(said.map((word) => word.word))
    const errors = transcript.words
      .map((word, index) => Math.abs(word.start - (said[index]?.start ?? 0)))
      .sort((a, b) => a - b)
    const median = errors[errors.length >> 1] ?? 9
    const late = errors[Math.floor(errors.length * 0.95)] ?? 9
    console.log(`word starts, sample: median ${median.toFixed(3)} s, 95th ${late.toFixed(3)} s`)
    expect(median).toBeLessThan(0.03)
    expect(late).toBeLessThan(0.15)

    const settings = {
      minLength: 20,
      maxLength: 60,
      prompt: '',
      promptAdjustment: '',
      keywords: [],
      pinned: [],
      pinnedOnly: false,
      pinnedMode: 'ranges' as const,
      maxClips: 10,
      wholeSource: false,
    }
    const found = await runStageForTest(
      runFindClips,
      { settings, durationSeconds: 244.8 },
      {
        root: join(root, 'find'),
        inputs: { transcript: captions.folder },
        results: { transcript: captions.output },
      },
    )
    const best = found.output.candidates.slice(0, 3).sort((a, b) => a.start - b.start)
    // Each whole, from its first words to its last line; a clip may hold its set-up and a reply after it too.
    const moments = [
      /Here is the number.* twelve minute job\./,
      /Tell me about the .* stays late\./,
      /So what do you tel.* never whisper\./,
    ]
    best.forEach((clip, index) => expect(clip.text).toMatch(moments[index] ?? /^$/))
    // None begins with housekeeping; a sentence of it may follow a moment, because losing a pay-off is the greater fault.
    const housekeeping = /^.{0,80}(newsletter|parking|microphone|my notes|lighthouse)/
    expect(found.output.candidates.some((clip) => housekeeping.test(clip.text))).toBe(false)
    for (const clip of found.output.candidates) {
      expect(clip.startBoundary.sentenceEdge && clip.endBoundary.sentenceEdge).toBe(true)
      expect(Math.min(clip.startBoundary.pauseSeconds, clip.endBoundary.pauseSeconds)).toBeGreaterThan(0.15)
    }
  })
})
