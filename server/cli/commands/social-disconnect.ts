import { disconnectAccount } from '../../domain/publishing/accounts.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Forgets what opens an account. */
export const socialDisconnect = defineCommand({
  summary: 'Forget what opens an account; its posts stay listed',
  positionals: ['ACCOUNT_ID'],
  options: {
    company: { type: 'string', required: true, value: 'ID', description: 'whose account it is' },
  },
  examples: [
    {
      line: 'cutroom social disconnect f3kQ... --company acme',
      does: 'Nothing is published by it any more. Take the leave back on the platform too.',
    },
  ],
  run: async ({ options, positionals, terminal }) => {
    const id = positionals[0] ?? ''
    const account = await withServices(options, (services) =>
      disconnectAccount(services, { companyId: options.company, id }),
    )
    terminal.out(
      options.json ? JSON.stringify({ id, disconnected: true }) : `${account.handle} is disconnected.`,
    )
    return EXIT.done
  },
})
