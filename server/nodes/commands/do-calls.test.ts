/** What sentences make of a clip; whatever they make, the appliance takes it. */
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { ManualOverridesChange } from '../../contract/manual-overrides.ts'
import { editClip } from '../../domain/clips/clip-edits.ts'
import { readClipUpdates } from '../../domain/clips/read-clip-updates.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { sampleDocument } from '../../../test/support/sample-document.ts'
import { isKept, keptOf, playedLength, type ClipCut } from '../../contract/time-map/cut.ts'
import { changesOf, differences, type ClipEdit } from '../editing/clip-edit.ts'
import { describeDifferences } from '../../../renderer/clip-editor/chat/differences.ts'
import { doMessage, doModelCalls, isWhole } from './do-calls.ts'
import { SAMPLE_EDIT as BEFORE, sampleContext, SAMPLE_WORDS } from '../../../test/support/sample-clip.ts'
import { commandOf, COMMANDS, type CommandCall } from './index.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

const context = sampleContext()
const ask = (message: string, edit = BEFORE, given = context) => doMessage(edit, given, message)
const heard = (cut: ClipCut): string =>
  SAMPLE_WORDS.filter(({ start, end }) => isKept(cut, (start + end) / 2))
    .map(({ word }) => word)
    .join(' ')

describe('what is cut', () => {
  const CUTS: readonly (readonly [message: string, heard: string])[] = [
    [
      'cut the first sentence',
      'I said it three times, and nobody listened. Um, so the point is, we shit the budget. You know, three times is enough. Thank you all.',
    ],
    [
      'cut the first and last sentence',
      'I said it three times, and nobody listened. Um, so the point is, we shit the budget. You know, three times is enough.',
    ],
    [
      'remove the last two sentences',
      'Welcome to the show. I said it three times, and nobody listened. Um, so the point is, we shit the budget.',
    ],
    [
      'cut the sentence with "budget"',
      'Welcome to the show. I said it three times, and nobody listened. You know, three times is enough. Thank you all.',
    ],
    [
      'cut "three times"',
      'Welcome to the show. I said it and nobody listened. Um, so the point is, we shit the budget. You know, three times is enough. Thank you all.',
    ],
    [
      'cut "three times" everywhere',
      'Welcome to the show. I said it and nobody listened. Um, so the point is, we shit the budget. You know, is enough. Thank you all.',
    ],
    [
      'cut "tree times"',
      'Welcome to the show. I said it and nobody listened. Um, so the point is, we shit the budget. You know, three times is enough. Thank you all.',
    ],
    [
      'start at so the point is',
      'so the point is, we shit the budget. You know, three times is enough. Thank you all.',
    ],
    ['end with "nobody listened"', 'Welcome to the show. I said it three times, and nobody listened.'],
    ['keep only "so the point is"', 'so the point is,'],
    [
      'remove the fillers',
      'Welcome to the show. I said it three times, and nobody listened. so the point is, we shit the budget. three times is enough. Thank you all.',
    ],
    [
      'cut the swear words',
      'Welcome to the show. I said it three times, and nobody listened. Um, so the point is, we the budget. You know, three times is enough. Thank you all.',
    ],
  ]
  it.each(CUTS)('%s', (message, words) => {
    const done = ask(message)
    expect(isWhole(done), JSON.stringify(done.lines)).toBe(true)
    expect(heard(done.edit.cut)).toBe(words)
    expect(differences(BEFORE, done.edit)).toEqual(['the cut'])
  })

  it('puts words back, and everything', () => {
    const cut = ask('cut "three times" everywhere').edit
    expect(heard(ask('put back "it three times, and"', cut).edit.cut)).toContain(
      'said it three times, and nobody',
    )
    expect(ask('put everything back', cut).edit.cut).toEqual(BEFORE.cut)
  })

  it('counts time as the player does', () => {
    const done = ask('cut from 0:02 to 0:03.5 and the first second')
    expect(keptOf(done.edit.cut)).toEqual([
      { start: 11, end: 12, rate: 1 },
      { start: 13.5, end: BEFORE.cut.endTimestamp, rate: 1 },
    ])
  })

  it('shortens pauses, and leaves those in which something is heard', () => {
    const done = ask('shorten pauses over 0.5 s')
    expect(playedLength(BEFORE.cut) - playedLength(done.edit.cut)).toBeCloseTo(4 * 0.5, 0)
    expect(heard(done.edit.cut)).toBe(heard(BEFORE.cut))
    const loud = {
      start: 0,
      hopSeconds: 0.02,
      levels: 'Z'.repeat(3000),
      speechLevelDb: -20,
      noiseLevelDb: -60,
    }
    expect(ask('shorten pauses over 0.5 s', BEFORE, sampleContext({ sound: loud })).lines[0]?.kind).toBe(
      'refused',
    )
  })

  it('says that words are not there, and which are near', () => {
    const [line] = ask('cut "the point was made"').lines
    expect(line).toEqual({
      kind: 'refused',
      text: '“the point was made” is not said in this clip. Did you mean “the point is,”?',
    })
    expect(ask('cut "banana bread"').edit).toBe(BEFORE)
  })

  it('leaves something of the clip', () => {
    for (const message of [
      'cut from 0:00 to 5 minutes',
      'cut the first 9 minutes',
      'cut the first 90 sentences',
    ])
      expect(ask(message), message).toMatchObject({ edit: BEFORE, lines: [{ kind: 'refused' }] })
  })
})

