import { createCompany, FEATURES, PLANS } from '../../domain/people/companies.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { renderConcurrencyOf } from '../render-concurrency.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Makes a tenant. */
export const companyCreate = defineCommand({
  summary: 'Make a company: the owner of keys, workflows, runs and clips',
  positionals: ['ID'],
  options: {
    name: { type: 'string', required: true, value: 'N', description: 'what people call it' },
    plan: { type: 'string', value: 'P', description: `one of ${PLANS.join(', ')} (starter)` },
    feature: { type: 'string', multiple: true, value: 'F', description: `one of ${FEATURES.join(', ')}` },
    'render-concurrency': {
      type: 'string',
      value: 'N',
      description: 'renders at the same time, 1 to 64 (2)',
    },
  },
  examples: [
    { line: 'cutroom company create acme --name "Acme Films"', does: 'A company for the public API.' },
    {
      line: 'cutroom company create acme --name Acme --plan business --feature domain_api --json',
      does: 'One that is eligible for the domain API; prints the company.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const concurrency = renderConcurrencyOf(options['render-concurrency'])
    const company = await withServices(options, (services) =>
      createCompany(services, {
        id: positionals[0] ?? '',
        name: options.name,
        features: options.feature,
        ...omitUndefined({ plan: options.plan }),
        ...concurrency,
      }),
    )
    terminal.out(
      options.json ? JSON.stringify(company) : `Company "${company.id}" (${company.name}) is there.`,
    )
    return EXIT.done
  },
})
