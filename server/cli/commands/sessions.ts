import { endSession, sessionsOf } from '../../domain/people/account.ts'
import { endSessions, findPerson } from '../../domain/people/people.ts'
import { optional } from '../command.ts'
import { defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

export const sessionsList = defineHomeCommand({
  summary: 'List where a person is signed in',
  positionals: ['PERSON_ID'],
  examples: { 'cutroom sessions list Ada': 'By name or id: device, address, how, last used.' },
  run: ({ services, positionals: [wanted = ''] }) => {
    const sessions = sessionsOf(services, findPerson(services, wanted).id, null)
    const rows = sessions.map(({ id, browser, system, address, way, lastUsedAt }) => {
      const device = [browser, system].filter((one) => one !== null).join(', ')
      return [id, device === '' ? '-' : device, address ?? '-', way ?? '-', lastUsedAt]
    })
    return { json: sessions, text: table([['ID', 'DEVICE', 'ADDRESS', 'BY', 'LAST USED'], ...rows]) }
  },
})

export const sessionsEnd = defineHomeCommand({
  summary: 'Sign a person out: everywhere, or of one session',
  positionals: ['PERSON_ID'],
  options: { session: optional('ID', 'only this one, as `cutroom sessions list` has it') },
  examples: { 'cutroom sessions end Ada': 'Sign-in links of theirs that were not used end too.' },
  run: ({ services, options, positionals: [wanted = ''] }) => {
    const { id, name } = findPerson(services, wanted)
    if (options.session === undefined) {
      const ended = endSessions(services, id)
      return { json: { ended }, text: `${name} is signed out.` }
    }
    endSession(services, id, options.session)
    return { json: { ended: 1 }, text: `One session of ${name} has ended.` }
  },
})
