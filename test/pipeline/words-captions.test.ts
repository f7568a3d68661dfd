/** Captions to timed words on real media: generated here, and the aligned recordings of ../shared where they are. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Value } from '@sinclair/typebox/value'
import { Transcript } from '../../server/contract/transcript.ts'
import { runCaptions } from '../../workers/stages/captions/stage.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'
import { wavOf } from '../support/wav.ts'

const SHARED = join(import.meta.dirname, '..', '..', '..', 'shared', 'media')
const { ffmpeg } = bundledTools()
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-words-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const SPANS: readonly (readonly [number, number])[] = [
  [1.1, 1.5],
  [1.6, 1.9],
  [2.9, 3.4],
  [5.0, 5.5],
  [5.6, 6.2],
]
const SRT =
  '1\n00:00:01,000 --> 00:00:03,500\n<font color="red">Hello there.</font> Friends\n\n2\n00:00:04,900 --> 00:00:06,300\n[music] Good morning!\n'

/** A folder as the audio stage leaves it, with a tone burst per word. */
async function audioArtefact(name: string): Promise<{ folder: string; result: unknown }> {
  const folder = join(root, name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'speech.wav'), wavOf(SPANS, 8))
  return { folder, result: { speechFile: 'speech.wav', silent: false } }
}

function movie(name: string, captions: string, codec: string): string {
  const input = join(root, `${name}.src`)
  const output = join(root, name)
  execFileSync('sh', ['-c', 'cat > "$0"', input], { input: captions })
  const caption = codec === 'copy' ? 'webvtt' : codec === 'ass' ? 'ass' : 'srt'
  execFileSync(ffmpeg, [
    '-v',
    'error',
    '-y',
    '-f',
    'lavfi',
    '-i',
    'color=s=64x36:r=5:d=8',
    '-f',
    caption,
    '-i',
    input,
    '-map',
    '0:v',
    '-map',
    '1:0',
    '-c:v',
    'libx264',
    '-c:s',
    codec,
    '-metadata:s:s:0',
    'language=eng',
    output,
  ])
  return output
}

async function wordsOf(folder: string): Promise<Transcript> {
  const transcript: unknown = JSON.parse(await readFile(join(folder, 'transcript.json'), 'utf8'))
  expect([...Value.Errors(Transcript, transcript)]).toEqual([])
  return transcript as Transcript
}

