/** The sample: five sentences, played from 10 to 27 s; “three times” is said in the second and in the fourth. */
import { describe } from 'vitest'
import { itDoes, playing } from '../../../../test/support/command-cases.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const sentences = (given: Given<'cut_sentences'>): CommandCall => ({
  name: 'cut_sentences',
  arguments: given,
})
const edge = (side: 'start' | 'end', seconds: number): CommandCall => ({
  name: 'cut_edge',
  arguments: { edge: side, seconds },
})
const time = (from: number, to: number): CommandCall => ({ name: 'cut_time', arguments: { from, to } })
const begin = (given: Given<'begin_at'>): CommandCall => ({ name: 'begin_at', arguments: given })
const end = (given: Given<'end_at'>): CommandCall => ({ name: 'end_at', arguments: given })
const keep = (given: Given<'keep_only'>): CommandCall => ({ name: 'keep_only', arguments: given })
const putBack = (given: Given<'put_back'>): CommandCall => ({ name: 'put_back', arguments: given })
const words = (given: Given<'cut_words'>): CommandCall => ({ name: 'cut_words', arguments: given })

const NOT_SAID = '“banana bread” is not said in this clip.'
const NOTHING_LEFT = 'Nothing of the clip would be left.'
const SHORT = 'The clip is only 0:17 long.'
const FIRST = 'Welcome to the show.'
const SECOND = 'I said it three times, and nobody listened.'
const THIRD = 'Um, so the point is, we shit the budget.'
const FOURTH = 'You know, three times is enough.'
const FIFTH = 'Thank you all.'

describe('sentences', () => {
  itDoes([
    {
      name: 'the first, where nothing is named',
      call: sentences({}),
      made: [{ cut: playing([11.95, 27]) }, `Cut “${FIRST}”.`],
    },
    {
      name: 'two from the start',
      call: sentences({ from: 'start', count: 2 }),
      made: [{ cut: playing([15.95, 27]) }, `Cut “${FIRST} ${SECOND}”.`],
    },
    {
      name: 'the last',
      call: sentences({ from: 'end' }),
      made: [{ cut: playing([10, 23.55], [25.1, 27]) }, `Cut “${FIFTH}”.`],
    },
    {
      name: 'two from the end',
      call: sentences({ from: 'end', count: 2 }),
      made: [{ cut: playing([10, 20.35], [25.1, 27]) }, `Cut “${FOURTH} ${FIFTH}”.`],
    },
    {
      name: 'all but one, of which the beginning is quoted',
      call: sentences({ count: 4 }),
      made: [{ cut: playing([23.55, 27]) }, `Cut “${FIRST} ${SECOND} Um, so the p…”.`],
    },
    {
      name: 'all but one from the end',
      call: sentences({ count: 4, from: 'end' }),
      made: [
        { cut: playing([10, 11.95], [25.1, 27]) },
        `Cut “${SECOND} Um, so the point is, we shit the …”.`,
      ],
    },
    {
      name: 'not all',
      call: sentences({ count: 5 }),
      refused: 'The clip has 5 sentences; at least one must stay.',
    },
    {
      name: 'no more than all',
      call: sentences({ count: 100 }),
      refused: 'The clip has 5 sentences; at least one must stay.',
    },
    {
      name: 'not both of two',
      call: sentences({ count: 2 }),
      edit: { cut: playing([10, 15.95]) },
      refused: 'The clip has 2 sentences; at least one must stay.',
    },
    {
      name: 'one of two',
      call: sentences({ count: 1 }),
      edit: { cut: playing([10, 15.95]) },
      made: [{ cut: playing([11.95, 15.95]) }, `Cut “${FIRST}”.`],
    },
    {
      name: 'not the only one',
      call: sentences({}),
      edit: { cut: playing([10, 11.95]) },
      refused: 'The clip is one sentence; nothing would be left.',
    },
    {
      name: 'none that is heard',
      call: sentences({}),
      context: { heard: () => false },
      refused: 'No words are heard in this clip.',
    },
    {
      name: 'the one with words',
      call: sentences({ phrase: 'budget' }),
      made: [{ cut: playing([10, 15.95], [20.35, 27]) }, `Cut “${THIRD}”.`],
    },
    {
      name: 'the one with words, however many are asked for',
      call: sentences({ phrase: 'budget', count: 100, from: 'end' }),
      made: [{ cut: playing([10, 15.95], [20.35, 27]) }, `Cut “${THIRD}”.`],
    },
    {
      name: 'the one that begins with the words',
      call: sentences({ phrase: 'welcome' }),
      made: [{ cut: playing([11.95, 27]) }, `Cut “${FIRST}”.`],
    },
    {
      name: 'the one that ends with the words',
      call: sentences({ phrase: 'all' }),
      made: [{ cut: playing([10, 23.55], [25.1, 27]) }, `Cut “${FIFTH}”.`],
    },
    {
      name: 'the first of several with the words',
      call: sentences({ phrase: 'three times' }),
      made: [{ cut: playing([10, 11.95], [15.95, 27]) }, `Cut “${SECOND}”.`],
    },
    {
      name: 'the next, where the first is out',
      call: sentences({ phrase: 'three times' }),
      edit: { cut: playing([10, 11.95], [15.95, 27]) },
      made: [{ cut: playing([10, 11.95], [15.95, 20.35], [23.55, 27]) }, `Cut “${FOURTH}”.`],
    },
    {
      name: 'none that is out',
      call: sentences({ phrase: 'Welcome' }),
      edit: { cut: playing([11.95, 27]) },
      refused: 'No sentence that is heard has “Welcome” in it.',
    },
    {
      name: 'none where nothing is heard',
      call: sentences({ phrase: 'budget' }),
      context: { heard: () => false },
      refused: 'No sentence that is heard has “budget” in it.',
    },
    {
      name: 'none with words that are not said',
      call: sentences({ phrase: 'banana bread' }),
      refused: NOT_SAID,
    },
    {
      name: 'not all of the clip',
      call: sentences({ phrase: 'show' }),
      edit: { cut: playing([10, 11.5]) },
      refused: NOTHING_LEFT,
    },
  ])
})

