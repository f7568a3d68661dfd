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
import { readRunningAppliance } from '../../jobs/home-lock.ts'
import { defineCommand, flag, optional, required, EXIT, repeated } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'
import { setTimeout as delay } from 'node:timers/promises'
import { KEY_REMEMBERED_MS } from '../../db/api-keys.ts'
import { createApiKey, describeApiKeys, endApiKey } from '../../domain/people/api-keys.ts'
import type { AuditRow } from '../../contract/audit.ts'
import { readAudit } from '../../domain/people/audit.ts'
import { parseMoment, parseSpan } from '../arguments.ts'
import { AppError } from '../../contract/errors.ts'
import { FEATURES, PLANS } from '../../contract/company.ts'
import { allCompanies, changeCompany, createCompany } from '../../domain/people/companies.ts'

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
      const { config, home } = services
      // Where a browser finds the appliance: its public address, where it runs now, or where it would.
      const baseUrl = config.publicUrl ?? readRunningAppliance(home)?.url ?? `http://127.0.0.1:${config.port}`
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

export const keyCreate = defineHomeCommand({
  summary: 'Make an API key for a company; it is shown once and stored hashed',
  options: {
    company: required('ID', 'whose key it is'),
    name: required('N', 'what it is for, to tell keys apart later'),
  },
  examples: {
    'cutroom key create --company local --name "render farm"': 'A key for a script.',
    'cutroom key create --company acme --name ci --json': 'Prints {"id","key"}.',
  },
  run: ({ services, options }) => {
    const { company: companyId, name } = options
    const { id, key } = createApiKey(services, { companyId, name })
    return {
      json: { id, key },
      text: key,
      notes: [`Key ${id} of company "${companyId}". It cannot be shown again.`],
    }
  },
})

export const keyList = defineHomeCommand({
  summary: "List a company's API keys (never the keys themselves)",
  options: { company: required('ID', 'whose keys') },
  examples: { 'cutroom key list --company local': 'Ids, names, when last used, when revoked.' },
  run: ({ services, options }) => {
    const keys = describeApiKeys(services, options.company)
    const rows = keys.map(({ id, name, createdAt, lastUsedAt, revokedAt }) => {
      return [id, name, createdAt, lastUsedAt ?? 'never', revokedAt ?? '-']
    })
    return { json: keys, text: table([['ID', 'NAME', 'MADE', 'LAST USED', 'REVOKED'], ...rows]) }
  },
})

export const keyRevoke = defineCommand({
  summary: 'Revoke an API key, at once and for good',
  positionals: ['KEY_ID'],
  examples: { 'cutroom key revoke 3q2-7wAbCdEfGhIjKlMnOp': 'The id is in `cutroom key list`.' },
  run: async ({ options, positionals: [id = ''] }) => {
    await withServices(options, (services) => endApiKey(services, id))
    // A running server caches a key for this long; only then is the message below true.
    await delay(KEY_REMEMBERED_MS)
    return { json: { id, revoked: true }, text: `Key ${id} is revoked.` }
  },
})

const PAGE = 500
const USUAL = 100

/** `30d`: since 30 days ago; anything else a moment. */
function since(text: string, now: number): string {
  const back = /^\d{1,9}[smhdw]$/.test(text.trim())
  return new Date(
    back ? now - parseSpan('since', text) * 1000 : parseMoment('since', text, now),
  ).toISOString()
}

/** Prints the audit log. */
export const audit = defineCommand({
  summary: 'Show the audit log: what was changed, by whom, and what came of it',
  options: {
    since: optional('WHEN', 'a date, a date and time, or a span back such as 7d'),
    limit: optional('N', `rows, the newest first (${USUAL})`),
  },
  examples: {
    'cutroom audit --since 1d': 'The last day.',
    'cutroom audit --since 2027-01-01 --limit 100000 --json': 'One JSON object a line.',
  },
  run: async ({ options, terminal }) => {
    const limit = /^\d{1,9}$/.test(options.limit ?? '') ? Number(options.limit) : USUAL
    await withServices(options, (services) => {
      const from = options.since === undefined ? {} : { since: since(options.since, services.now()) }
      const rows: AuditRow[] = []
      for (let before: number | null | undefined; before !== null && rows.length < limit;) {
        const size = Math.min(PAGE, limit - rows.length)
        const page = readAudit(services, { ...from, limit: size, ...omitUndefined({ before }) })
        rows.push(...page.rows)
        before = page.next
      }
      if (options.json) for (const row of rows) terminal.out(JSON.stringify(row))
      else for (const line of table([HEAD, ...rows.map(cells)])) terminal.out(line)
    })
    return EXIT.done
  },
})