describe('captions stage', () => {
  it('reads a mov_text track of an mp4 and times its words by the sound', async () => {
    const sound = await audioArtefact('audio-mp4')
    const run = await runStageForTest(
      runCaptions,
      { track: { kind: 'embedded', streamIndex: 1, language: 'eng' }, durationSeconds: 8 },
      {
        root: join(root, 'mp4'),
        inputs: { source: movie('a.mp4', SRT, 'mov_text'), audio: sound.folder },
        results: { audio: sound.result },
      },
    )
    expect(run.output).toMatchObject({ wordCount: 5, language: 'en' })
    const { words, origin } = await wordsOf(run.folder)
    expect(origin).toBe('embedded-captions')
    expect(words.map((word) => word.word)).toEqual(['Hello', 'there.', 'Friends', 'Good', 'morning!'])
    words.forEach((word, index) =>
      expect(Math.abs(word.start - (SPANS[index]?.[0] ?? 0)), word.word).toBeLessThan(0.12),
    )
    expect(words.map((word) => word.endsCue ?? false)).toEqual([false, false, true, false, true])
    expect(run.progress.at(-1)).toBe(1)
  })

  it('keeps the voices of a WebVTT track of a Matroska file', async () => {
    const vtt =
      'WEBVTT\n\n00:01.000 --> 00:03.500\n<v Maya Lind>Hello there. Friends\n\n00:04.900 --> 00:06.300\n<v Ruben>Good morning!\n'
    const sound = await audioArtefact('audio-mkv')
    const run = await runStageForTest(
      runCaptions,
      { track: { kind: 'embedded', streamIndex: 1, language: 'und' }, durationSeconds: 8 },
      {
        root: join(root, 'mkv'),
        inputs: { source: movie('a.mkv', vtt, 'copy'), audio: sound.folder },
        results: { audio: sound.result },
      },
    )
    const { words, speakers } = await wordsOf(run.folder)
    expect(speakers).toEqual(['Maya Lind', 'Ruben'])
    expect(words.map((word) => word.speaker)).toEqual([0, 0, 0, 1, 1])
  })

  it('reads the dialogue of an ASS track, not its drawings and signs', async () => {
    const line = (from: string, to: string, style: string, text: string) =>
      `Dialogue: 0,0:00:0${from},0:00:0${to},${style},,0,0,0,,${text}\n`
    const ass = [
      '[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name\nStyle: Default\n\n[Events]\n',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n',
      line('1.00', '3.50', 'Default', 'Hello there.\\NFriends'),
      line('1.00', '3.50', 'Sign', '{\\p1}m 0 0 l 100 0 100 100{\\p0}'),
      line('1.00', '3.50', 'Sign', '{\\pos(3,4)}NO PARKING'),
      line('4.90', '6.30', 'Default', '{\\i1}Good{\\i0} morning!'),
    ].join('')
    const sound = await audioArtefact('audio-ass')
    const run = await runStageForTest(
      runCaptions,
      { track: { kind: 'embedded', streamIndex: 1, language: 'eng' }, durationSeconds: 8 },
      {
        root: join(root, 'ass'),
        inputs: { source: movie('ass.mkv', ass, 'ass'), audio: sound.folder },
        results: { audio: sound.result },
      },
    )
    const { words } = await wordsOf(run.folder)
    expect(words.map((word) => word.word)).toEqual(['Hello', 'there.', 'Friends', 'Good', 'morning!'])
  })

  it('reads a sidecar, warns when there is no sound to time by, and refuses files without captions', async () => {
    const ingest = join(root, 'ingest')
    await mkdir(ingest)
    await writeFile(join(ingest, 'de.srt'), SRT)
    await writeFile(join(ingest, 'bad.srt'), '<html>sign in</html>')
    await writeFile(join(ingest, 'music.srt'), '1\n00:00:01,000 --> 00:00:02,000\n♪ la ♪\n')
    const track = (file: string) => ({
      kind: 'sidecar' as const,
      file,
      format: 'srt' as const,
      language: 'de',
    })
    const run = await runStageForTest(
      runCaptions,
      { track: track('de.srt'), durationSeconds: 8 },
      { root: join(root, 's1'), inputs: { ingest } },
    )
    expect(run.output.language).toBe('de')
    expect(run.warnings.join()).toContain('no sound')
    for (const [file, reason] of [
      ['bad.srt', 'captions-unreadable'],
      ['music.srt', 'captions-empty'],
    ] as const) {
      await expect(
        runStageForTest(
          runCaptions,
          { track: track(file), durationSeconds: 8 },
          { root: join(root, file), inputs: { ingest } },
        ),
      ).rejects.toMatchObject({ code: 'NO_SPEECH', details: { reason } })
    }
  })
})

interface TrueWord {
  word: string
  start: number
  end: number
  pauseAfter: number
}

