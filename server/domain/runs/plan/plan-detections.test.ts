import { describe, expect, it } from 'vitest'
import { secondsToTicks } from '../../../contract/time.ts'
import type { PlanEnvironment } from './plan-input.ts'
import { candidatesOf } from './plan-run.ts'
import {
  audioOutput,
  candidate,
  environment,
  factsOf,
  failed,
  found,
  heard,
  ingestOutput,
  key,
  node,
  plan,
  ready,
  resultsOf,
  snapshotOf,
  words,
} from '../../../../test/support/plan-case.ts'

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
      { slot: 'clip:0:faces', params: { ranges: [{ start: 10, end: 50 }], width: 640, height: 360 } },
    ])
    expect(looking.makeClips).toBe(false)
    const seen = { ...rows, 'clip:0:faces': { file: 'f.json', pictures: 9, tracks: 1, model: 'm' } }
    expect(plan({ rows: seen, snapshot: titled, environment: able }).makeClips).toBe(false)
    expect(plan({ rows: { ...seen, speakers: told }, snapshot: titled, environment: able }).makeClips).toBe(
      true,
    )
    const blind = plan({
      rows: { ...rows, 'clip:0:faces': failed('STAGE_FAILED') },
      snapshot: titled,
      environment,
    })
    expect([blind.makeClips, blind.failure]).toEqual([true, undefined])
  })

  it('says what is missing where no model for faces is installed; nobody is looked for when no node asks', () => {
    const rows = { ...heard, captions: words, 'find-clips': found }
    const blind = plan({ rows, snapshot: titled })
    expect(blind.makeClips).toBe(true)
    expect(blind.warnings.join()).toContain('cutroom models install yunet')
    expect(plan({ rows, environment: { ...able, speakers: false } })).toMatchObject({
      makeClips: true,
      warnings: [],
    })
  })

  describe('with a language model', () => {
    const access = { address: 'http://127.0.0.1:1/v1', model: 'm', key: 'hush', timeoutSeconds: 9 }
    const judging: PlanEnvironment = {
      ...environment,
      judge: { state: 'ready', access: { ...access, addresses: 'any' } },
    }
    const said = { ...found, candidates: [{ ...candidate, text: 'Words.' }] }
    const rows = { ...heard, captions: words, 'find-clips': said }

    it('asks it once the clips are found, and goes on with what it made of them', () => {
      const asking = plan({ rows, environment: judging })
      expect(asking.ready.map(({ slot }) => slot)).toEqual(['judge-clips'])
      expect(JSON.stringify(asking.ready[0]?.keyParams)).not.toContain('hush')
      const better = { candidates: [{ ...candidate, title: 'Better' }], asked: 1, judged: 1 }
      const results = resultsOf({ ...rows, 'judge-clips': better })
      expect(candidatesOf(results)).toEqual(better.candidates)
      for (const env of [judging, environment])
        expect(plan({ rows: { ...rows, 'judge-clips': better }, environment: env }).makeClips).toBe(true)
    })

    it('has it shorten long stories first, from the transcript, and goes on without where that fails', () => {
      const known = [{ ...candidate, origin: 'found', text: 'Words.' }]
      const spoken = { ...rows, 'find-clips': { ...found, candidates: known } }
      const [asked] = plan({ rows: spoken, environment: judging }).ready
      expect(asked).toMatchObject({ slot: 'shorten-stories', params: { candidates: known } })
      expect(asked?.inputs['transcript']?.identity).toBe(key('captions'))
      expect(JSON.stringify(asked?.keyParams)).not.toContain('hush')
      const whole = { candidates: [{ ...known[0], end: 60 }], asked: 1, changed: 1, refused: [] }
      const shortened = { ...spoken, 'shorten-stories': whole }
      const next = plan({ rows: shortened, environment: judging })
      expect(next.ready).toMatchObject([{ slot: 'judge-clips', params: { candidates: whole.candidates } }])
      expect(candidatesOf(resultsOf(shortened))).toEqual(whole.candidates)
      const broken = plan({
        rows: { ...spoken, 'shorten-stories': failed('STAGE_FAILED', 'why') },
        environment: judging,
      })
      expect(broken.ready).toMatchObject([{ slot: 'judge-clips', params: { candidates: known } }])
      expect(broken.warnings).toEqual(['Stories that are longer than a clip were not shortened. (why)'])
      // Clips that were begun, or judged, before a model was set keep their candidates.
      for (const begun of [{ 'judge-clips': whole }, { 'clip:0:cut': {} }]) {
        const later = plan({ rows: { ...spoken, ...begun }, environment: judging })
        expect(later.ready.map(({ slot }) => slot)).not.toContain('shorten-stories')
      }
    })

    it('asks for headlines to the title node’s prompt, where no text is fixed', () => {
      const headlineOf = (title_config: object, enabled = true) => {
        const nodes = [node('find_clips', {}), { ...node('add_title_overlay', { title_config }), enabled }]
        const [asked] = plan({ rows, snapshot: snapshotOf(nodes), environment: judging }).ready
        return (asked?.params as { headline?: string } | undefined)?.headline
      }
      expect(headlineOf({ prompt: ' Ask. ' })).toBe('Ask.')
      expect(headlineOf({ prompt: 'Ask.', generateTitle: true, text: 'Old' })).toBe('Ask.')
      expect(headlineOf({ prompt: 'Ask.', generateTitle: false, text: 'Fixed' })).toBe('')
      expect(headlineOf({ prompt: 'Ask.', enabled: false })).toBe('')
      expect(headlineOf({ prompt: 'Ask.' }, false)).toBe('')
      expect(headlineOf({})).toBe('')
    })

    it('goes on without it when it fails, has nothing to read, or is configured in part', () => {
      const broken = plan({
        rows: { ...rows, 'judge-clips': failed('STAGE_FAILED', 'why') },
        environment: judging,
      })
      expect([broken.makeClips, broken.warnings]).toEqual([true, ['The language model was not asked. (why)']])
      const mute = plan({ rows: { ...rows, 'find-clips': found }, environment: judging })
      expect(mute.makeClips).toBe(true)
      const part = plan({
        rows,
        environment: { ...environment, judge: { state: 'refused', why: 'name it' } },
      })
      expect([part.makeClips, part.warnings]).toEqual([true, ['name it']])
    })
  })

  describe('that looks at more than the words', () => {
    const wide = snapshotOf([node('find_clips', { min_length: 10, max_length: 30, model_key: 'multimodal' })])
    const hearing: PlanEnvironment = { ...environment, sounds: true }
    const events = { eventsFile: 'e.json', events: 2, model: 'm' }
    const seen = { pictureFile: 'p.json', pictures: 30, cuts: 2 }
    const looked = { ...heard, 'look-over': seen }

    it('listens and looks beside the captions, and gives what it found to the choice', () => {
      expect(ready({ rows: heard, snapshot: wide, environment: hearing })).toEqual([
        'look-over',
        'sound-events',
        'captions',
      ])
      expect(ready({ rows: { ...looked, captions: words }, snapshot: wide, environment: hearing })).toEqual([
        'sound-events',
      ])
      const rows = { ...looked, captions: words, 'sound-events': events }
      const next = plan({ rows, snapshot: wide, environment: hearing })
      expect(next.ready).toMatchObject([{ slot: 'find-clips', params: { senses: { name: 'y' } } }])
      expect(next.ready[0]?.inputs['events']?.identity).toBe(key('sound-events'))
      expect(next.ready[0]?.inputs['picture']?.identity).toBe(key('look-over'))
      expect(next.warnings).toEqual([])
      // Conversational runs ask for nothing of it.
      const plain = plan({ rows: { ...heard, captions: words }, environment: hearing })
      expect(plain.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(plain.ready[0]?.params).not.toHaveProperty('senses')
    })

    it('names the model that is missing, or what went wrong, and goes on', () => {
      const rows = { ...looked, captions: words }
      const deaf = plan({ rows, snapshot: wide })
      expect(deaf.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(deaf.warnings.join()).toContain('cutroom models install yamnet --from')
      const broken = { ...rows, 'sound-events': failed('STAGE_FAILED', 'why') }
      const next = plan({ rows: broken, snapshot: wide, environment: hearing })
      expect(next.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(next.warnings.join()).toContain('not listened for. (why)')
      const blind = { ...rows, 'sound-events': events, 'look-over': failed('STAGE_FAILED', 'why') }
      const unseen = plan({ rows: blind, snapshot: wide, environment: hearing })
      expect(unseen.ready[0]?.inputs).not.toHaveProperty('picture')
      expect(unseen.warnings.join()).toContain('not looked at for the choice of clips. (why)')
    })

    it('does not decode the whole of a long video in a format for editing, and says so', () => {
      const of = (codec: string, seconds: number) => {
        const facts = factsOf()
        const video = facts.video === null ? null : { ...facts.video, codec }
        const probe = { ...facts, video, duration: secondsToTicks(seconds) }
        const rows = { ...heard, probe, captions: words, 'sound-events': events }
        return plan({ rows, snapshot: wide, environment: hearing })
      }
      expect(of('prores', 3600).ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(of('prores', 3600).warnings.join()).toContain('In prores every picture is whole')
      expect(of('prores', 60).ready.map(({ slot }) => slot)).toEqual(['look-over'])
      expect(of('h264', 3600).ready.map(({ slot }) => slot)).toEqual(['look-over'])
    })

    it('goes on by sound alone without captions and a speech model, and without speech', () => {
      const bare = { ...looked, ingest: ingestOutput(), 'sound-events': events }
      const mute = plan({ rows: bare, snapshot: wide, environment: hearing })
      expect(mute.failure).toBeUndefined()
      expect(mute.ready.map(({ slot }) => slot)).toEqual(['find-clips'])
      expect(mute.ready[0]?.inputs).not.toHaveProperty('transcript')
      expect(mute.warnings).toEqual([
        'install one The clips were chosen by their sound and picture alone and have no captions.',
      ])
      const wordless = { ...bare, speech: { ...words, wordCount: 0, model: 'm' } }
      const next = plan({
        rows: wordless,
        snapshot: wide,
        environment: { ...hearing, speech: { state: 'installed' } },
      })
      expect(next.failure).toBeUndefined()
      expect(next.warnings.join()).toContain('No speech was found')
      // What was chosen stands, even when a model comes meanwhile.
      const late = plan({
        rows: { ...bare, 'find-clips': found },
        snapshot: wide,
        environment: { ...hearing, speech: { state: 'installed' } },
      })
      expect([late.failure, late.makeClips]).toEqual([undefined, true])
    })

    it('goes on by the picture alone without sound, and not without either', () => {
      const silent = { ...looked, ingest: ingestOutput(), audio: { ...audioOutput, silent: true } }
      const next = plan({ rows: silent, snapshot: wide, environment: hearing })
      expect([next.failure, next.ready.map(({ slot }) => slot)]).toEqual([undefined, ['find-clips']])
      expect(next.warnings.join()).toContain('chosen by their picture alone')
      // Nobody looked, so there is nothing to go by; a conversational run has nothing either.
      expect(plan({ rows: silent, environment: hearing }).failure?.code).toBe('NO_SPEECH')
    })
  })
})