const HEAD = ['WHEN', 'WHO', 'COMPANY', 'WHAT', 'OF', 'CAME OUT AS']

const cells = ({ at, actor, companyId, method, route, resourceId, status }: AuditRow): string[] => [
  at,
  `${actor.kind} ${actor.name ?? actor.id}`,
  companyId ?? '-',
  `${method} ${route}`,
  resourceId ?? '-',
  String(status),
]

/** Parses `--render-concurrency`; empty when the option was not given. Throws INVALID_USAGE. */
function parseRenderConcurrency(text: string | undefined): { renderConcurrency?: number } {
  if (text === undefined) return {}
  if (!/^\d+$/.test(text)) throw new AppError('INVALID_USAGE', '--render-concurrency must be a whole number.')
  return { renderConcurrency: Number(text) }
}

export const companyCreate = defineCommand({
  summary: 'Make a company: the owner of keys, workflows, runs and clips',
  positionals: ['ID'],
  options: {
    name: required('N', 'what people call it'),
    plan: optional('P', `one of ${PLANS.join(', ')} (starter)`),
    feature: repeated('F', `one of ${FEATURES.join(', ')}`),
    'render-concurrency': optional('N', 'renders at the same time, 1 to 64 (2)'),
  },
  examples: {
    'cutroom company create acme --name "Acme Films"': 'A company for the public API.',
    'cutroom company create acme --name Acme --plan business --feature domain_api --json':
      'One that is eligible for the domain API; prints the company.',
  },
  run: async ({ options, positionals: [id = ''] }) => {
    const { name, plan, feature: features } = options
    const concurrency = parseRenderConcurrency(options['render-concurrency'])
    const company = await withServices(options, (services) =>
      createCompany(services, { id, name, features, ...omitUndefined({ plan }), ...concurrency }),
    )
    return { json: company, text: `Company "${company.id}" (${company.name}) is there.` }
  },
})

/** Changes a tenant: its plan and features decide whether the tenant API is open to it. */
export const companyChange = defineCommand({
  summary: 'Change the name, plan, features or renders at the same time of a company',
  positionals: ['ID'],
  options: {
    name: optional('N', 'what people call it'),
    plan: optional('P', `one of ${PLANS.join(', ')}`),
    feature: repeated('F', `one of ${FEATURES.join(', ')}: all that it has from then on; "" for none`),
    'render-concurrency': optional('N', 'renders at the same time, 1 to 64'),
  },
  examples: {
    'cutroom company change acme --plan business --feature domain_api --feature mcp':
      'It holds from the next request on; what is not named stays as it is.',
  },
  run: async ({ options, positionals: [id = ''] }) => {
    const { name, plan, feature } = options
    const change = {
      ...omitUndefined({ name, plan }),
      ...(feature.length === 0 ? {} : { features: feature.filter((one) => one !== '') }),
      ...parseRenderConcurrency(options['render-concurrency']),
    }
    if (Object.keys(change).length === 0)
      throw new AppError('INVALID_USAGE', {
        message: 'Say what to change: --name, --plan, --feature or --render-concurrency.',
      })
    const company = await withServices(options, (services) => changeCompany(services, id, change))
    const has = company.features.join(', ') || 'no features'
    return {
      json: company,
      text: `Company "${company.id}" (${company.name}): ${company.plan}, ${has}, ${company.renderConcurrency} renders at the same time.`,
    }
  },
})

export const companyList = defineHomeCommand({
  summary: 'List the companies',
  examples: { 'cutroom company list --json': 'All companies, oldest first, as a JSON list.' },
  run: ({ services }) => {
    const companies = allCompanies(services)
    const rows = companies.map(({ id, name, plan, features }) => [id, name, plan, features.join(',') || '-'])
    return { json: companies, text: table([['ID', 'NAME', 'PLAN', 'FEATURES'], ...rows]) }
  },
})
