/** Every setting of the studio in words, for the search: what it does, what it is unless somebody sets it, and since when it holds. */
import { inLanguage } from './common.ts'

const at = {
  once: 'At once',
  run: 'From the next run on',
  render: 'From the next render on',
  signIn: 'From the next sign-in on',
  request: 'From its next request on',
  start: 'From the next start of the appliance on',
}

const en = {
  search: {
    label: 'Search settings',
    results: 'Settings that were found',
    none: (query: string) => `No setting has to do with “${query}”.`,
    usual: (text: string) => `Usually: ${text}`,
    outside: 'Set by whoever runs the appliance',
  },
  /** By the name of the section. */
  entries: [
    ['account', 'Your name', 'How others see you here.', '', at.once],
    ['account', 'Password', 'Signs you in with your email address.', 'none', at.once],
    ['account', 'Passkeys', 'Sign you in by fingerprint, face or security key.', 'none', at.once],
    ['account', 'Sessions', 'Where you are signed in, and the end of it.', '30 days each', at.once],
    ['watch-folders', 'Watch folders', 'Folders whose new videos become runs.', 'none', at.once],
    ['voices', 'Recognise voices', 'Names speakers whose voice was named before.', 'off', at.run],
    ['people', 'People and invitations', 'Who may use the studio.', 'the first owner', at.once],
    ['people', 'Roles', 'What somebody may do: owner, editor or viewer.', '', at.once],
    ['sign-in', 'Sign-in provider', 'Lets your organisation’s accounts sign in.', 'none', at.signIn],
    ['audit', 'Audit log', 'Who changed what.', 'kept for a year', at.once],
    ['keys', 'API keys', 'Let programs use the public API.', 'one, from the first start', at.request],
    ['clients', 'Clients and grants', 'Let services act for a company.', 'none', at.request],
    ['webhooks', 'Webhooks', 'Tell your systems what happens here.', 'none', at.once],
    ['model-servers', 'Language model', 'Reads transcripts and helps to choose clips.', 'none', at.run],
    ['model-servers', 'Speech server', 'Transcribes in place of a model here.', 'none', at.run],
    ['models', 'Models', 'Hear, see and score on this machine.', 'none installed', at.run],
    ['hardware', 'Checks of the machine', 'What it can do, and what would help.', 'on request', at.once],
    ['storage', 'Clean up', 'Deletes what nothing needs any more.', 'on request', at.once],
    ['storage', 'Deleted automatically', 'For how long videos and working files stay.', 'forever', at.once],
    ['storage', 'Where footage is kept', 'The folder, and how much of it fits.', 'one folder', at.start],
    ['storage', 'Search by meaning', 'Goes through transcripts for the search.', 'by itself', at.once],
    ['backup', 'Backups', 'Copies of the database.', '', at.once],
    ['workers', 'Renders at once', 'How many renders go on together.', 'by the cores', at.render],
    ['workers', 'Worker nodes', 'Other machines that do a part of the work.', 'none', at.once],
    ['appliance', 'Videos on web pages', 'Whether runs may name a page.', 'on', at.run],
    ['set-up', 'Set-up', 'The five steps of a new studio.', 'once, for the first owner', at.once],
    ['about', 'About', 'Versions and licences.', '', at.once],
  ] as const,
  atStart: at.start,
  atOnce: at.once,
}

export const { search, entries, atStart, atOnce } = inLanguage({ en })