describe('seconds at an edge', () => {
  itDoes([
    { name: 'start', call: edge('start', 3), made: [{ cut: playing([13, 27]) }, 'Cut the first 3 s.'] },
    { name: 'end', call: edge('end', 2), made: [{ cut: playing([10, 25]) }, 'Cut the last 2 s.'] },
    {
      name: 'in hundredths',
      call: edge('start', 1.234),
      made: [{ cut: playing([11.234, 27]) }, 'Cut the first 1.23 s.'],
    },
    {
      name: 'rounded up',
      call: edge('end', 1.236),
      made: [{ cut: playing([10, 25.764]) }, 'Cut the last 1.24 s.'],
    },
    {
      name: 'nearly all',
      call: edge('start', 16.8),
      made: [{ cut: playing([26.8, 27]) }, 'Cut the first 16.8 s.'],
    },
    { name: 'too little left at the end', call: edge('start', 16.95), refused: NOTHING_LEFT },
    { name: 'too little left at the start', call: edge('end', 16.95), refused: NOTHING_LEFT },
    { name: 'all', call: edge('start', 17), refused: SHORT },
    { name: 'all, from the end', call: edge('end', 17), refused: SHORT },
    { name: 'more than all', call: edge('end', 86_400), refused: SHORT },
    {
      name: 'with what is left out before the first picture',
      call: edge('start', 1),
      context: { sourceAt: (played) => 12 + played },
      made: [{ cut: playing([13, 27]) }, 'Cut the first 1 s.'],
    },
    {
      name: 'not what lies before the clip',
      call: edge('start', 2),
      context: { sourceAt: (played) => 9 + played },
      made: [{ cut: playing([11, 27]) }, 'Cut the first 2 s.'],
    },
  ])
})

describe('a stretch of time', () => {
  itDoes([
    {
      name: 'in the middle',
      call: time(2, 3.5),
      made: [{ cut: playing([10, 12], [13.5, 27]) }, 'Cut 0:02 to 0:03.5.'],
    },
    { name: 'from the start', call: time(0, 1), made: [{ cut: playing([11, 27]) }, 'Cut 0:00 to 0:01.'] },
    {
      name: 'to beyond the end',
      call: time(16, 90),
      made: [{ cut: playing([10, 26]) }, 'Cut 0:16 to 0:17.'],
    },
    {
      name: 'as long clips are counted',
      call: time(62, 63.25),
      edit: { cut: playing([10, 130]) },
      context: { length: 120 },
      made: [{ cut: playing([10, 72], [73.25, 130]) }, 'Cut 1:02 to 1:03.3.'],
    },
    { name: 'no length', call: time(3, 3), refused: 'The end of a stretch comes after its start.' },
    { name: 'back in time', call: time(4, 3), refused: 'The end of a stretch comes after its start.' },
    { name: 'at the end', call: time(17, 18), refused: SHORT },
    { name: 'after the end', call: time(18, 20), refused: SHORT },
    { name: 'everything', call: time(0, 17), refused: NOTHING_LEFT },
  ])
})

