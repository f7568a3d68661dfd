/** Words that several pages share: buttons, states, counts. */
import { inLanguage, plural } from './language.ts'

const en = {
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Saved',
  notSaved: 'Not saved',
  delete: 'Delete',
  remove: 'Remove',
  stop: 'Stop',
  stopping: 'Stopping…',
  tryAgain: 'Try again',
  download: 'Download',
  publish: 'Publish',
  render: 'Render',
  dismiss: 'Dismiss',
  loading: 'Loading…',
  opening: 'Opening…',
  reload: 'Reload',
  loadFailed:
    'This part of the studio could not be loaded: the appliance cannot be reached, or it was updated after this window was opened. Reload the window.',
  more: 'Load more',
  copy: 'Copy',
  add: 'Add',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  reset: 'Reset',
  none: 'None',
  clipCount: (n: number) => plural(n, { one: `${n} clip`, other: `${n} clips` }),
  postCount: (n: number) => plural(n, { one: `${n} post`, other: `${n} posts` }),
  percent: (n: number) => `${n} %`,
  applianceUnreachable: 'The appliance cannot be reached. Check that it is running, then try again.',
}

export const commonMessages = inLanguage({ en })
