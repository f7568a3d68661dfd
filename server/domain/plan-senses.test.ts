import { describe, expect, it } from 'vitest'
import type { PlanEnvironment } from './plan-run.ts'
import {
  environment,
  failed,
  found,
  heard,
  key,
  node,
  plan,
  ready,
  snapshotOf,
  words,
} from '../../test/support/plan-case.ts'

describe('a run with ears and eyes', () => {
  const able: PlanEnvironment = { ...environment, faces: true, speakers: true }
  const titled = snapshotOf([
    node('find_clips', { min_length: 10, max_length: 30 }),
    node('add_title_overlay', { title_config: { enabled: true, avoidFaces: true } }),
  ])
  const told = { ...words, turnsFile: 'u.json', speakers: 2, model: 'm' }

  it('tells the speakers apart before it looks for clips, which read the words with speakers', () => {
    expect(ready({ rows: { ...heard, captions: words }, environment: able })).toEqual(['speakers'])
    const next = plan({ rows: { ...heard, captions: words, speakers: told }, environment: able })
    expect(next.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
    expect(next.ready[0]?.inputs['transcript']?.identity).toBe(key('speakers'))
  })

  it('goes on with the words as they are when that fails, and says so', () => {
    const rows = { ...heard, captions: words, speakers: failed('STAGE_FAILED', 'why') }
    const next = plan({ rows, environment: able })
    expect(next.ready[0]?.inputs['transcript']?.identity).toBe(key('captions'))
    expect(next.warnings.join()).toContain('not told apart. (why)')
  })

  it('looks for faces in the extended ranges when a node asks for them, and makes the clips after it', () => {
    const rows = { ...heard, captions: words, 'find-clips': found }
    const looking = plan({ rows, snapshot: titled, environment: { ...able, speakers: false } })
    expect(looking.ready).toMatchObject([
      { slot: 'faces', params: { ranges: [{ start: 10, end: 50 }], width: 640, height: 360 } },
    ])
    expect(looking.makeClips).toBe(false)
    const seen = { ...rows, faces: { file: 'f.json', pictures: 9, tracks: 1, model: 'm' } }
    expect(plan({ rows: seen, snapshot: titled, environment: able }).makeClips).toBe(false)
    expect(plan({ rows: { ...seen, speakers: told }, snapshot: titled, environment: able }).makeClips).toBe(
      true,
    )
    const blind = plan({ rows: { ...rows, faces: failed('STAGE_FAILED') }, snapshot: titled, environment })
    expect([blind.makeClips, blind.failure]).toEqual([true, undefined])
  })

  it('says what is missing where no model for faces is installed; nobody is looked for when no node asks', () => {
    const rows = { ...heard, captions: words, 'find-clips': found }
    const blind = plan({ rows, snapshot: titled })
    expect(blind.makeClips).toBe(true)
    expect(blind.warnings.join()).toContain('cutroom models install yunet')
    expect(plan({ rows, environment: { ...able, speakers: false } })).toMatchObject({
      ...{ makeClips: true, warnings: [] },
    })
  })
})