describe('what is set', () => {
  const SET: readonly (readonly [message: string, edit: object])[] = [
    ['make the captions yellow', { subtitleConfig: { styleId: 'pop', fontColor: '#ffff00' } }],
    ['captions off', { subtitleConfig: { styleId: 'pop', enabled: false } }],
    ['captions at 60%, in uppercase', { subtitleConfig: { subtitleY: 60, textCase: 'uppercase' } }],
    ['use the neon captions', { subtitleConfig: { styleId: 'neon' } }],
    ['call it "Salt and pepper"', { title: 'Salt and pepper' }],
    ['title off', { titleConfig: { enabled: false } }],
    ['turn the music off', { backgroundMusicOption: { volume: 0 } }],
    ['music louder', { backgroundMusicOption: { volume: 0.3 } }],
    ['watermark off', { watermarkConfig: { enabled: false, url: 'https://example.com/logo.png' } }],
    ['watermark to the bottom left', { watermarkConfig: { position: 7 } }],
    ['remove the end card', { endCardOption: {} }],
    [
      'bleep the curse words',
      {
        nodes: {
          remove_curse_words: {
            enabled: true,
            config: { remove_curse_words_config: { enabled: true, mode: 'beep' } },
          },
        },
      },
    ],
    [
      'make it square',
      { nodes: { convert_to_vertical: { enabled: true, config: { aspect_ratio: '1:1' } } } },
    ],
    [
      'show the whole picture',
      { nodes: { convert_to_vertical: { config: { centerVertical: true, gaussian_blur: true } } } },
    ],
    ['show the whole picture from 0:01 to 0:03', { layouts: [{ kind: 'fit', start: 11, end: 13 }] }],
    ['turn on smart zoom', { zooms: null, nodes: { smart_zoom: { enabled: true } } }],
    ['add a zoom on "nobody listened"', { zooms: [{ scale: 1.25, start: 14.75, end: 15.55 }] }],
    ['zoom in here', { zooms: [{ start: 14, end: 16 }] }],
    ['rename speaker 2 to Ben', { speakers: ['Speaker 1', 'Ben'] }],
    [
      'write "Look" on the picture from 0:01 to 0:02',
      { overlays: [{ kind: 'text', text: 'Look', start: 11, end: 12 }] },
    ],
    ['play "three times" at half speed', { cut: { segments: [{}, { playbackRate: 0.5 }, {}] } }],
  ]
  it.each(SET)('%s', (message, edit) => {
    const done = ask(message)
    expect(isWhole(done), JSON.stringify(done.lines)).toBe(true)
    expect(done.edit).toMatchObject(edit)
  })

  it('sets a colour for everybody, also for a speaker with one of their own', () => {
    const own = {
      ...BEFORE,
      subtitleConfig: { speakerStyles: { '1': { fontColor: '#ff0000', isItalic: true } } },
    }
    expect(ask('yellow captions', own).edit.subtitleConfig).toEqual({
      fontColor: '#ffff00',
      speakerStyles: { '1': { isItalic: true } },
    })
  })

  it('says why not, where there is nothing to set', () => {
    const bare: ClipEdit = { ...BEFORE, watermarkConfig: {}, backgroundMusicOption: {}, endCardOption: {} }
    for (const message of [
      'watermark off',
      'no music',
      'remove the end card',
      'follow the speaker',
      'remove the b-roll',
      'undo and cut "um"',
    ])
      expect(ask(message, bare).lines[0]?.kind, message).toBe('refused')
  })
})

it('does what it understands of a message, and says what it does not, with what is near', () => {
  const done = ask('make the captions taste like strawberry, and cut the first sentence')
  expect(done.lines).toEqual([
    {
      kind: 'unknown',
      text: expect.stringContaining(
        '“make the captions taste like strawberry” was not understood. Nearest to it: “make the captions',
      ) as string,
    },
    { kind: 'done', text: 'Cut “Welcome to the show.”.' },
  ])
  expect(ask('publish it').lines[0]?.text).toContain('nothing is rendered or published by a chat')
})

