import { describe, expect, it } from 'vitest'
import { examplesOf, type ExampleClip, type ExamplePost } from './labels.ts'

const HOUR = 3_600_000
const clip = (clipId: string, change: Partial<ExampleClip> = {}): ExampleClip => ({
  clipId,
  runId: 'run',
  features: { hook: 50 },
  score: 50,
  edited: false,
  deleted: false,
  ...change,
})
const post = (clipId: string | null, engagement: number, change: Partial<ExamplePost> = {}): ExamplePost => ({
  clipId,
  platform: 'tiktok',
  published: true,
  counted: { engagement, age: 100 * HOUR },
  ...change,
})
const labels = (clips: ExampleClip[], posts: ExamplePost[] = []) =>
  Object.fromEntries(examplesOf(clips, posts).examples.map(({ clipId, label }) => [clipId, label]))

describe('what is known of a clip', () => {
  it('by hand: kept and edited above passed over above deleted', () => {
    const clips = [
      clip('edited', { edited: true }),
      clip('gone', { deleted: true }),
      clip('untouched'),
      clip('posted'),
    ]
    const draft = post('posted', 0, { published: false, counted: null })
    const found = labels(clips, [draft])
    expect(found['edited']).toBe(found['posted'])
    expect(found['edited'] ?? 0).toBeGreaterThan(found['untouched'] ?? 0)
    expect(found['untouched'] ?? 0).toBeGreaterThan(found['gone'] ?? 0)
    expect(examplesOf(clips, [draft]).from).toEqual({ published: 0, kept: 2, passedOver: 1, deleted: 1 })
  })

  it('a run that nobody has touched says nothing', () => {
    const clips = [clip('a'), clip('b'), clip('c', { runId: 'other', edited: true })]
    expect(Object.keys(labels(clips))).toEqual(['c'])
  })

  it('a clip that was edited and then deleted was not wanted', () => {
    expect(labels([clip('a', { edited: true, deleted: true })])['a']).toBe(-1)
  })

  it('by an audience: the place among the posts of its platform, however large the platform is', () => {
    const clips = ['a', 'b', 'c', 'd'].map((id) => clip(id))
    const posts = [
      post('a', 10),
      post('b', 30),
      post('c', 4000, { platform: 'youtube' }),
      post('d', 9000, { platform: 'youtube' }),
    ]
    const found = labels(clips, posts)
    expect(found['a']).toBe(found['c'])
    expect(found['b']).toBe(found['d'])
    expect(found['b'] ?? 0).toBeGreaterThan(found['a'] ?? 0)
    for (const label of Object.values(found)) expect(Math.abs(label)).toBeLessThanOrEqual(1)
  })

  it('by an audience: a young post is held against what posts of its age have', () => {
    const young = { engagement: 70, age: 30 * HOUR }
    const found = labels(
      [clip('young'), clip('old')],
      [post('young', 0, { counted: young }), post('old', 100)],
    )
    expect(found['young'] ?? 0).toBeGreaterThan(found['old'] ?? 0)
  })

  it('by an audience: posts of hours, failures and posts never counted say nothing', () => {
    const posts = [
      post('a', 9, { counted: { engagement: 9, age: 2 * HOUR } }),
      post('a', 9, { published: false }),
      post('a', 9, { counted: null }),
    ]
    // Somebody meant to publish it all the same.
    expect(examplesOf([clip('a')], posts).from).toEqual({ published: 0, kept: 1, passedOver: 0, deleted: 0 })
  })

  it('by an audience: a lone post stands in the middle, and many draw the ends apart', () => {
    expect(examplesOf([clip('a')], [post('a', 500)]).examples[0]?.label).toBeCloseTo(0.125)
    const clips = Array.from({ length: 30 }, (_, index) => clip(`c${index}`))
    const spread = labels(
      clips,
      clips.map(({ clipId }, index) => post(clipId, 10 + index)),
    )
    expect(spread['c29'] ?? 0).toBeGreaterThan(0.7)
    expect(spread['c0'] ?? 0).toBeLessThan(-0.5)
  })

  it('does not look into what it cannot compare: the posts of no clip only make up the field', () => {
    const others = Array.from({ length: 9 }, () => post(null, 1000))
    expect(labels([clip('a')], [post('a', 5), ...others])['a'] ?? 0).toBeLessThan(-0.4)
  })
})
