import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAudio } from '../../workers/stages/audio/stage.ts'
import { runPeaks } from '../../workers/stages/peaks/stage.ts'
import { h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { runStageForTest } from '../support/stage-harness.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-audio-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function listen(source: string, streamIndex = 0, durationSeconds = 4) {
  const result = await runStageForTest(
    runAudio,
    { streamIndex, durationSeconds },
    { inputs: { source }, root: folder },
  )
  const wav = await readFile(join(result.folder, result.output.speechFile))
  const raw = await readFile(join(result.folder, result.output.envelopeFile))
  const envelope = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length))
  return { ...result, wav, envelope }
}

describe('the sound', () => {
  it('becomes 16 kHz mono with an envelope of 10 ms steps that ends where the sound ends', async () => {
    const path = await makeMedia(folder, 'tone.wav', [
      ...tone(4),
      '-af',
      "volume='if(lt(t,2),0.5,0.02)':eval=frame",
    ])
    const { output, wav, envelope, progress } = await listen(path)
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(24), wav.readUInt16LE(22)]).toEqual([
      'RIFF',
      16_000,
      1,
    ])
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44)
    expect(output.durationSeconds).toBeCloseTo(4, 2)
    expect(Math.abs(envelope.length - 400)).toBeLessThanOrEqual(2)
    // The generator's sine has an eighth of full scale: 20 log10(0.125 * 0.5 / sqrt 2).
    expect(envelope[100]).toBeCloseTo(-27.1, 0)
    expect(envelope[300]).toBeCloseTo(-55.1, 0)
    expect(output).toMatchObject({ silent: false })
    expect(output.speechLevelDb).toBeCloseTo(-27, 0)
    expect(output.noiseLevelDb).toBeCloseTo(-55, 0)
    expect(progress.at(-1)).toBeGreaterThan(0.9)
  })

  it('keeps time 0 and gaps: late sound starts late', async () => {
    const path = await makeMedia(folder, 'late.mkv', [
      ...picture(4, '64x48'),
      '-itsoffset',
      '1.5',
      ...tone(1),
      ...h264(),
    ])
    const { envelope } = await listen(path, 1)
    const first = envelope.findIndex((db) => db > -50)
    expect(Math.abs(first - 150)).toBeLessThanOrEqual(4)
  })

  it('is called silent when there is nothing in it', async () => {
    const path = await makeMedia(folder, 'silence.wav', ['-f', 'lavfi', '-i', 'anullsrc=r=48000', '-t', '1'])
    expect((await listen(path)).output).toMatchObject({ silent: true, noiseLevelDb: -100 })
  })

  it('is where a seek finds it, after a gap in a transport stream too, and a clock that steps back is reported', async () => {
    const part = (name: string, offset: number) =>
      makeMedia(folder, name, [...tone(3), '-c:a', 'aac', '-output_ts_offset', String(offset)])
    const whole = async (name: string, second: number) => {
      const parts = [await part('one.ts', 0), await part('two.ts', second)]
      const path = join(folder, name)
      await writeFile(path, Buffer.concat(await Promise.all(parts.map((one) => readFile(one)))))
      return listen(path, 0, second + 3)
    }
    const gap = await whole('gap.ts', 20)
    expect(gap.output.durationSeconds).toBeCloseTo(23, 0)
    expect(gap.warnings).toEqual([])
    const heard = [1, 2, 5, 12, 18, 21, 22].map((second) => (gap.envelope[second * 100] ?? 0) > -50)
    expect(heard).toEqual([true, true, false, false, false, true, true])
    const back = await whole('back.ts', 0)
    expect(back.warnings).toEqual([
      expect.stringMatching(/steps back: it has 6 seconds .* end at 3/) as string,
    ])
  })

  it('is drawn as peaks in the .dat form', async () => {
    const path = await makeMedia(folder, 'swell.wav', [
      ...tone(2),
      '-af',
      "volume='if(lt(t,1),8,0)':eval=frame",
    ])
    const made = await listen(path)
    const { output, folder: at } = await runStageForTest(
      runPeaks,
      { samplesPerPeak: 320 },
      { inputs: { audio: made.folder }, results: { audio: made.output }, root: folder },
    )
    const dat = await readFile(join(at, output.file))
    const header = [0, 4, 8, 12, 16, 20].map((offset) => dat.readInt32LE(offset))
    expect(header).toEqual([2, 1, 16_000, 320, output.length, 1])
    expect([output.length, dat.length]).toEqual([100, 24 + 200])
    // Full scale in the first second, nothing in the second.
    expect(dat.readInt8(24 + 2 * 20)).toBeLessThan(-100)
    expect(dat.readInt8(24 + 2 * 20 + 1)).toBeGreaterThan(100)
    expect([dat.readInt8(24 + 2 * 80), dat.readInt8(24 + 2 * 80 + 1)]).toEqual([0, 0])
  })
})
