import { changePerson, findPerson, parseRole } from '../../domain/people/people.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Gives a person another role. */
export const peopleRole = defineCommand({
  summary: 'Change what a person may do: owner, editor or viewer',
  positionals: ['PERSON_ID', 'ROLE'],
  options: {
    company: { type: 'string', value: 'ID', description: 'the only company they work for; "" for every one' },
  },
  examples: [
    { line: 'cutroom people role Ada owner', does: 'By name or id; it holds from the next request on.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const [wanted = '', role = ''] = positionals
    const person = await withServices(options, (services) =>
      changePerson(services, findPerson(services, wanted).id, {
        role: parseRole(role),
        ...omitUndefined({ scope: options.company }),
      }),
    )
    terminal.out(options.json ? JSON.stringify(person) : `${person.name} is ${person.role} now.`)
    return EXIT.done
  },
})
