/**
 * Sounds for render tests: files stored as fetch-asset stores them, a clip's sound without its picture, and measures.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Composition, SoundAsset, SoundTrack } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { audioChains, type AudioGain } from '../../workers/media/arguments/render-audio.ts'
import { trackInputs } from '../../workers/media/arguments/render-music.ts'
import { planTime } from '../../workers/media/arguments/render-time.ts'
import { runTool } from '../../workers/media/run-tool.ts'
import { sourcePath } from '../../workers/paths.ts'
import { bundledTools } from './stage-harness.ts'

export const HERTZ = 48_000
const { ffmpeg } = bundledTools()

async function bytesOf(args: readonly string[]): Promise<Buffer> {
  const run = await runTool({ executable: ffmpeg, args: ['-v', 'error', '-y', ...args], timeoutSeconds: 60 })
  return run.stdout
}

/**
 * A stereo sound written as an `aevalsrc` expression, stored under `root`'s sources by its digest. `lufs` is the
 * declared loudness of the asset.
 */
export async function keepSound(
  root: string,
  sound: { readonly expression: string; readonly seconds: number; readonly lufs: number | null },
): Promise<SoundAsset> {
  const sources = join(root, 'sources')
  await mkdir(sources, { recursive: true })
  const file = join(sources, `sound-${Math.random()}.wav`)
  const from = `aevalsrc=exprs='${sound.expression}|${sound.expression}':s=${HERTZ}:d=${sound.seconds}`
  await bytesOf(['-f', 'lavfi', '-i', from, '-c:a', 'pcm_f32le', file])
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  const kept = sourcePath(sources, digest)
  await mkdir(dirname(kept), { recursive: true })
  await rename(file, kept)
  return { digest, audioStream: 0, duration: secondsToTicks(sound.seconds), integratedLufs: sound.lufs }
}

/** A track over the whole of a clip, neither lowered nor faded, at the level of the speech. */
export function trackOf(asset: SoundAsset, over: Partial<SoundTrack> = {}): SoundTrack {
  return {
    id: 'music',
    asset,
    sourceStart: 0,
    startFrame: 0,
    endFrame: 1_000_000,
    loop: false,
    levelDb: 0,
    duckDb: 0,
    fadeInMs: 0,
    fadeOutMs: 0,
    ...over,
  }
}

/** What would be encoded: left and right in turn, 48 kHz, as the filter graph gives them. `source` is a file of sound. */
export async function mixOf(
  composition: Composition,
  root: string,
  source: string | null,
  gain: AudioGain | null = null,
): Promise<Float32Array> {
  const plan = planTime(composition)
  const windows = source === null ? [] : plan.windows
  const files = (composition.audio.tracks ?? []).map(({ asset }) =>
    sourcePath(join(root, 'sources'), asset.digest),
  )
  const parts = { tones: true, firstTrack: files.length === 0 ? null : windows.length }
  const bytes = await bytesOf([
    ...windows.flatMap(({ seekMicroseconds, lengthSeconds }) => [
      '-ss',
      String(seekMicroseconds / 1e6),
      '-t',
      String(lengthSeconds),
      '-i',
      source ?? '',
    ]),
    ...trackInputs(composition, files),
    '-filter_complex',
    audioChains(composition, plan, gain, 'audio', parts).join(';'),
    '-map',
    '[audio]',
    '-c:a',
    'pcm_f32le',
    '-f',
    'f32le',
    '-',
  ])
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

/** The left channel of a file's sound. Mixing both down to one would change the level. */
export async function leftOf(file: string): Promise<Float32Array> {
  const left = ['-filter_complex', `[0:a]aresample=${HERTZ},pan=mono|c0=c0[left]`, '-map', '[left]']
  const bytes = await bytesOf(['-i', file, ...left, '-f', 'f32le', '-'])
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

/** One channel of samples that come left and right in turn. */
export function channel(samples: Float32Array, side: 0 | 1 = 0): Float32Array {
  return Float32Array.from({ length: samples.length >> 1 }, (_, index) => samples[2 * index + side] ?? 0)
}

/** Level of one frequency between two seconds, dB: 0 for a sine of full scale. */
export function toneLevel(samples: Float32Array, hertz: number, from: number, to: number): number {
  const first = Math.round(from * HERTZ)
  const last = Math.round(to * HERTZ)
  let real = 0
  let imaginary = 0
  let weight = 0
  for (let at = first; at < last; at++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (at - first)) / (last - first))
    const value = (samples[at] ?? 0) * window
    real += value * Math.cos((2 * Math.PI * hertz * at) / HERTZ)
    imaginary += value * Math.sin((2 * Math.PI * hertz * at) / HERTZ)
    weight += window
  }
  return 20 * Math.log10((2 * Math.hypot(real, imaginary)) / weight + 1e-9)
}

/** The largest second difference between two samples of a clip: a corner in the wave, which is what a click is. */
export function sharpest(samples: Float32Array, from: number, to: number): number {
  let largest = 0
  for (let at = Math.max(2, from); at < Math.min(samples.length, to); at++) {
    const corner = (samples[at] ?? 0) - 2 * (samples[at - 1] ?? 0) + (samples[at - 2] ?? 0)
    largest = Math.max(largest, Math.abs(corner))
  }
  return largest
}
