import { AppError } from '../../contract/errors.ts'
import { changeCompany, FEATURES, PLANS } from '../../domain/people/companies.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'
import { renderConcurrencyOf } from '../render-concurrency.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

/** Changes a tenant: its plan and features decide whether the tenant API is open to it. */
export const companyChange = defineCommand({
  summary: 'Change the name, plan, features or renders at the same time of a company',
  positionals: ['ID'],
  options: {
    name: { type: 'string', value: 'N', description: 'what people call it' },
    plan: { type: 'string', value: 'P', description: `one of ${PLANS.join(', ')}` },
    feature: {
      type: 'string',
      multiple: true,
      value: 'F',
      description: `one of ${FEATURES.join(', ')}: all that it has from then on; "" for none`,
    },
    'render-concurrency': { type: 'string', value: 'N', description: 'renders at the same time, 1 to 64' },
  },
  examples: [
    {
      line: 'cutroom company change acme --plan business --feature domain_api --feature mcp',
      does: 'It holds from the next request on; what is not named stays as it is.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const { name, plan, feature } = options
    const change = {
      ...omitUndefined({ name, plan }),
      ...(feature.length === 0 ? {} : { features: feature.filter((one) => one !== '') }),
      ...renderConcurrencyOf(options['render-concurrency']),
    }
    if (Object.keys(change).length === 0)
      throw new AppError('INVALID_USAGE', {
        message: 'Say what to change: --name, --plan, --feature or --render-concurrency.',
      })
    const company = await withServices(options, (services) =>
      changeCompany(services, positionals[0] ?? '', change),
    )
    const has = company.features.join(', ') || 'no features'
    terminal.out(
      options.json
        ? JSON.stringify(company)
        : `Company "${company.id}" (${company.name}): ${company.plan}, ${has}, ${company.renderConcurrency} renders at the same time.`,
    )
    return EXIT.done
  },
})
