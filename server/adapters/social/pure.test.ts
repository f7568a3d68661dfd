import { describe, expect, it } from 'vitest'
import { PLATFORMS } from '../../contract/post.ts'
import { ADAPTERS } from './registry.ts'
import { facetsOf, recordKey } from './bluesky.ts'
import { fitMedia } from './prepare-media.ts'
import { littleText } from './linkedin.ts'
import { snapStats } from './snapchat.ts'
import { partsOf } from './tiktok.ts'
import { textLength } from '../../contract/text-length.ts'

describe('lengths', () => {
  it.each([
    ['characters', 'a😀', 3],
    ['graphemes', '👨‍👩‍👧‍👦é', 2],
    ['bytes', 'ü€', 5],
    ['weighted', 'Latin', 5],
    ['weighted', '漢字', 4],
    ['weighted', '👨‍👩‍👧‍👦', 2],
    ['weighted', 'see https://example.com/a/very/long/address/that/goes/on now', 31],
  ] as const)('%s of %s', (unit, text, length) => {
    expect(textLength(text, unit)).toBe(length)
  })
})

describe('Bluesky', () => {
  it('marks addresses and hashtags by bytes', () => {
    const text = 'ü #tag, (https://a.test/x?y=1). #1 no#tag #größe'
    const bytes = Buffer.from(text)
    const marked = facetsOf(text).map(({ index, features: [feature] }) => [
      bytes.subarray(index.byteStart, index.byteEnd).toString(),
      feature?.$type.split('#')[1],
    ])
    expect(marked).toEqual([
      ['#tag', 'tag'],
      ['https://a.test/x?y=1', 'link'],
      ['#größe', 'tag'],
    ])
  })

  it('names records by time, the same for the same post', () => {
    const a = recordKey(1_700_000_000_000, 'x')
    const b = recordKey(1_700_000_000_001, 'x')
    expect([a, a < b, recordKey(1_700_000_000_000, 'x')]).toEqual([
      expect.stringMatching(/^[2-7a-j][2-7a-z]{12}$/),
      true,
      a,
    ])
  })
})

it('LinkedIn’s text keeps what has a meaning there as it is written', () => {
  expect(littleText('50% (of 2) #tag a_b @me {x}')).toBe(
    '50% \\(of 2\\) {hashtag|\\#|tag} a\\_b \\@me \\{x\\}',
  )
})

it('Snapchat’s counters are found by asset, in either form', () => {
  const answer = {
    request_status: 'SUCCESS',
    lifetime_stats: [
      { lifetime_stat: { id: 'a', stats: { VIEWS: 5, SHARES: '2' } } },
      {
        asset_id: 'b',
        stats: [
          { field: 'VIEWS', value: 7 },
          { field: 'FAVORITES', value: 1 },
        ],
      },
    ],
  }
  expect([...snapStats(answer)]).toEqual([
    ['a', { views: 5, shares: 2 }],
    ['b', { views: 7, favorites: 1 }],
  ])
})

it('TikTok’s parts are within its bounds', () => {
  expect(partsOf(3_000_000)).toEqual({ size: 3_000_000, count: 1 })
  for (const bytes of [64 * 1024 ** 2 + 1, 100e6, 3_999_999_999]) {
    const { size, count } = partsOf(bytes)
    const last = bytes - size * (count - 1)
    expect([count, last >= size, last <= 128e6]).toEqual([Math.floor(bytes / size), true, true])
  }
})

describe('a video', () => {
  const limits = ADAPTERS.bluesky.limits
  const facts = { bytes: 50e6, seconds: 60, width: 1080, height: 1920 }

  it('goes as it is when it fits', () => {
    expect(fitMedia(facts, limits)).toEqual({ kind: 'as-it-is' })
  })

  it('is encoded anew for fewer bytes, below the bound', () => {
    const fit = fitMedia({ ...facts, bytes: 150e6 }, limits)
    expect(fit).toMatchObject({ kind: 'encode', width: 1080, height: 1920 })
    const kilobits = fit.kind === 'encode' ? fit.videoKilobits : 0
    const made = ((kilobits + 128) * 1000 * 60) / 8
    expect([made < 100e6, made > 85e6]).toEqual([true, true])
  })

  it('is made smaller with its shape kept, in even pixels', () => {
    const fit = fitMedia({ bytes: 1e6, seconds: 20, width: 2160, height: 3840 }, ADAPTERS.instagram.limits)
    expect(fit).toMatchObject({ kind: 'encode', width: 1080, height: 1920 })
  })

  it.each([
    [{ ...facts, seconds: 181 }, '180 seconds'],
    [{ ...facts, width: 4000, height: 100 }, '4000x100'],
    [{ ...facts, width: 20, height: 14 }, '16 pixels'],
  ])('is refused when no encoding helps: %j', (wrong, why) => {
    expect(fitMedia(wrong, limits)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining(why) as string,
    })
  })

  it('is refused when it would have to be encoded to nothing', () => {
    const long = { ...limits, video: { ...limits.video, bytes: 5e6 } }
    expect(fitMedia({ ...facts, seconds: 170 }, long)).toMatchObject({ kind: 'refused' })
  })
})

it.each(PLATFORMS)('%s says where its limits are from, and what it cannot do is consistent', (platform) => {
  const { limits, comment, addresses, way, label } = ADAPTERS[platform]
  expect(limits.source).toMatch(/^https:\/\//)
  expect(comment === null).toBe(limits.firstComment === null)
  expect(Object.values(addresses).every((address) => /^https:\/\/[a-z0-9.-]+$/.test(address))).toBe(true)
  expect([limits.visibilities.length > 0, label.length > 0]).toEqual([true, true])
  if (way.kind === 'oauth') expect(way.authorizeAddress).toMatch(/^https:\/\//)
})
