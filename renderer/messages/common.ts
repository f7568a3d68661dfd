/**
 * The studio's texts: one file for each area beside this one, read by its components. A language is added by its name
 * here and by an object of the same shape in each of those files.
 */
type Language = 'en'

/** The language that the studio speaks: the one place where it is chosen. */
const language: Language = 'en'

/** The catalogue of an area in the language of the studio. */
export const inLanguage = <Catalogue>(catalogues: Readonly<Record<Language, Catalogue>>): Catalogue =>
  catalogues[language]

const rules = new Intl.PluralRules(language)

/** The form that goes with a count, by the language's own rules; `other` where a language has no form of its own. */
export function plural(
  count: number,
  forms: Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>,
): string {
  return forms[rules.select(count)] ?? forms.other
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u

/** A name in quotation marks; one that is written from right to left is set apart, so that it moves nothing around it. */
export const quoted = (name: string): string =>
  RIGHT_TO_LEFT.test(name) ? `“\u2068${name}\u2069”` : `“${name}”`

/** Words that several pages share: buttons, states, counts. */
const en = {
  operated: {
    summary: 'Set by whoever runs the appliance',
    setting: (name: string) => `the appliance’s setting “${name}”`,
    commandLine: 'the command line',
    underModels: 'under Settings, Models',
    unreadable: 'cannot be read',
  },
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
  copied: 'Copied',
  edit: 'Edit',
  undo: 'Undo',
  redo: 'Redo',
  none: 'None',
  clipCount: (n: number) => plural(n, { one: `${n} clip`, other: `${n} clips` }),
  postCount: (n: number) => plural(n, { one: `${n} post`, other: `${n} posts` }),
  percent: (n: number) => `${n} %`,
  applianceUnreachable: 'The appliance cannot be reached. Check that it is running, then try again.',
}

export const commonMessages = inLanguage({ en })
export const { operated } = commonMessages
