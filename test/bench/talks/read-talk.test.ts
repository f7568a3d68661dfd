import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTalk, type PlantedStory } from './read-talk.ts'

const SMALL = `language: fr
kind: podcast
title: Un essai
speakers: ANNE, LUC

ANNE: Bonjour, tu vas bien ?
{story s1 shape=c}
LUC: Oui. Hier j'ai perdu mes clés.
{part s1}
ANNE: Encore !
{unpart s1}
LUC: Elles étaient
(pause 2.5)
dans le frigo.
(laughter 2.0)
{end s1}
ANNE: Bon.

---
s1
payoff: Elles étaient dans le frigo.
opening: Hier j'ai perdu mes clés.
prompt: retrouver un trousseau au froid
topic: objets égarés

nothing: la pêche à la mouche
nothing: un procès
`

describe('a written talk', () => {
  const talk = readTalk(SMALL)
  const [story] = talk.stories
  const at = (word: string) => talk.words.find((each) => each.word === word)

  it('gives words with speakers, and what stands alone to the word before it', () => {
    expect(talk.words.slice(0, 5).map(({ word, speaker }) => [word, speaker])).toEqual([
      ['Bonjour,', 0],
      ['tu', 0],
      ['vas', 0],
      ['bien?', 0],
      ['Oui.', 1],
    ])
    expect(talk).toMatchObject({
      language: 'fr',
      kind: 'podcast',
      title: 'Un essai',
      speakers: ['ANNE', 'LUC'],
    })
    expect(talk.nothing).toEqual(['la pêche à la mouche', 'un procès'])
  })

  it('pauses where the text does, and at commas, sentences and changes of speaker', () => {
    const gap = (before: string, after: string) => (at(after)?.start ?? 0) - (at(before)?.end ?? 0)
    expect(gap('Bonjour,', 'tu')).toBeCloseTo(0.1)
    expect(gap('tu', 'vas')).toBeCloseTo(0)
    expect(gap('étaient', 'dans')).toBeCloseTo(2.5)
    expect(gap('bien?', 'Oui.')).toBeGreaterThanOrEqual(0.3)
    expect(gap('bien?', 'Oui.')).toBeLessThanOrEqual(0.8)
    expect(gap('Oui.', 'Hier')).toBeGreaterThanOrEqual(0.2)
    expect(gap('Oui.', 'Hier')).toBeLessThanOrEqual(0.5)
  })

  it('finds the stories with their opening, pay-off, interruption and laughter', () => {
    expect(story).toMatchObject({ id: 's1', shape: 'c', topic: 'objets égarés' })
    expect(story?.start).toBe(at('Oui.')?.start)
    expect(story?.openingStart).toBe(at('Hier')?.start)
    expect(story?.payoffEnd).toBe(at('frigo.')?.end)
    expect(story?.end).toBe(talk.events[0]?.end)
    expect(story?.interruptions).toEqual([{ start: at('Encore!')?.start, end: at('Encore!')?.end }])
    expect(talk.events).toMatchObject([{ kind: 'laughter' }])
  })

  it('is the same each time, and another with another title', () => {
    expect(readTalk(SMALL)).toEqual(talk)
    expect(readTalk(SMALL.replace('Un essai', 'Un autre')).words).not.toEqual(talk.words)
  })

  it('marks what a pay-off needs, and what is to spare', () => {
    const [marked] = readTalk(
      SMALL.replace('LUC: Oui.', '^ LUC: Oui.')
        .replace('ANNE: Encore', '- ANNE: Encore')
        .replace('LUC: Elles', '+ LUC: Elles'),
    ).stories
    expect(marked?.parts.map(({ need }) => need)).toEqual(['opening', 'spare', 'needed'])
    expect(marked?.parts[1]).toMatchObject({ start: at('Encore!')?.start, end: at('Encore!')?.end })
    expect(() => readTalk(SMALL.replace('ANNE: Bon.', '+ ANNE: Bon.'))).toThrow('outside of a story')
  })

  it('says what is not as it should be', () => {
    const broken = (from: string, to: string) => () => readTalk(SMALL.replace(from, to))
    expect(broken('LUC: Oui', 'LEA: Oui')).toThrow('"LEA" is not one of the speakers')
    expect(broken('(laughter 2.0)', '(rire 2.0)')).toThrow('there is no sound "rire"')
    expect(broken('{end s1}\n', '')).toThrow('s1 has no end')
    expect(broken('{unpart s1}\n', '')).toThrow('leaves a part open')
    expect(broken('payoff: Elles', 'payoff: Ils')).toThrow('is not in its story')
    expect(broken('topic: objets égarés\n', '')).toThrow('s1 needs')
    expect(broken('\ns1\n', '\ns2\n')).toThrow('s2 is described but not in the text')
    expect(broken('kind: podcast\n', '')).toThrow('the head has no kind')
  })
})

