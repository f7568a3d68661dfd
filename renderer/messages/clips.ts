/** What the list of clips says. */
import type { ClipStatus } from '../../server/contract/tenant-api/clip.ts'
import { inLanguage, plural, quoted } from './common.ts'

const en = {
  selection: {
    actions: 'Actions for the selected clips',
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
  look: {
    open: 'Change look',
    title: (n: number) =>
      plural(n, { one: 'Change the look of 1 clip', other: `Change the look of ${n} clips` }),
    about: 'What you leave at “As it is” stays as each clip has it. One undo brings all of them back.',
    asItIs: 'As it is',
    brand: 'Brand kit',
    noBrand: 'There is no brand kit yet.',
    makeBrand: 'Make one',
    ofBrand: 'What the kit sets takes the place of what the clips have. The words of their titles stay.',
    captions: 'Caption style',
    shape: 'Format',
    apply: (n: number) => plural(n, { one: 'Change 1 clip', other: `Change ${n} clips` }),
  },
  many: {
    title: (n: number) => `Publish ${n} clips`,
    about: 'Each clip gets a draft with its own words. Nothing goes out before it is approved.',
    where: 'Where',
    connected: 'Connected accounts',
    packages: 'As a package to upload yourself',
    none: 'Choose at least one.',
    make: (n: number) => plural(n, { one: 'Make 1 draft', other: `Make ${n} drafts` }),
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
    statuses: {
      rendering: 'Rendering',
      rendered: 'Rendered',
      render_failed: 'Render failed',
      unrendered: 'Not rendered',
      edited: 'Edited',
      drafted: 'Drafted',
      scheduled: 'Scheduled',
      publishing: 'Publishing',
      published: 'Published',
      publish_failed: 'Publish failed',
    } satisfies Readonly<Record<ClipStatus, string>>,
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
    noClips:
      'No clips yet. What runs find comes here, to be searched, branded, shared and published together.',
    startRun: 'Start a run',
    keys: 'Arrow keys move between clips, Enter opens, Space selects (with Shift a range), Ctrl+A selects all, Ctrl+Z undoes a change.',
    keysWithDelete:
      'Arrow keys move between clips, Enter opens, Space selects (with Shift a range), Ctrl+A selects all, Ctrl+Z undoes a change, Delete deletes.',
    relevance: (relevance: number) =>
      `Relevance ${relevance} of 100: how much of what you asked for it is about`,
    whyTitle: (title: string, score: number) => `Why ${title} scores ${score}`,
    noValues: 'None in these clips',
  },
  bulk: {
    renderCancelled: 'The render was cancelled.',
    notRendered: 'Not rendered since the last edit. Render it first.',
    changed: 'Changed',
    drafted: 'Drafted for',
    undoing: 'Undoing…',
    changedClips: (n: number) => plural(n, { one: 'Changed 1 clip.', other: `Changed ${n} clips.` }),
    restored: (n: number, left: readonly string[]) => {
      const back = plural(n, { one: '1 clip is as it was.', other: `${n} clips are as they were.` })
      if (left.length === 0) return back
      const names = left.map(quoted).join(', ')
      const stay = plural(left.length, {
        one: `${names} was changed since, and stays.`,
        other: `${names} were changed since, and stay.`,
      })
      return n === 0 ? stay : `${back} ${stay}`
    },
    draftsMade: (n: number) =>
      plural(n, { one: '1 draft is in Publish.', other: `${n} drafts are in Publish.` }),
    draftsDeleted: (n: number, left: number) =>
      [
        plural(n, { one: '1 draft was deleted.', other: `${n} drafts were deleted.` }),
        left === 0
          ? ''
          : plural(left, {
              one: '1 is no draft any more, and stays.',
              other: `${left} are no drafts any more, and stay.`,
            }),
      ]
        .join(' ')
        .trim(),
    rendered: 'Rendered',
    rendersStay: (n: number) =>
      `${plural(n, { one: '1 clip is rendered.', other: `${n} clips are rendered.` })} A render leaves clips as they are set: there is nothing to undo.`,
    downloaded: 'Downloaded',
    deleted: 'Deleted',
  },
}

export const { selection, look, many, tile, list, bulk } = inLanguage({ en })