it('shows what it has changed', () => {
  const { edit } = ask('cut the first sentence, make the captions yellow, zoom in on "three times"')
  expect(describeDifferences(BEFORE, edit, SAMPLE_WORDS)).toEqual([
    { kind: 'words', change: 'cut', before: '', text: 'Welcome to the show.', after: 'I said it' },
    { kind: 'setting', what: 'Length', from: expect.any(String) as string, to: expect.any(String) as string },
    { kind: 'setting', what: 'Captions: letters', from: 'as the preset says', to: '#ffff00' },
    { kind: 'setting', what: 'Zooms', from: 'automatic', to: '1' },
  ])
})

describe('whatever is asked for, by a model too', () => {
  /** A small generator with a seed: the same calls each time. */
  let seed = 7
  const random = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  }
  const PHRASES = [
    'three times',
    'the point',
    'Welcome',
    'nobody listened',
    'not there',
    'shit',
    'Thank you all.',
    '…',
  ]
  const TEXTS: Readonly<Record<string, readonly string[]>> = {
    colour: ['red', '#12345678', 'bogus'],
    preset: ['neon', 'box', 'nothing'],
    palette: ['red', 'dark', 'nothing'],
    speaker: ['1', 'Speaker 2', 'Nobody'],
  }
  function valueFor(name: string, schema: Record<string, unknown>): unknown {
    const options = schema['anyOf'] as { const: unknown }[] | undefined
    if (options !== undefined) return options[Math.floor(random() * options.length)]?.const
    if (schema['type'] === 'boolean') return random() < 0.5
    if (schema['type'] === 'string') {
      const texts = TEXTS[name] ?? PHRASES
      return texts[Math.floor(random() * texts.length)]
    }
    const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0)
    const most = Math.min(Number(schema['maximum'] ?? 30), random() < 0.9 ? Math.max(25, least) : 86_400)
    const value = least + random() * (most - least)
    return schema['type'] === 'integer' ? Math.round(value) : Math.round(value * 1000) / 1000
  }
  function randomCall(): CommandCall {
    const command = COMMANDS[Math.floor(random() * COMMANDS.length)]
    const name = command?.name ?? 'help'
    const { properties, required = [] } = command?.params as unknown as {
      readonly properties: Record<string, Record<string, unknown>>
      readonly required?: readonly string[]
    }
    const given = Object.entries(properties).flatMap(([field, schema]) =>
      required.includes(field) || random() < 0.5 ? [[field, valueFor(field, schema)] as const] : [],
    )
    return { name, arguments: Object.fromEntries(given) } as CommandCall
  }

  it('the edit is one that the appliance takes, with its order kept', () => {
    const faces = {
      start: 10,
      end: 31,
      shotStarts: [],
      screens: [],
      tracks: [0, 1].map((id) => ({
        id,
        points: [10, 15, 20, 30].map((at): [number, number, number, number, number] => [
          at,
          0.2 + id * 0.4,
          0.3,
          0.1,
          0.2,
        ]),
        speaking: [{ start: 10 + id * 5, end: 14 + id * 5 }],
      })),
    }
    const full = sampleContext({ faces })
    const document = sampleDocument({ ...asDocument(BEFORE), extended: { start: 5, end: 45, fileStart: 5 } })
    let edit = BEFORE
    let changed = 0
    for (let step = 0; step < 1500; step++) {
      const call = randomCall()
      expect(
        [...Value.Errors(commandOf(call.name)?.params ?? Type.Never(), call.arguments)],
        JSON.stringify(call),
      ).toEqual([])
      const done = doModelCalls(step % 12 === 0 ? BEFORE : edit, full, [call])
      edit = done.edit
      const changes = changesOf(BEFORE, edit)
      if (changes === null) continue
      changed += 1
      checkedByTheAppliance(document, changes, `${JSON.stringify(call)} of step ${step}`)
    }
    expect(changed).toBeGreaterThan(800)
  })

  function checkedByTheAppliance(
    document: ReturnType<typeof sampleDocument>,
    { updates, overrides }: NonNullable<ReturnType<typeof changesOf>>,
    what: string,
  ): void {
    if (overrides !== undefined) expect([...Value.Errors(ManualOverridesChange, overrides)], what).toEqual([])
    const read = Object.keys(updates).length === 0 ? {} : readClipUpdates({ updates })
    const made = () =>
      editClip({
        document,
        updates: read,
        merge: false,
        sourceDuration: 45,
        segmentsIn: 'cut',
        ...omitUndefined({ overrides }),
      })
    expect(made, what).not.toThrow()
    expect(made().document.duration).toBeGreaterThan(0)
  }

  function asDocument({
    cut,
    title,
    subtitleConfig,
    titleConfig,
    watermarkConfig,
    backgroundMusicOption,
    endCardOption,
  }: ClipEdit) {
    const { segments, ...times } = cut
    return {
      ...times,
      segments: segments.map((one) => ({ ...one })) as ClipDocument['segments'],
      title,
      subtitleConfig,
      titleConfig,
      watermarkConfig,
      backgroundMusicOption,
      endCardOption,
    }
  }
})