const filesIn = (folders: readonly string[]): string[] =>
  folders
    .map((name) => join(import.meta.dirname, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.txt'))
        .map((name) => join(folder, name)),
    )
const FILES = filesIn(['tuned', 'held'])
const SHORTER = filesIn(['various-tuned', 'various-held'])
const LONG = filesIn(['long/tuned', 'long/held'])

const LEAST_SECONDS = 30 * 60
/** Silences that the story holds make the longest longer than its words. */
const LEAST_STORY = 15
const MOST_STORY = 100

const spokenSeconds = ({ start, end, interruptions }: PlantedStory): number =>
  end - start - interruptions.reduce((sum, part) => sum + part.end - part.start, 0)

describe.each(FILES.map((file) => [file.slice(import.meta.dirname.length + 1), file]))('%s', (_, file) => {
  const text = readFileSync(file, 'utf8')
  const talk = readTalk(text)

  it('is as long as what people record, with words in order', () => {
    expect(talk.words.at(-1)?.end).toBeGreaterThan(LEAST_SECONDS)
    const backwards = talk.words.filter((word, at) => word.start < (talk.words[at - 1]?.end ?? 0) - 1e-6)
    expect(backwards).toEqual([])
  })

  it('names the language in its file name', () => {
    expect(file).toMatch(new RegExp(`-${talk.language}\\.txt$`))
  })

  it('has eight stories of several shapes, each whole and of a length that is clipped', () => {
    expect(talk.stories).toHaveLength(8)
    expect(new Set(talk.stories.map((story) => story.shape)).size).toBeGreaterThanOrEqual(5)
    for (const story of talk.stories) {
      expect(spokenSeconds(story), story.id).toBeGreaterThan(LEAST_STORY)
      expect(spokenSeconds(story), story.id).toBeLessThan(MOST_STORY)
      expect(story.openingStart, story.id).toBeGreaterThanOrEqual(story.start)
      expect(story.payoffEnd, story.id).toBeLessThanOrEqual(story.end)
      expect(story.payoffEnd, story.id).toBeGreaterThan(story.openingStart)
    }
  })

  it('has stories that do not overlap', () => {
    const starts = talk.stories.slice(1).map((story) => story.start)
    expect(talk.stories.slice(0, -1).every((story, at) => story.end <= (starts[at] ?? 0))).toBe(true)
  })

  it('has two prompts that fit nothing in it, and repeats no line', () => {
    expect(talk.nothing.length).toBeGreaterThanOrEqual(2)
    const long = text
      .split('\n')
      .filter((line) => line.length > 80 && !/^(payoff|opening|prompt): /.test(line))
    expect(new Set(long).size).toBe(long.length)
  })
})

describe.each(LONG.map((file) => [file.slice(import.meta.dirname.length + 1), file]))('%s', (_, file) => {
  it('has its language in its name, and stories longer than a clip of which each line is marked', () => {
    const talk = readTalk(readFileSync(file, 'utf8'))
    expect(file).toMatch(new RegExp(`-${talk.language}\\.txt$`))
    expect(talk.stories).toHaveLength(2)
    for (const { openingStart, payoffEnd, parts, end, id } of talk.stories) {
      expect(payoffEnd - openingStart, id).toBeGreaterThan(90)
      expect(parts[0]?.need, id).toBe('opening')
      expect(parts[0]?.start, id).toBeLessThanOrEqual(openingStart)
      expect(parts[0]?.end, id).toBeGreaterThan(openingStart)
      const last = parts.at(-1)
      expect(last?.need, id).toBe('needed')
      expect(last?.end, id).toBeGreaterThanOrEqual(payoffEnd)
      expect(last?.end, id).toBeLessThanOrEqual(end)
    }
  })
})

describe.each(SHORTER.map((file) => [file.slice(import.meta.dirname.length + 1), file]))('%s', (_, file) => {
  it('has its language in its name, four or five stories with two prompts each, and two for nothing', () => {
    const talk = readTalk(readFileSync(file, 'utf8'))
    expect(file).toMatch(new RegExp(`-${talk.language}\\.txt$`))
    expect(talk.stories.length).toBeGreaterThanOrEqual(4)
    expect(talk.stories.every(({ prompts }) => prompts.length === 2)).toBe(true)
    expect(talk.nothing).toHaveLength(2)
  })
})
