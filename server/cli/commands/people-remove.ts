import { findPerson, removePerson } from '../../domain/people/people.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Takes a person out. */
export const peopleRemove = defineCommand({
  summary: 'Take a person out and sign them out everywhere, at once',
  positionals: ['PERSON_ID'],
  options: {},
  examples: [{ line: 'cutroom people remove Ada', does: 'By name or id. The last owner stays.' }],
  run: async ({ options, positionals, terminal }) => {
    const person = await withServices(options, (services) => {
      const found = findPerson(services, positionals[0] ?? '')
      removePerson(services, found.id)
      return found
    })
    const { id, name } = person
    terminal.out(options.json ? JSON.stringify({ id, removed: true }) : `${name} is removed.`)
    return EXIT.done
  },
})
