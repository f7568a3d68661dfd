/** What the list of clips says. */
import { inLanguage, plural } from './common.ts'

const en = {
  selection: {
    actions: 'Actions for the selected clips',
    nothing: 'Nothing selected',
    count: (n: number) => `${n} selected`,
    selectAll: 'Select all shown',
    selectNone: 'Select none',
    progress: (done: string, count: number, of: number) => `${done} ${count} of ${of}`,
    deleteQuestion: (what: string) => `Delete ${what}?`,
    deleteText: (n: number) =>
      plural(n, {
        one: 'The clip and its edits are deleted for good. Its posts and its source stay.',
        other: 'The clips and their edits are deleted for good. Their posts and sources stay.',
      }),
  },
  tile: {
    select: (title: string) => `Select ${title}`,
    why: (score: number, title: string) => `${score}: why ${title} has this score`,
    publishClip: (title: string) => `Publish ${title}`,
  },
  list: {
    sorts: {
      created_at: 'Newest',
      virality_score: 'Best score',
      duration: 'Longest',
      updated_at: 'Last edited',
      title: 'Title',
    },
    /** Seconds, from and to. */
    lengths: {
      '': 'Any length',
      '-15': 'Up to 15 s',
      '15-30': '15 to 30 s',
      '30-60': '30 to 60 s',
      '60-180': '1 to 3 min',
      '180-': 'Over 3 min',
    },
    facets: { statuses: 'Status', people: 'People', keywords: 'Keywords', tags: 'Tags' },
    heading: 'Clips',
    searchHint: 'Search by words or meaning',
    search: 'Search clips',
    length: 'Length',
    shape: 'Format',
    anyShape: 'Any format',
    order: 'Sort by',
    clearFilters: 'Clear filters',
    noMatch: 'No clips match these filters.',
    noClips: 'No clips yet.',
    startRun: 'Start a run',
    keys: 'Arrow keys move between clips, Enter opens, Space selects (with Shift a range), Ctrl+A selects all.',
    keysWithDelete:
      'Arrow keys move between clips, Enter opens, Space selects (with Shift a range), Ctrl+A selects all, Delete deletes.',
    relevance: (relevance: number) =>
      `Relevance ${relevance} of 100: how much of what you asked for it is about`,
    whyTitle: (title: string, score: number) => `Why ${title} scores ${score}`,
    noValues: 'None in these clips',
  },
  bulk: {
    renderCancelled: 'The render was cancelled.',
    notRendered: 'Not rendered since the last edit. Render it first.',
    rendered: 'Rendered',
    downloaded: 'Downloaded',
    deleted: 'Deleted',
  },
}

export const { selection, tile, list, bulk } = inLanguage({ en })
