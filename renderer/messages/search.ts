/** What search in transcripts says, on the list of clips and in the settings. */
import { inLanguage, plural } from './common.ts'

const en = {
  spoken: {
    heading: 'In transcripts',
    searching: 'Searching transcripts…',
    count: (n: number) => plural(n, { one: '1 passage', other: `${n} passages` }),
    nothing: 'No transcript has this.',
    words: 'By words',
    meaning: 'By meaning',
    openClip: 'Open the clip here',
    openClipAt: (title: string, time: string) => `Open the clip here: ${title} at ${time}`,
    play: 'Play the source',
    playAt: (title: string, time: string) => `Play the source: ${title} from ${time}`,
    more: 'Show more passages',
    noClip: 'In no clip',
  },
  searchIndex: {
    heading: 'Search by meaning',
    about: (model: string) =>
      `Transcripts are indexed in the background with ${model}, which never leaves this machine. Search then finds what is said in other words.`,
    noModel:
      'No model of meaning is installed, so search finds words alone. Install one under Models; what is here is then indexed.',
    indexed: (n: number, of: number) => `${n} of ${of} transcripts are indexed.`,
    problems: (n: number) =>
      plural(n, {
        one: 'One transcript could not be indexed by meaning; its words are searched.',
        other: `${n} transcripts could not be indexed by meaning; their words are searched.`,
      }),
    paused: 'Indexing was cancelled. New transcripts are not searched until it is resumed.',
    resume: 'Resume indexing',
    indexing: 'Indexing transcripts for search',
  },
}

export const { spoken, searchIndex } = inLanguage({ en })