describe('where the clip begins', () => {
  itDoes([
    {
      name: 'with words',
      call: begin({ phrase: 'so the point is' }),
      made: [{ cut: playing([16.75, 27]) }, 'The clip begins with “so the point is,”.'],
    },
    {
      name: 'with the first of several',
      call: begin({ phrase: 'three times' }),
      made: [{ cut: playing([13.55, 27]) }, 'The clip begins with “three times,”.'],
    },
    {
      name: 'with the first that is played',
      call: begin({ phrase: 'three times' }),
      edit: { cut: playing([15.95, 27]) },
      made: [{ cut: playing([21.55, 27]) }, 'The clip begins with “three times”.'],
    },
    {
      name: 'earlier, with words that are not played',
      call: begin({ phrase: 'three times' }),
      edit: { cut: playing([16, 20]) },
      made: [{ cut: playing([13.55, 20]) }, 'The clip begins with “three times,”.'],
    },
    {
      name: 'with words, also where a time is given',
      call: begin({ phrase: 'budget', seconds: 2 }),
      made: [{ cut: playing([19.55, 27]) }, 'The clip begins with “budget.”.'],
    },
    { name: 'not with words that are not said', call: begin({ phrase: 'banana bread' }), refused: NOT_SAID },
    {
      name: 'at a time',
      call: begin({ seconds: 4 }),
      made: [{ cut: playing([14, 27]) }, 'The clip begins at 0:04 of what it was.'],
    },
    {
      name: 'at a time before it',
      call: begin({ seconds: 1 }),
      context: { sourceAt: (played) => 8 + played },
      made: [{ cut: playing([9, 27]) }, 'The clip begins at 0:01 of what it was.'],
    },
    { name: 'not at its end', call: begin({ seconds: 17 }), refused: 'That would change nothing.' },
    {
      name: 'not where it begins',
      call: begin({ seconds: 0 }),
      refused: 'That would change nothing.',
    },
    { name: 'not after its end', call: begin({ seconds: 17.5 }), refused: SHORT },
    { name: 'nowhere', call: begin({}), refused: 'Say with which words the clip begins, or at which time.' },
  ])
})

describe('where the clip ends', () => {
  itDoes([
    {
      name: 'with words',
      call: end({ phrase: 'nobody listened' }),
      made: [{ cut: playing([10, 15.95]) }, 'The clip ends with “nobody listened.”.'],
    },
    {
      name: 'with the last of several',
      call: end({ phrase: 'three times' }),
      made: [{ cut: playing([10, 22.35]) }, 'The clip ends with “three times”.'],
    },
    {
      name: 'with the last that is played',
      call: end({ phrase: 'three times' }),
      edit: { cut: playing([10, 20]) },
      made: [{ cut: playing([10, 14.35]) }, 'The clip ends with “three times,”.'],
    },
    {
      name: 'later, with words that are not played',
      call: end({ phrase: 'three times' }),
      edit: { cut: playing([16, 20]) },
      made: [{ cut: playing([16, 22.35]) }, 'The clip ends with “three times”.'],
    },
    { name: 'not with words that are not said', call: end({ phrase: 'banana bread' }), refused: NOT_SAID },
    {
      name: 'at a time',
      call: end({ seconds: 15 }),
      made: [{ cut: playing([10, 25]) }, 'The clip ends at 0:15 of what it was.'],
    },
    {
      name: 'at a time after it',
      call: end({ seconds: 15 }),
      context: { sourceAt: (played) => 15 + played },
      made: [{ cut: playing([10, 30]) }, 'The clip ends at 0:15 of what it was.'],
    },
    { name: 'not at its start', call: end({ seconds: 0 }), refused: 'That would change nothing.' },
    { name: 'not after its end', call: end({ seconds: 17.1 }), refused: SHORT },
    { name: 'nowhere', call: end({}), refused: 'Say with which words the clip ends, or at which time.' },
  ])
})

