/** Whole runs with music by address: one of several, the same again, ducked, with music of its own under the end card. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SoundAsset } from '../../server/contract/composition.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import { serveBytes, startBadServer, type BadServer } from '../support/bad-server.ts'
import { node } from '../support/node-values.ts'
import { plainPng } from '../support/pictures.ts'
import { openRunEnvironment, pinned, type RunEnvironment } from '../support/run-environment.ts'
import { slotsOf } from '../support/run-on-jobs.ts'
import { leftOf, toneLevel } from '../support/sounds.ts'
import { makeTinyTalk, type TinyTalk } from '../support/tiny-talk.ts'
import { loudnessOf, make, probeStreams } from './render-support.ts'

let house: RunEnvironment
let talk: TinyTalk
let web: BadServer

/** Tones by their address. */
const TONES = { '/low.mp3': 1700, '/high.mp3': 2300, '/end.m4a': 3100, '/chosen.mp3': 2900 } as const

beforeAll(async () => {
  house = await openRunEnvironment()
  const { root } = house
  talk = await makeTinyTalk(root)
  const served = await Promise.all(
    Object.entries(TONES).map(async ([path, hertz]) => {
      const file = join(root, path.slice(1))
      // The first frame of the MP3s differs from the rest and no header has their length: they look longer.
      const noise = path.endsWith('mp3') ? '+0.0001*random(0)*gte(t\\,1)' : ''
      const tone = ['-f', 'lavfi', '-i', `aevalsrc='0.2*sin(2*PI*${hertz}*t)${noise}':s=44100:d=5`]
      await make([...tone, ...(path.endsWith('mp3') ? ['-q:a', '6', '-write_xing', '0'] : []), file])
      return [path, serveBytes(await readFile(file))] as const
    }),
  )
  const card = serveBytes(await plainPng(64, 36, '#00ff00'), { type: 'image/png' })
  web = await startBadServer({ ...Object.fromEntries(served), '/card.png': card })
})
afterAll(async () => {
  await house.close()
  await web.close()
})

describe('a run with music', () => {
  // There is speech from 4 to 7.2 s.
  const found = pinned(4, 8)
  const music = (): ResolvedNode =>
    node('add_music', {
      background_music_options: [
        { url: web.url('/low.mp3'), volume: 0.5, name: 'Low' },
        { url: web.url('/high.mp3'), volume: 0.5, name: 'High' },
      ],
    })
  const outro = (): ResolvedNode =>
    node('add_outro', {
      end_card_option: { url: web.url('/card.png'), duration: 2 },
      outro_music_option: { url: web.url('/end.m4a') },
    })

  it('plays one of the tracks, the same again, and what the card has; an edit plays another', async () => {
    const first = await house.clipOf(talk.video, [found, music(), outro()])
    const picked = first.clip.document.backgroundMusicOption?.['name']
    const [heard, other] = picked === 'Low' ? [1700, 2300] : [2300, 1700]
    expect(picked).toMatch(/^(Low|High)$/u)
    const samples = await leftOf(first.file)
    expect((await probeStreams(first.file)).video.nb_frames).toBe(String(150))
    const spoken = toneLevel(samples, heard, 0.8, 3)
    // Half as loud as speech: 6 dB under it, and 12 more during speech.
    expect(Math.abs(spoken + 14 + 6 + 12)).toBeLessThan(2.5)
    expect(toneLevel(samples, other, 0.5, 3.9)).toBeLessThan(-65)
    expect(toneLevel(samples, TONES['/end.m4a'], 0.5, 3.9)).toBeLessThan(-65)
    expect(toneLevel(samples, TONES['/end.m4a'], 4.4, 4.9)).toBeGreaterThan(-24)
    expect(toneLevel(samples, heard, 5.1, 5.9)).toBeLessThan(-60)
    const { integrated, peak } = await loudnessOf(first.file)
    expect(Math.abs(integrated + 14)).toBeLessThanOrEqual(0.5)
    expect(peak).toBeLessThan(-1)
    expect(first.warnings.filter((warning) => /music|outro/u.test(warning))).toEqual([])
    const fetched = [...slotsOf(house.db, first.runId).values()].flatMap(({ slot, output }) =>
      slot.startsWith('asset:') ? [output as { kind: string; sound?: SoundAsset }] : [],
    )
    expect(fetched.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'audio', 'audio', 'image'])
    // As long as they are, and not as their first moment makes one guess.
    for (const { sound } of fetched)
      if (sound !== undefined)
        expect(Math.abs(sound.duration - secondsToTicks(5))).toBeLessThan(secondsToTicks(0.1))

    const again = await house.clipOf(talk.video, [found, music(), outro()])
    expect(again.clip.document.backgroundMusicOption).toEqual(first.clip.document.backgroundMusicOption)

    const option = { url: web.url('/chosen.mp3'), volume: 1 }
    const edited = await leftOf(await house.editAndRender(first.clip, { backgroundMusicOption: option }))
    expect(toneLevel(edited, TONES['/chosen.mp3'], 0.8, 3)).toBeGreaterThan(spoken + 4)
    expect(toneLevel(edited, heard, 0.8, 3.8)).toBeLessThan(-65)
  })
})
