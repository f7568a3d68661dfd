import { omitUndefined } from '../../contract/omit-undefined.ts'
import {
  changePerson,
  findPerson,
  invitePerson,
  linkFor,
  listPeople,
  parseRole,
  removePerson,
} from '../../domain/people/people.ts'
import type { Services } from '../../domain/services.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { defineCommand, flag, optional } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Where a browser finds the appliance: its public address, where it runs now, or where it would. */
export const studioAddress = ({ config, home }: Pick<Services, 'config' | 'home'>): string =>
  config.publicUrl ?? readRunningAppliance(home)?.url ?? `http://127.0.0.1:${config.port}`

export const peopleList = defineHomeCommand({
  summary: 'List the people who may use the studio, and their roles',
  examples: { 'cutroom people list': 'Ids, names, roles, companies, when last seen.' },
  run: ({ services }) => {
    const people = listPeople(services)
    const rows = people.map(({ id, name, role, companyId, sessions, lastSeenAt }) => {
      return [id, name, role, companyId ?? 'every one', String(sessions), lastSeenAt ?? 'never']
    })
    return {
      json: people,
      text: table([['ID', 'NAME', 'ROLE', 'COMPANY', 'SIGNED IN', 'LAST SEEN'], ...rows]),
      notes: rows.length === 0 ? ['Nobody yet: the first owner is made when the appliance starts.'] : [],
    }
  },
})

/** Adds a person, or makes another link for one. */
export const peopleInvite = defineCommand({
  summary: 'Add a person and print a link that signs them in once; for one who is there, another link',
  positionals: ['NAME'],
  options: {
    role: optional('ROLE', 'owner, editor or viewer (viewer)'),
    company: optional('ID', 'the only company they work for (every one)'),
    again: flag('another link for the person of this name or id'),
  },
  examples: {
    'cutroom people invite "Ada" --role editor': 'The link works once and for a day.',
    'cutroom people invite "Ada" --again': 'For another browser, or when the first is used.',
  },
  run: async ({ options, positionals: [name = ''], terminal }) => {
    const { person, link, expiresAt } = await withServices(options, (services) => {
      const baseUrl = studioAddress(services)
      if (options.again) return linkFor(services, { id: findPerson(services, name).id, baseUrl })
      const role = parseRole(options.role ?? 'viewer')
      const scope = omitUndefined({ scope: options.company })
      const made = invitePerson(services, { name, role, baseUrl, ...scope })
      if (!listPeople(services).some((other) => other.role === 'owner'))
        terminal.note('There is no owner yet: the first start of the appliance makes one.')
      return made
    })
    return {
      json: { person, link, expiresAt },
      text: link,
      notes: [`It signs ${person.name} (${person.role}) in, once, until ${expiresAt}.`],
    }
  },
})

export const peopleRole = defineHomeCommand({
  summary: 'Change what a person may do: owner, editor or viewer',
  positionals: ['PERSON_ID', 'ROLE'],
  options: { company: optional('ID', 'the only company they work for; "" for every one') },
  examples: { 'cutroom people role Ada owner': 'By name or id; it holds from the next request on.' },
  run: ({ services, options, positionals: [wanted = '', role = ''] }) => {
    const { id } = findPerson(services, wanted)
    const person = changePerson(services, id, {
      role: parseRole(role),
      ...omitUndefined({ scope: options.company }),
    })
    return { json: person, text: `${person.name} is ${person.role} now.` }
  },
})

export const peopleRemove = defineHomeCommand({
  summary: 'Take a person out and sign them out everywhere, at once',
  positionals: ['PERSON_ID'],
  examples: { 'cutroom people remove Ada': 'By name or id. The last owner stays.' },
  run: ({ services, positionals: [wanted = ''] }) => {
    const found = findPerson(services, wanted)
    removePerson(services, found.id)
    const { id, name } = found
    return { json: { id, removed: true }, text: `${name} is removed.` }
  },
})