describe('what is kept alone', () => {
  const ELSE = 'Cut everything else.'
  itDoes([
    {
      name: 'words',
      call: keep({ phrase: 'so the point is' }),
      made: [{ cut: playing([16.75, 18.35]) }, ELSE],
    },
    {
      name: 'the first word',
      call: keep({ phrase: 'welcome' }),
      made: [{ cut: playing([10, 10.35]) }, ELSE],
    },
    {
      name: 'the last words',
      call: keep({ phrase: 'you all' }),
      made: [{ cut: playing([24.35, 25.1]) }, ELSE],
    },
    {
      name: 'the first of several',
      call: keep({ phrase: 'three times' }),
      made: [{ cut: playing([13.55, 14.35]) }, ELSE],
    },
    { name: 'a stretch', call: keep({ from: 2, to: 6 }), made: [{ cut: playing([12, 16]) }, ELSE] },
    {
      name: 'a stretch that ends in a word',
      call: keep({ from: 2, to: 6.5 }),
      made: [{ cut: playing([12, 16.5]) }, ELSE],
    },
    { name: 'all from a time on', call: keep({ from: 2 }), made: [{ cut: playing([12, 27]) }, ELSE] },
    { name: 'all until a time', call: keep({ to: 6 }), made: [{ cut: playing([10, 16]) }, ELSE] },
    { name: 'not all of it', call: keep({ from: 0 }), refused: 'That is all that the clip has.' },
    { name: 'nothing that is named', call: keep({}), refused: 'Say which words, or from when to when.' },
    { name: 'words that are not said', call: keep({ phrase: 'banana bread' }), refused: NOT_SAID },
    {
      name: 'a stretch after the end',
      call: keep({ from: 17, to: 20 }),
      refused: 'The clip is 0:17 long; that stretch lies outside of it.',
    },
  ])
})

describe('what is put back', () => {
  itDoes([
    {
      name: 'everything',
      call: putBack({}),
      edit: { cut: playing([10, 12], [13, 27]) },
      made: [{ cut: playing([10, 27]) }, 'Put everything between start and end back.'],
    },
    { name: 'nothing', call: putBack({}), refused: 'Nothing is cut out of the clip.' },
    {
      name: 'words',
      call: putBack({ phrase: 'three times' }),
      edit: { cut: playing([10, 13.55], [14.35, 20], [21, 27]) },
      made: [{ cut: playing([10, 20], [21, 27]) }, 'Put “three times,” back.'],
    },
    {
      name: 'those of several that are out',
      call: putBack({ phrase: 'three times' }),
      edit: { cut: playing([10, 21.55], [22.35, 27]) },
      made: [{ cut: playing([10, 27]) }, 'Put “three times” back.'],
    },
    {
      name: 'words that are there',
      call: putBack({ phrase: 'three times' }),
      refused: '“three times” is in the clip already.',
    },
    { name: 'words that are not said', call: putBack({ phrase: 'banana bread' }), refused: NOT_SAID },
  ])
})

describe('words', () => {
  itDoes([
    {
      name: 'said twice',
      call: words({ phrase: 'three times' }),
      made: [
        { cut: playing([10, 13.55], [14.35, 27]) },
        'Cut “three times,”. It is said once more; say “everywhere” to cut those too.',
      ],
    },
    {
      name: 'said twice, everywhere',
      call: words({ phrase: 'three times', all: true }),
      made: [{ cut: playing([10, 13.55], [14.35, 21.55], [22.35, 27]) }, 'Cut “three times,” 2 times.'],
    },
    {
      name: 'said three times',
      call: words({ phrase: 'the', all: false }),
      made: [
        { cut: playing([10, 10.75], [11.15, 27]) },
        'Cut “the”. It is said 2 times more; say “everywhere” to cut those too.',
      ],
    },
    {
      name: 'said three times, everywhere',
      call: words({ phrase: 'the', all: true }),
      made: [
        { cut: playing([10, 10.75], [11.15, 17.15], [17.55, 19.15], [19.55, 27]) },
        'Cut “the” 3 times.',
      ],
    },
    {
      name: 'said once',
      call: words({ phrase: 'budget' }),
      made: [{ cut: playing([10, 19.55], [20.35, 27]) }, 'Cut “budget.”.'],
    },
    {
      name: 'said once, everywhere',
      call: words({ phrase: 'budget', all: true }),
      made: [{ cut: playing([10, 19.55], [20.35, 27]) }, 'Cut “budget.”.'],
    },
    {
      name: 'of which the first are out',
      call: words({ phrase: 'three times' }),
      edit: { cut: playing([15.95, 27]) },
      made: [{ cut: playing([15.95, 21.55], [22.35, 27]) }, 'Cut “three times”.'],
    },
    {
      name: 'that are out',
      call: words({ phrase: 'Welcome' }),
      edit: { cut: playing([11.95, 27]) },
      refused: '“Welcome” is cut out already.',
    },
    { name: 'that are not said', call: words({ phrase: 'banana bread' }), refused: NOT_SAID },
    {
      name: 'that are all',
      call: words({ phrase: 'Welcome' }),
      edit: { cut: playing([10, 10.3]) },
      refused: NOTHING_LEFT,
    },
  ])
})
