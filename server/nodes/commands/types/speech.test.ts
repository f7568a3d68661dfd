import { describe } from 'vitest'
import { itDoes, playing } from '../../../../test/support/command-cases.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const speed = (given: Given<'speed'>): CommandCall => ({ name: 'speed', arguments: given })
const named = (speaker: string, name: string): CommandCall => ({
  name: 'name_speaker',
  arguments: { speaker, name },
})
const curses = (how: Given<'curse_words'>['how']): CommandCall => ({
  name: 'curse_words',
  arguments: { how },
})
const node = (enabled: boolean, mode: string) => ({
  remove_curse_words: { enabled, config: { remove_curse_words_config: { enabled: true, mode } } },
})

describe('fillers and curses', () => {
  itDoes([
    {
      name: 'none',
      call: { name: 'remove_fillers', arguments: {} },
      context: { heard: () => false },
      refused: 'No filler words are heard in this clip.',
    },
    {
      name: 'none longer',
      call: { name: 'shorten_pauses', arguments: { over: 2 } },
      refused: 'No pause between the words is longer than 2 s.',
    },
    {
      name: 'beep',
      call: curses('beep'),
      made: [{ nodes: node(true, 'beep') }, 'Bleeped one curse word; captions mask them.'],
    },
    {
      name: 'silence',
      call: curses('silence'),
      made: [{ nodes: node(true, 'silence') }, 'Silenced one curse word; captions mask them.'],
    },
    {
      name: 'none to beep',
      call: curses('beep'),
      context: { heard: () => false },
      refused: 'No curse words are heard in this clip.',
    },
    {
      name: 'keep',
      call: curses('keep'),
      edit: { nodes: node(true, 'beep') },
      made: [{ nodes: node(false, 'beep') }, 'Curse words are heard as they were said.'],
    },
    { name: 'keep again', call: curses('keep'), refused: 'Curse words are heard as they were said already.' },
  ])
})

describe('speakers', () => {
  itDoes([
    {
      name: 'by number',
      call: named('1', 'Anna'),
      made: [{ speakers: ['Anna', 'Speaker 2'] }, 'Speaker 1 is called Anna.'],
    },
    {
      name: 'by name',
      call: named(' SPEAKER 2 ', ' Ben '),
      made: [{ speakers: ['Speaker 1', 'Ben'] }, 'Speaker 2 is called Ben.'],
    },
    {
      name: 'by the name so far',
      call: named('ada', 'Ben'),
      edit: { speakers: ['Eve', 'Ada'] },
      made: [{ speakers: ['Eve', 'Ben'] }, 'Ada is called Ben.'],
    },
    {
      name: 'by rank, with a name',
      call: named('Speaker 2', 'Ben'),
      edit: { speakers: ['Eve', 'Ada'] },
      made: [{ speakers: ['Eve', 'Ben'] }, 'Ada is called Ben.'],
    },
    {
      name: 'nobody',
      call: named('3', 'Ben'),
      refused: 'There is no speaker “3”; there are Speaker 1, Speaker 2.',
    },
    { name: 'no name', call: named('1', '  '), refused: 'Say how the speaker is called.' },
    {
      name: 'nobody told apart',
      call: named('1', 'Ben'),
      context: { words: [] },
      refused: 'Nobody is told apart in this clip.',
    },
  ])
})

describe('speed', () => {
  itDoes([
    { name: 'all', call: speed({ rate: 2 }), made: [{ cut: playing([10, 27, 2]) }, 'The clip plays at 2×.'] },
    {
      name: 'a stretch',
      call: speed({ rate: 0.5, from: 2, to: 4 }),
      made: [{ cut: playing([10, 12], [12, 14, 0.5], [14, 27]) }, 'That stretch plays at 0.5×.'],
    },
    { name: 'the same', call: speed({ rate: 1 }), refused: 'It plays at 1× already.' },
  ])
})