function truth(file: string): TrueWord[] {
  const words: TrueWord[] = []
  for (const line of readFileSync(join(SHARED, file), 'utf8').split('\n')) {
    const [name = '', from, to] = line.trim().split(/\s+/)
    if (to === undefined || !Number.isFinite(Number(from))) continue
    const last = words.at(-1)
    if (/^[<[]/.test(name)) {
      if (last !== undefined) last.pauseAfter = Number(to) + 0.01 - Number(from)
    } else
      words.push({
        word: name.replace(/\(\d+\)$/, ''),
        start: Number(from),
        end: Number(to) + 0.01,
        pauseAfter: 0,
      })
  }
  return words
}

const stamp = (seconds: number): string => {
  const ms = Math.round(seconds * 1000)
  const two = (n: number): string => String(Math.floor(n)).padStart(2, '0')
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)},${String(ms % 1000).padStart(3, '0')}`
}

const quantile = (values: number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Infinity

describe.skipIf(!existsSync(SHARED))('word timing on aligned speech', () => {
  it.each([
    ['flite_rms_gettysburg', 'wav', 0.04, 0.16],
    ['flite_slt_alice', 'wav', 0.04, 0.16],
    // The reference alignment of this old noisy recording is itself coarse.
    ['jfk', 'flac', 0.12, 0.5],
  ])('%s: words sit near the truth, far nearer than spread evenly', async (name, extension, median, late) => {
    const folder = join(root, `aligned-${name}`)
    await mkdir(folder)
    await copyFile(join(SHARED, `${name}.${extension}`), join(folder, `in.${extension}`))
    execFileSync(ffmpeg, [
      '-v',
      'error',
      '-y',
      '-i',
      join(folder, `in.${extension}`),
      '-ac',
      '1',
      '-ar',
      '16000',
      '-c:a',
      'pcm_s16le',
      join(folder, 'speech.wav'),
    ])
    const cues: TrueWord[][] = [[]]
    for (const word of truth(`${name}.align.txt`)) {
      cues.at(-1)?.push(word)
      if (word.pauseAfter > 0.2 || (cues.at(-1)?.length ?? 0) >= 14) cues.push([])
    }
    const spoken = cues.filter((cue) => cue.length > 0)
    // Captions are a little early and late: the edges are moved by up to 0.1 s, the same in every run.
    const spans = spoken.map(
      (cue, index) =>
        [
          Math.max(0, (cue[0]?.start ?? 0) + (((index * 37) % 21) - 10) / 100),
          (cue.at(-1)?.end ?? 0) + (((index * 53) % 21) - 10) / 100,
        ] as const,
    )
    const srt = spoken
      .map(
        (cue, index) =>
          `${index + 1}\n${stamp(spans[index]?.[0] ?? 0)} --> ${stamp(spans[index]?.[1] ?? 0)}\n${cue.map((word) => word.word).join(' ')}\n`,
      )
      .join('\n')
    await writeFile(join(folder, 'c.srt'), srt)
    const run = await runStageForTest(
      runCaptions,
      { track: { kind: 'sidecar', file: 'c.srt', format: 'srt', language: 'en' }, durationSeconds: 60 },
      {
        root: join(root, `run-${name}`),
        inputs: { ingest: folder, audio: folder },
        results: { audio: { speechFile: 'speech.wav', silent: false } },
      },
    )
    const { words } = await wordsOf(run.folder)
    const wanted = spoken.flat()
    expect(words).toHaveLength(wanted.length)
    const errors = words.map((word, index) => Math.abs(word.start - (wanted[index]?.start ?? 0)))
    const even = spoken.flatMap((cue, index) =>
      cue.map((word, at) =>
        Math.abs(
          (spans[index]?.[0] ?? 0) +
            (((spans[index]?.[1] ?? 0) - (spans[index]?.[0] ?? 0)) * at) / cue.length -
            word.start,
        ),
      ),
    )
    console.log(
      `word starts, ${name}: median ${quantile(errors, 0.5).toFixed(3)} s, 95th ${quantile(errors, 0.95).toFixed(3)} s (spread evenly: ${quantile(even, 0.5).toFixed(3)}, ${quantile(even, 0.95).toFixed(3)})`,
    )
    expect(quantile(errors, 0.5)).toBeLessThan(median)
    expect(quantile(errors, 0.95)).toBeLessThan(late)
    expect(quantile(errors, 0.5)).toBeLessThan(0.7 * quantile(even, 0.5))
  })
})
if (!existsSync(SHARED)) console.log('word timing on aligned speech skipped: ../shared/media is not here')
