import { AppError } from '../../contract/errors.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { FEATURES, PLANS } from '../../contract/company.ts'
import { allCompanies, changeCompany, createCompany } from '../../domain/people/companies.ts'
import { parseChoice } from '../arguments.ts'
import { defineCommand, optional, repeated, required } from '../command.ts'
import { withServices, defineHomeCommand } from '../open-home.ts'
import { table } from '../terminal.ts'

/** Parses `--render-concurrency`; empty when the option was not given. Throws INVALID_USAGE. */
function parseRenderConcurrency(text: string | undefined): { renderConcurrency?: number } {
  if (text === undefined) return {}
  if (!/^\d+$/.test(text)) throw new AppError('INVALID_USAGE', '--render-concurrency must be a whole number.')
  return { renderConcurrency: Number(text) }
}

/** Parses `--separate-approval`; empty when the option was not given. Throws INVALID_USAGE. */
function parseSeparateApproval(text: string | undefined): { separateApproval?: boolean } {
  const choice = parseChoice(text, ['on', 'off'], '--separate-approval is')
  return choice === undefined ? {} : { separateApproval: choice === 'on' }
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
    'separate-approval': optional(
      'on|off',
      'whether a post is approved by another person than who prepared it',
    ),
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
      ...parseSeparateApproval(options['separate-approval']),
    }
    if (Object.keys(change).length === 0)
      throw new AppError('INVALID_USAGE', {
        message:
          'Say what to change: --name, --plan, --feature, --render-concurrency or --separate-approval.',
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
