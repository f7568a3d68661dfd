import { copyFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../server/contract/errors.ts'
import { SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../../server/contract/time.ts'
import { Value } from '@sinclair/typebox/value'
import type * as runTool from '../../workers/media/run-tool.ts'
import { decodes } from '../../workers/stages/probe/look.ts'
import { runProbe } from '../../workers/stages/probe/stage.ts'
import { ask, grey, h264, makeMedia, picture, tone } from '../support/make-media.ts'
import { bundledTools, runStageForTest } from '../support/stage-harness.ts'

/** The next runs of ffmpeg that fail, and how many there were: a program of ours could not count, as it may write nowhere. */
const ffmpeg = vi.hoisted(() => ({ failing: 0, calls: 0 }))
vi.mock('../../workers/media/run-tool.ts', async (load) => {
  const real = await load<typeof runTool>()
  const runFfmpeg: typeof real.runFfmpeg = (...given) => {
    ffmpeg.calls++
    const fails = ffmpeg.failing-- > 0
    return fails ? Promise.reject(new AppError('STAGE_FAILED')) : real.runFfmpeg(...given)
  }
  return { ...real, runFfmpeg }
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-probe-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function probe(path: string) {
  const { output, warnings } = await runStageForTest(runProbe, {}, { inputs: { source: path }, root: folder })
  expect(Value.Check(SourceFacts, output)).toBe(true)
  expect(warnings).toEqual(output.warnings)
  return output
}

describe('facts of good files', () => {
  it('reads picture, sound, captions and chapters of an MP4', async () => {
    await writeFile(join(folder, 'c.srt'), '1\n00:00:00,500 --> 00:00:02,000\nHello\n')
    await writeFile(
      join(folder, 'c.txt'),
      ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=One\n',
    )
    const path = await makeMedia(folder, 'all.mp4', [
      ...picture(3, '640x360', '30000/1001'),
      ...tone(3),
      '-i',
      join(folder, 'c.srt'),
      '-i',
      join(folder, 'c.txt'),
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-map_metadata',
      '3',
      ...h264(),
      '-c:s',
      'mov_text',
      '-metadata:s:s:0',
      'language=eng',
    ])
    const facts = await probe(path)
    expect(facts).toMatchObject({
      container: 'mp4',
      audioStreams: 1,
      bytes: (await stat(path)).size,
      warnings: [],
    })
    expect(facts.video).toMatchObject({
      codec: 'h264',
      width: 640,
      height: 360,
      rotation: 0,
      variableFrameRate: false,
    })
    expect(facts.video?.frameRate).toEqual({ numerator: 30_000, denominator: 1001 })
    expect(facts.audio).toMatchObject({ codec: 'aac', sampleRate: 48_000, channels: 1, layout: 'mono' })
    expect(facts.captions).toMatchObject([{ codec: 'mov_text', language: 'eng' }])
    expect(facts.chapters).toMatchObject([{ start: 0, end: secondsToTicks(1.5), title: 'One' }])
    expect(ticksToSeconds(facts.duration)).toBeCloseTo(3, 0)
  })

  it('turns a phone video upright and widens odd pixels', async () => {
    const plain = await makeMedia(folder, 'plain.mp4', [...picture(1, '320x240'), ...h264()])
    // This ffmpeg writes the inverse matrix for the tag: 270 makes what a phone held upright writes.
    const turned = await makeMedia(folder, 'turned.mp4', [
      '-i',
      plain,
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=270',
    ])
    const wide = await makeMedia(folder, 'wide.mkv', ['-i', plain, '-vf', 'setsar=4/3', ...h264()])
    const upright = (await probe(turned)).video
    expect(upright).toMatchObject({
      rotation: 90,
      codedWidth: 320,
      codedHeight: 240,
      width: 240,
      height: 320,
    })
    expect(await grey(turned, [])).toEqual(await grey(plain, ['-vf', 'transpose=clock']))
    expect((await probe(wide)).video).toMatchObject({ width: 427, height: 240, rotation: 0 })
    expect((await probe(wide)).audio).toBeNull()
  })

  it('sees a variable frame rate and names the rate to conform to', async () => {
    const even = await makeMedia(folder, 'even.mkv', [...picture(4, '160x90', '30'), ...h264()])
    const uneven = await makeMedia(folder, 'uneven.mkv', [
      ...picture(4, '160x90', '30'),
      '-vf',
      "select='not(eq(mod(n,7),3))+0'",
      '-vsync',
      'vfr',
      ...h264(),
    ])
    expect((await probe(even)).video).toMatchObject({
      variableFrameRate: false,
      frameRate: { numerator: 30 },
    })
    const facts = (await probe(uneven)).video
    expect(facts?.variableFrameRate).toBe(true)
    expect(
      [24, 25, 30].includes(
        Math.round((facts?.frameRate.numerator ?? 0) / (facts?.frameRate.denominator ?? 1)),
      ),
    ).toBe(true)
  })

  it('counts time from the container’s start in a transport stream', async () => {
    const path = await makeMedia(folder, 'late.ts', [
      ...picture(2, '160x90'),
      ...tone(2),
      '-muxdelay',
      '3',
      '-output_ts_offset',
      '10',
      ...h264(),
    ])
    const facts = await probe(path)
    expect(ticksToSeconds(facts.duration)).toBeLessThan(3)
    expect(ticksToSeconds(facts.video?.startTime ?? -1)).toBeLessThan(0.5)
  })

  it('accepts sound alone, ignores cover pictures, and picks the default sound track', async () => {
    const cover = await makeMedia(folder, 'cover.png', [...picture(1), '-frames:v', '1'])
    const song = await makeMedia(folder, 'song.mp3', [
      ...tone(2),
      '-i',
      cover,
      '-map',
      '0',
      '-map',
      '1',
      '-c:v',
      'copy',
      '-b:a',
      '64k',
    ])
    expect(await probe(song)).toMatchObject({ video: null, audio: { codec: 'mp3' } })
    const two = await makeMedia(folder, 'two.mkv', [
      ...tone(1),
      ...tone(1, 880),
      '-map',
      '0',
      '-map',
      '1',
      '-c:a',
      'aac',
      '-disposition:a:0',
      '0',
      '-disposition:a:1',
      'default',
      '-metadata:s:a:1',
      'language=deu',
    ])
    expect(await probe(two)).toMatchObject({ audioStreams: 2, audio: { streamIndex: 1, language: 'deu' } })
  })
})

it.each([
  [8, expect.closeTo(8, 0), []],
  [70, undefined, [expect.stringMatching(/declares a sound track, but has no sound/)]],
])('a sound that begins %s seconds into a transport stream', async (begins, startTime, warnings) => {
  const path = await makeMedia(folder, `late-${begins}.ts`, [
    '-itsoffset',
    String(begins),
    ...tone(2),
    ...picture(begins + 2, '64x36', '5'),
    '-map',
    '1',
    '-map',
    '0',
    ...h264(),
    '-max_muxing_queue_size',
    '9999',
  ])
  const facts = await probe(path)
  expect(facts.audio === null ? undefined : ticksToSeconds(facts.audio.startTime)).toEqual(startTime)
  expect(facts.warnings).toEqual(warnings)
})

it.each([
  ['hushed.mp4', []],
  ['hushed.mkv', []],
  ['hushed.ts', []],
  // A recording that was written as it came states no length.
  ['hushed-live.mkv', ['-live', '1']],
])('reports where the sound of %s ends, long before its picture', async (name, more) => {
  const media = [...picture(60, '64x36', '5'), ...tone(20), ...h264(5)]
  const path = await makeMedia(folder, name, [...media, ...more, '-max_muxing_queue_size', '9999'])
  const { duration, warnings } = await probe(path)
  expect(ticksToSeconds(duration)).toBeCloseTo(60, 0)
  expect(warnings).toEqual([
    'The sound ends at 20 seconds and the picture at 60; after that nothing is heard.',
  ])
})

describe('a transport stream', () => {
  const part = async (name: string, offset: number): Promise<Buffer> => {
    const media = [...picture(8, '64x36', '5'), ...tone(8), ...h264(5)]
    return readFile(await makeMedia(folder, name, [...media, '-output_ts_offset', String(offset)]))
  }
  const warningsOf = async (name: string, ...parts: Buffer[]): Promise<readonly string[]> => {
    await writeFile(join(folder, name), Buffer.concat(parts))
    return (await probe(join(folder, name))).warnings
  }

  it('whose clock jumps ahead is reported, with a conversion that closes the gap', async () => {
    const parts = [await part('before.ts', 0), await part('after.ts', 7200)]
    expect(await warningsOf('jump.ts', ...parts)).toEqual([
      expect.stringMatching(
        /jumps ahead: after 8 seconds nothing comes for at least 6\d\d\d,.*ffmpeg -i FILE -c copy/,
      ),
    ])
    const mended = await makeMedia(folder, 'mended.mp4', ['-i', join(folder, 'jump.ts'), '-c', 'copy'])
    const facts = await probe(mended)
    expect(ticksToSeconds(facts.duration)).toBeCloseTo(16, 0)
    expect(facts.warnings).toEqual([])
  })

  it('whose sound ends long before its picture, or whose picture stands still, has no hole', async () => {
    const slides = [...picture(200, '64x36', '1/20'), ...tone(100), ...h264(1)]
    const path = await makeMedia(folder, 'slides.ts', [...slides, '-max_muxing_queue_size', '9999'])
    expect((await probe(path)).warnings.filter((said) => /jumps/.test(said))).toEqual([])
  })
})

describe('bad files', () => {
  const refused = async (path: string): Promise<string> => {
    const error: unknown = await probe(path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'SOURCE_NOT_VIDEO' })
    return (error as Error).message
  }

  it('are refused with the reason: empty, text, noise, no index, no track, a playlist', async () => {
    const write = async (name: string, content: string | Buffer): Promise<string> => {
      await writeFile(join(folder, name), content)
      return join(folder, name)
    }
    const good = await makeMedia(folder, 'good.mp4', [...picture(3), ...tone(3), ...h264()])
    const bytes = await readFile(good)
    expect(await refused(await write('none.mp4', ''))).toMatch(/empty/)
    expect(await refused(await write('talk.mp4', '1\n00:00:01,000 --> 00:00:02,000\nHi\n'))).toMatch(
      /subtitle/,
    )
    expect(await refused(await write('list.mp4', '#EXTM3U\n#EXTINF:1,\nhttp://10.0.0.1/a.ts\n'))).toMatch(
      /playlist/,
    )
    expect(await refused(await write('half.mp4', bytes.subarray(0, bytes.length / 2)))).toMatch(/cut off/)
    const noise = Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919) % 251))
    expect(await refused(await write('noise.bin', noise))).toMatch(/cannot be read/)
    await writeFile(join(folder, 'only.srt'), '1\n00:00:00,500 --> 00:00:02,000\nHello\n')
    const text = await makeMedia(folder, 'text.mkv', ['-i', join(folder, 'only.srt'), '-c:s', 'srt'])
    expect(await refused(text)).toMatch(/neither a picture nor sound/)
    // A whole index over bytes that are all zero: everything is promised and nothing decodes.
    const fast = await readFile(
      await makeMedia(folder, 'fast.mp4', ['-i', good, '-c', 'copy', '-movflags', '+faststart']),
    )
    const hollow = Buffer.from(fast)
    hollow.fill(0, hollow.indexOf('mdat') + 4)
    expect(await refused(await write('hollow.mp4', hollow))).toMatch(/damaged/)
  })

  it('refuses a file that ends in the middle, and reports how much of it is there', async () => {
    for (const [name, more] of [
      ['long.mp4', ['-movflags', '+faststart']],
      ['long.mkv', []],
    ] as const) {
      const whole = await makeMedia(folder, name, [...picture(40, '160x90'), ...tone(40), ...h264(), ...more])
      const cut = join(folder, `cut-${name}`)
      await copyFile(whole, cut)
      await truncate(cut, Math.round((await stat(whole)).size / 2))
      const said = await refused(cut)
      const [, promised, there] = /is (\d+) seconds long, and only the first (\d+)/.exec(said) ?? []
      expect(Number(promised)).toBe(40)
      expect(Number(there) > 12 && Number(there) < 28, said).toBe(true)
      expect((await probe(whole)).warnings).toEqual([])
    }
  })

  it('measures sound whose size does not determine its length, and still detects that half of it is missing', async () => {
    // Low level at first and loud later: the rate of the first moments is not that of the rest.
    const sound = [
      '-f',
      'lavfi',
      '-i',
      "aevalsrc=exprs='if(lt(t\\,20)\\,0\\,0.3*(random(0)-0.5))':s=44100:d=40",
    ]
    const mp3 = [...sound, '-c:a', 'libmp3lame', '-q:a', '4']
    const noise = "nullsrc=s=400x400:r=1:d=1,geq='random(1)*255:128:128'"
    const cover = ['-f', 'lavfi', '-i', noise, '-map', '0', '-map', '1', '-c:v', 'mjpeg', '-q:v', '3']
    for (const [name, args] of [
      [
        'covered.mp3',
        [...sound, ...cover, ...mp3.slice(sound.length), '-write_xing', '0', '-id3v2_version', '3'],
      ],
      ['guessed.mp3', [...mp3, '-write_xing', '0', '-id3v2_version', '0']],
      ['guessed.aac', [...sound, '-c:a', 'aac', '-b:a', '128k']],
    ] as const) {
      const path = await makeMedia(folder, name, args)
      const stated = Number(/duration=([\d.]+)/.exec(await ask(path, 'format=duration'))?.[1])
      expect(Math.abs(stated - 40)).toBeGreaterThan(3)
      const facts = await probe(path)
      expect(ticksToSeconds(facts.duration)).toBeCloseTo(40, 0)
      expect(facts.warnings).toEqual([])
    }
    const counted = await makeMedia(folder, 'counted.mp3', mp3)
    await truncate(counted, Math.round((await stat(counted)).size * 0.7))
    expect(await refused(counted)).toMatch(/is 40 seconds long/)
  })

  it('accepts a whole file whose subtitles continue after picture and sound', async () => {
    const late = join(folder, 'late.srt')
    await writeFile(
      late,
      '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:01:00,000 --> 00:01:05,000\nLate\n',
    )
    const inputs = [...picture(6, '160x90'), ...tone(6), '-i', late]
    const path = await makeMedia(folder, 'late.mkv', [...inputs, ...h264(), '-c:s', 'srt'])
    const facts = await probe(path)
    expect(ticksToSeconds(facts.duration)).toBeCloseTo(6, 0)
    expect(facts.warnings.join()).toMatch(/picture and sound end at 6/)
  })

  it('finds the length of a recording that states none', async () => {
    const path = await makeMedia(folder, 'live.webm', [
      ...picture(3, '160x90'),
      ...tone(3),
      '-c:v',
      'libvpx',
      '-deadline',
      'realtime',
      '-c:a',
      'libopus',
      '-live',
      '1',
      '-f',
      'webm',
    ])
    const facts = await probe(path)
    expect(ticksToSeconds(facts.duration)).toBeCloseTo(3, 0)
    expect(facts.container).toMatch(/matroska/)
  })
})

it('treats a stream as undecodable only after two failures', async () => {
  const path = await makeMedia(folder, 'twice.mp4', [...picture(1, '160x90'), ...h264()])
  const trial = async (failing: number): Promise<{ decodes: boolean; calls: number }> => {
    ffmpeg.failing = failing
    ffmpeg.calls = 0
    const { signal } = new AbortController()
    const found = await decodes({ tools: bundledTools(), signal }, path, 0, 'video')
    ffmpeg.failing = 0
    return { decodes: found, calls: ffmpeg.calls }
  }
  expect(await trial(0)).toEqual({ decodes: true, calls: 1 })
  expect(await trial(1)).toEqual({ decodes: true, calls: 2 })
  expect(await trial(2)).toEqual({ decodes: false, calls: 2 })
})
