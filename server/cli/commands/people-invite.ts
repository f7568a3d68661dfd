import { findPerson, invitePerson, linkFor, listPeople, parseRole } from '../../domain/people/people.ts'
import type { Services } from '../../domain/services.ts'
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Where a browser finds the appliance: its public address, where it runs now, or where it would. */
function addressOf({ config, home }: Pick<Services, 'config' | 'home'>): string {
  const { publicUrl, port } = config
  return publicUrl ?? readRunningAppliance(home)?.url ?? `http://127.0.0.1:${port}`
}

/** Adds a person, or makes another link for one. */
export const peopleInvite = defineCommand({
  summary: 'Add a person and print a link that signs them in once; for one who is there, another link',
  positionals: ['NAME'],
  options: {
    role: { type: 'string', value: 'ROLE', description: 'owner, editor or viewer (viewer)' },
    company: { type: 'string', value: 'ID', description: 'the only company they work for (every one)' },
    again: { type: 'boolean', description: 'another link for the person of this name or id' },
  },
  examples: [
    { line: 'cutroom people invite "Ada" --role editor', does: 'The link works once and for a day.' },
    { line: 'cutroom people invite "Ada" --again', does: 'For another browser, or when the first is used.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const name = positionals[0] ?? ''
    const { person, link, expiresAt } = await withServices(options, (services) => {
      const baseUrl = addressOf(services)
      if (options.again) return linkFor(services, { id: findPerson(services, name).id, baseUrl })
      const scope = omitUndefined({ scope: options.company })
      const made = invitePerson(services, {
        name,
        role: parseRole(options.role ?? 'viewer'),
        baseUrl,
        ...scope,
      })
      const owners = listPeople(services).filter(({ role }) => role === 'owner')
      if (owners.length === 0)
        terminal.note('There is no owner yet: the first start of the appliance makes one.')
      return made
    })
    if (options.json) terminal.out(JSON.stringify({ person, link, expiresAt }))
    else {
      terminal.out(link)
      terminal.note(`It signs ${person.name} (${person.role}) in, once, until ${expiresAt}.`)
    }
    return EXIT.done
  },
})
