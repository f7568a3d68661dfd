import { listPeople } from '../../domain/people/people.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Lists the studio's members. */
export const peopleList = defineCommand({
  summary: 'List the people who may use the studio, and their roles',
  positionals: [],
  options: {},
  examples: [{ line: 'cutroom people list', does: 'Ids, names, roles, companies, when last seen.' }],
  run: async ({ options, terminal }) => {
    const people = await withServices(options, listPeople)
    if (options.json) terminal.out(JSON.stringify(people))
    else {
      const rows = people.map(({ id, name, role, companyId, sessions, lastSeenAt }) => [
        id,
        name,
        role,
        companyId ?? 'every one',
        String(sessions),
        lastSeenAt ?? 'never',
      ])
      const head = ['ID', 'NAME', 'ROLE', 'COMPANY', 'SIGNED IN', 'LAST SEEN']
      for (const line of table([head, ...rows])) terminal.out(line)
      if (rows.length === 0) terminal.note('Nobody yet: the first owner is made when the appliance starts.')
    }
    return EXIT.done
  },
})
