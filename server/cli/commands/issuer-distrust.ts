import { distrustIssuer } from '../../domain/access/clients.ts'
import { defineCommand, EXIT } from '../command.ts'
import { withServices } from '../open-home.ts'

/** Believes an issuer no longer. */
export const issuerDistrust = defineCommand({
  summary: 'Believe delegations of an issuer no longer',
  positionals: ['ISSUER'],
  options: {},
  examples: [
    { line: 'cutroom issuer distrust https://id.example.com', does: 'Its delegations are refused.' },
  ],
  run: async ({ options, positionals, terminal }) => {
    const issuer = positionals[0] ?? ''
    await withServices(options, (services) => distrustIssuer(services, issuer))
    terminal.out(
      options.json ? JSON.stringify({ issuer, trusted: false }) : `"${issuer}" is trusted no longer.`,
    )
    return EXIT.done
  },
})
