/** What keys and grants may be used for, and until when, as the settings say it. */
import { inLanguage, plural } from './common.ts'

const en = {
  scopes: {
    legend: 'What it may do',
    /** By the scope's own name, in the order of the list. */
    names: {
      read: 'Look',
      trigger: 'Start runs',
      edit: 'Edit',
      render: 'Render',
      publish: 'Publish and share',
      delete: 'Delete',
      admin: 'Webhooks and voices',
    },
    about: {
      read: 'See runs, clips, transcripts, workflows, posts and figures.',
      trigger: 'Start, resume and cancel runs.',
      edit: 'Change clips, transcripts, workflows and files, and draft posts.',
      render: 'Render clips.',
      publish: 'Have approved posts published or taken back, and share clips by link.',
      delete: 'Delete runs, clips, workflows, drafts and files.',
      admin: 'Set up webhooks, and name voices.',
    },
    everything: 'Everything (made before scopes)',
    everythingOf: 'Everything',
  },
  end: {
    label: 'Ends on (optional)',
    column: 'Ends',
    never: 'Never',
    ended: 'Ended',
    today: 'Ends within a day',
    soon: (days: number) => plural(days, { one: `Ends in ${days} day`, other: `Ends in ${days} days` }),
    may: 'May',
  },
  grants: {
    choose: (company: string) => `Choose what it may do for ${company}`,
    changeShort: 'Change',
    change: (company: string) => `Change what it may do for ${company}`,
    save: (days: number) => plural(days, { one: `Grant for ${days} day`, other: `Grant for ${days} days` }),
  },
}

export const { scopes, end, grants } = inLanguage({ en })
